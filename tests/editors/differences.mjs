// What the headless editor and a live one answer differently because Unity leaves no choice, each with
// its reason. docs/tools.md shows this table: differences.md, beside this file, is written from it by
//
//     node tests/editors/differences.mjs --write
//
// and docs/tools.md from that by `meson compile -C build tools-md`. An entry covers a place in the answers
// to one call: {phase, scene, tool, args, path, a, b, answers}; a is what the headless editor has there, b
// what the live one has.
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';

export const DIFFERENCES = [
    {
        id: 'play-mode',
        tools: ['control_play_mode'],
        headless: 'ERR_UNSUPPORTED_HEADLESS',
        live: 'play mode starts, pauses and stops; while it is on, edits are ERR_PLAY_MODE_ACTIVE',
        why: 'there is no player without Unity',
        covers: ({tool}) => tool === 'control_play_mode',
    },
];

/** The entry that explains this difference, or undefined. */
export const known = place => DIFFERENCES.find(entry => entry.covers(place));

const PAGE = path.join(import.meta.dirname, 'differences.md');

/** The section of docs/tools.md. */
export function markdown() {
    const rows = DIFFERENCES.map(({tools, headless, live, why}) =>
        `| ${tools.join(', ')} | ${headless} | ${live} | ${why} |`);
    return `## The two editors

The headless editor (a project without Unity) and a live Unity Editor with the package give the same
answers to the same calls: \`tests/editors\` compares them, call by call. What Unity leaves no choice in:

| tool | headless | live | because |
|---|---|---|---|
${rows.join('\n')}
`;
}

export const isWritten = () => readFileSync(PAGE, 'utf8') === markdown();

if (process.argv[1] === import.meta.filename && process.argv[2] === '--write')
    writeFileSync(PAGE, markdown());
