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

const messageOf = answer => answer.error?.details?.message ?? '';

/** The value at a path of an answer; every object on the way to it, outermost first. */
function wayTo(answer, where) {
    const way = [answer];
    for (const [, name, index] of where.matchAll(/\.([^.[\]]+)|\[(\d+)\]/g))
        way.push(way.at(-1)?.[name ?? index]);
    return way;
}

/** Whether no document of the scene has a key that is shown under this name. */
function isNotInFile({folder, scene}, name) {
    const text = readScene(path.join(folder, scene)), raw = `m_${name[0].toUpperCase()}${name.slice(1)}`;
    return ![name, raw].some(key => text.includes(`  ${key}:`) || text.includes(`propertyPath: ${key}`));
}

const scenes = new Map();
function readScene(file) {
    if (!scenes.has(file))
        scenes.set(file, readFileSync(file, 'utf8'));
    return scenes.get(file);
}

export const DIFFERENCES = [
    {
        id: 'play-mode',
        tools: ['control_play_mode'],
        headless: 'ERR_UNSUPPORTED_HEADLESS',
        live: 'play mode starts, pauses and stops; while it is on, what changes or saves a scene is ' +
            'ERR_PLAY_MODE_ACTIVE',
        why: 'there is no player without Unity',
        covers: ({tool}) => tool === 'control_play_mode',
    },
    {
        id: 'console',
        tools: ['read_console'],
        headless: 'what the editor itself found in the project and did',
        live: "Unity's console: what scripts, importers and the compiler log, with stack traces; edits are not " +
            "logged",
        why: 'each shows the console of its editor',
        covers: ({tool}) => tool === 'read_console',
    },
    {
        id: 'patterns',
        tools: ['list_scenes', 'read_console', 'run_tests'],
        headless: 'regular expressions are those of PCRE2, and so is the word about what is wrong with one',
        live: 'those of .NET',
        why: 'each uses the engine it has; what both know means the same',
        covers: ({path, answers}) => /message$/.test(path) &&
            answers.every(answer => messageOf(answer).includes('is no regular expression')),
    },
    {
        id: 'saving',
        tools: ['manage_component', 'undo', 'redo', 'save_scene'],
        headless: 'with `--save auto` each edit is saved; `bytes` is the size of the file as it was edited',
        live: 'nothing is saved before save_scene; `bytes` is the size of the file as Unity wrote it',
        why: 'the user decides when Unity saves, and Unity writes the whole file anew',
        covers: ({tool, path}) => tool === 'save_scene' && path === '.ok.bytes',
    },
    {
        id: 'dirty',
        tools: ['open_scene', 'save_scene', 'get_editor_state'],
        headless: 'a scene whose changes are all undone is clean again',
        live: 'Unity says whether it is; an undo may leave it dirty, so that open_scene asks for discard_changes',
        why: "it is Unity's flag that guards the user's changes",
        covers: ({tool, answers: [a, b]}) => (tool === 'open_scene' && Boolean(a.ok) &&
            b.error?.details?.plugin_error_code === 'ERR_UNSAVED_CHANGES') ||
            (tool === 'save_scene' && a.ok?.saved === false && b.ok?.saved === true),
    },
    {
        id: 'old-files',
        tools: ['get_component_info', 'manage_component'],
        headless: 'of a file that an older Unity saved the fields are those that the file has; setting one that it ' +
            'lacks is a change; in its prefab instances a new component has no place of its own',
        live: 'Unity has brought it up to date when it opened it: all fields of this version, with the values ' +
            'it gave them',
        why: 'what an upgrade does is in Unity, not in the file',
        covers: place => (place.tool === 'get_component_info' && place.a === undefined &&
            /^\.ok\.fields\.[^.]+$/.test(place.path) && isNotInFile(place, place.path.split('.').at(-1))) ||
            (['undo', 'redo'].includes(place.tool) && place.edit?.action === 'update' &&
            Object.keys(place.edit.fields).some(name => isNotInFile(place, name))) ||
            messageOf(place.answers[0]).includes('in the form of an editor before 2022.2'),
    },
    {
        id: 'new-components',
        tools: ['manage_component'],
        headless: 'a class whose initial values are in no table is ERR_INVALID_COMPONENT_TYPE: "add it in Unity"',
        live: 'Unity adds it, if this version has it',
        why: 'only Unity knows what a new component of it holds',
        covers: ({args, answers: [a, b]}) => /^how Unity writes a new .* is not known/.test(messageOf(a)) ||
            (Boolean(a.error) && b.error?.details?.plugin_error_code === 'ERR_COMPONENT_TYPE_NOT_FOUND' &&
            (/^Unity/.test(args.component_type) || /^Unity\w+\./.test(messageOf(a)))),
    },
    {
        id: 'classes',
        tools: ['find_component_types'],
        headless: 'classes that it cannot add are left out, and with `base` have `can_add: false`; of packages those ' +
            'that our tables know, and those whose sources are there',
        live: 'all classes that Unity has loaded; only a Transform cannot be added',
        why: 'only Unity has the assemblies of a project',
        covers: ({tool, path, a, b}) => tool === 'find_component_types' && /can_add$/.test(path) && a === false && b === true,
    },
    {
        id: 'parts',
        tools: ['find_assets'],
        headless: 'of images and models the objects that their .meta names; files whose importer is not known are left out',
        live: 'all that Unity has imported',
        why: 'what an importer makes of a file is known to Unity only',
        covers: () => false,
    },
    {
        id: 'unknown-types',
        tools: ['get_component_info', 'manage_component'],
        headless: 'a field of a package script whose type is not known has `type: "unknown"`, plain values, and ' +
            'cannot be set',
        live: 'its type and its fields are shown, and can be set',
        why: "the sources of packages are not in a project's folder",
        covers: ({path, answers: [a]}) => wayTo(a, path).some(value => value?.type === 'unknown') ||
            Object.values(a.ok?.skipped_reasons ?? {}).includes('unsupported_type'),
    },
    {
        id: 'kinds-of-assets',
        tools: ['manage_component'],
        headless: '`$asset` with a file whose importer is not known: "which object Unity makes of such a file is ' +
            'not known"',
        live: 'what Unity made of it is taken, or named where it does not fit',
        why: 'what an importer makes of a file is known to Unity only',
        covers: ({answers: [a]}) => messageOf(a).includes('which object Unity makes of such a file is not known'),
    },
    {
        id: 'user-steps',
        tools: ['undo', 'redo'],
        headless: 'the history is that of the tools alone',
        live: "it is Unity's, which the user shares: where the user's own step is next, ERR_UNDO_BLOCKED",
        why: "an agent does not undo what the user did",
        covers: ({tool, answers: [, b]}) => ['undo', 'redo'].includes(tool) &&
            b.error?.details?.plugin_error_code === 'ERR_UNDO_BLOCKED',
    },
    {
        id: 'rect-transforms',
        tools: ['manage_component'],
        headless: 'a class that needs a RectTransform, on an object of a prefab instance: ERR_UNSUPPORTED_HEADLESS',
        live: 'ERR_INVALID_COMPONENT_TYPE, in the same words',
        why: 'a live editor has nothing headless',
        covers: ({answers: [a, b]}) => a.error?.details?.plugin_error_code === 'ERR_UNSUPPORTED_HEADLESS' &&
            b.error?.details?.plugin_error_code === 'ERR_INVALID_COMPONENT_TYPE' && messageOf(a) === messageOf(b),
    },
    {
        id: 'missing-scripts',
        tools: ['manage_component', 'get_component_info'],
        headless: 'one of several missing scripts of a GameObject can be removed; a reference to one names its ' +
            'GameObject',
        live: 'ERR_INVALID_PARAMS where there are several; a reference to one is "Missing (Component)"',
        why: 'Unity removes all missing scripts of a GameObject at once, and shows none of them as an object',
        covers: ({tool, args, path, answers: [, b]}) => (tool === 'manage_component' &&
            args.component_type === 'Missing Script' && b.error?.details?.plugin_error_code === 'ERR_INVALID_PARAMS') ||
            wayTo(b, path).some(value => (value?.value ?? value) === 'Missing (Component)'),
    },
    {
        id: 'scene-settings',
        tools: ['manage_component'],
        headless: '`references_cleared` counts every reference in the file, that of the lighting to its sun, too',
        live: 'it counts those of components',
        why: 'settings of a scene are no component',
        covers: ({path}) => path === '.ok.references_cleared',
    },
    {
        id: 'constructors',
        tools: ['get_component_info'],
        headless: 'a field that the file lacks and whose initialiser is no literal has the default of its type',
        live: 'it has what the constructor made',
        why: 'only Unity runs the code of a script',
        covers: place => place.tool === 'get_component_info' && place.path.startsWith('.ok.fields.') &&
            isNotInFile(place, place.path.split('.')[3].replace(/\[.*/, '')),
    },
    {
        id: 'sizes',
        tools: ['all'],
        headless: 'an answer may be of any size',
        live: 'one above max_message_bytes (1 MiB, a setting) is ERR_RESPONSE_TOO_LARGE, which says what to ' +
            'ask for instead',
        why: 'it goes over a socket',
        covers: ({answers: [, b]}) => b.error?.details?.plugin_error_code === 'ERR_RESPONSE_TOO_LARGE',
    },
    {
        id: 'models',
        tools: ['get_component_info'],
        headless: 'of a model (FBX and the like) what its .meta and the scenes tell, marked `_partial`',
        live: 'all of it',
        why: 'a model is read by its importer in Unity',
        covers: ({answers: [a]}) => a.ok?._partial === true,
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
