// What the headless editor and a live one answer differently because Unity leaves no choice, each with its reason.
// docs/tools.md shows this table (differences.md beside this file is made of it: `node tests/editors/differences.mjs`).
//
// An entry covers a place of an answer: {phase, scene, tool, args, path, a, b, answers}, a and b what the headless and
// the live editor have there.
export const DIFFERENCES = [
];

/** The entry that explains this difference, or undefined. */
export const known = place => DIFFERENCES.find(entry => entry.covers(place));
