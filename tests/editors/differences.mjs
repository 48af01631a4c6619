// Unavoidable differences between the answers of the headless editor and of a live one, each with
// its reason. docs/tools.md shows this table. To update it, run
//
//     node tests/editors/differences.mjs --write
//
// which writes differences.md in this folder, then `meson compile -C build tools-md` for
// docs/tools.md. An entry covers a place in the answers to one call: {phase, scene, tool, args,
// path, a, b, answers}; a is the value of the headless editor, b that of the live one.
import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';

const messageOf = answer => answer.error?.details?.message ?? '';

/** The value at a path of an answer, after all objects on the way to it, outermost first. */
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
        live: 'play mode starts, pauses and stops; while it is on, changing or saving a scene is ' +
            'ERR_PLAY_MODE_ACTIVE',
        why: 'there is no player without Unity',
        covers: ({tool}) => tool === 'control_play_mode',
    },
    {
        id: 'console',
        tools: ['read_console'],
        headless: 'what the editor itself found in the project and did',
        live: "Unity's console: messages of scripts, importers and the compiler, with stack traces; edits are not " +
            "logged",
        why: 'each shows the console of its editor',
        covers: ({tool}) => tool === 'read_console',
    },
    {
        id: 'patterns',
        tools: ['list_scenes', 'read_console', 'run_tests'],
        headless: 'regular expressions and their error messages are those of PCRE2',
        live: 'those of .NET',
        why: 'each uses its own engine; expressions that both accept mean the same',
        covers: ({path, answers}) => /message$/.test(path) &&
            answers.every(answer => messageOf(answer).includes('is not a valid regular expression')),
    },
    {
        id: 'saving',
        tools: ['manage_component', 'undo', 'redo', 'save_scene'],
        headless: 'with `--save auto` each edit is saved; `bytes` is the size of the file after the edit',
        live: 'nothing is saved before save_scene; `bytes` is the size of the file as Unity wrote it',
        why: 'the user decides when Unity saves, and Unity rewrites the whole file',
        covers: ({tool, path}) => tool === 'save_scene' && path === '.ok.bytes',
    },
    {
        id: 'dirty',
        tools: ['open_scene', 'save_scene', 'get_editor_state'],
        headless: 'a scene whose changes are all undone is unchanged again',
        live: 'Unity decides; an undo may leave the scene dirty, so that open_scene requires discard_changes',
        why: "Unity's flag protects the user's changes",
        covers: ({tool, answers: [a, b]}) => (tool === 'open_scene' && Boolean(a.ok) &&
            b.error?.details?.plugin_error_code === 'ERR_UNSAVED_CHANGES') ||
            (tool === 'save_scene' && a.ok?.saved === false && b.ok?.saved === true),
    },
    {
        id: 'old-files',
        tools: ['get_component_info', 'manage_component'],
        headless: 'in a file saved by an older Unity, only the fields in the file exist; setting another one is ' +
            'a change; in its prefab instances a new component has no place of its own',
        live: 'Unity upgrades the file when it opens it: all fields of this version exist, with the values ' +
            'that Unity gave them',
        why: 'only Unity can upgrade a file',
        covers: place => (place.tool === 'get_component_info' && place.a === undefined &&
            /^\.ok\.fields\.[^.]+$/.test(place.path) && isNotInFile(place, place.path.split('.').at(-1))) ||
            (['undo', 'redo'].includes(place.tool) && place.edit?.action === 'update' &&
            Object.keys(place.edit.fields).some(name => isNotInFile(place, name))) ||
            messageOf(place.answers[0]).includes('in the form of an editor before 2022.2'),
    },
    {
        id: 'new-components',
        tools: ['manage_component'],
        headless: 'a class without known initial values is ERR_INVALID_COMPONENT_TYPE: "add it in Unity"',
        live: 'Unity adds it if this version has it',
        why: 'only Unity knows the contents of a new component of it',
        covers: ({args, answers: [a, b]}) => /^the format of a new .* is not known/.test(messageOf(a)) ||
            (Boolean(a.error) && b.error?.details?.plugin_error_code === 'ERR_COMPONENT_TYPE_NOT_FOUND' &&
            (/^Unity/.test(args.component_type) || /^Unity\w+\./.test(messageOf(a)))),
    },
    {
        id: 'classes',
        tools: ['find_component_types'],
        headless: 'classes that it cannot add are omitted, and with `base` have `can_add: false`; of packages only ' +
            'known classes are listed, and those with sources in the project',
        live: 'all classes that Unity has loaded; only a Transform cannot be added',
        why: 'only Unity has the assemblies of a project',
        covers: ({tool, path, a, b}) => tool === 'find_component_types' && /can_add$/.test(path) && a === false && b === true,
    },
    {
        id: 'parts',
        tools: ['find_assets'],
        headless: 'the objects of images and models that their .meta names; files with an unknown importer are omitted',
        live: 'everything that Unity has imported',
        why: 'only Unity knows what an importer makes of a file',
        covers: () => false,
    },
    {
        id: 'unknown-types',
        tools: ['get_component_info', 'manage_component'],
        headless: 'a field of a package script with an unknown type has `type: "unknown"`, plain values, and ' +
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
        live: 'the imported object is assigned, or named in the error if it does not fit',
        why: 'only Unity knows what an importer makes of a file',
        covers: ({answers: [a]}) => messageOf(a).includes('which object Unity makes of such a file is not known'),
    },
    {
        id: 'user-steps',
        tools: ['undo', 'redo'],
        headless: 'the history contains only the edits of the tools',
        live: "it is Unity's history, shared with the user: if the user's own step is next, ERR_UNDO_BLOCKED",
        why: "an agent must not undo the user's edits",
        covers: ({tool, answers: [, b]}) => ['undo', 'redo'].includes(tool) &&
            b.error?.details?.plugin_error_code === 'ERR_UNDO_BLOCKED',
    },
    {
        id: 'rect-transforms',
        tools: ['manage_component'],
        headless: 'a class that needs a RectTransform, on an object of a prefab instance: ERR_UNSUPPORTED_HEADLESS',
        live: 'ERR_INVALID_COMPONENT_TYPE, with the same message',
        why: 'a live editor is not headless',
        covers: ({answers: [a, b]}) => a.error?.details?.plugin_error_code === 'ERR_UNSUPPORTED_HEADLESS' &&
            b.error?.details?.plugin_error_code === 'ERR_INVALID_COMPONENT_TYPE' && messageOf(a) === messageOf(b),
    },
    {
        id: 'missing-scripts',
        tools: ['manage_component', 'get_component_info'],
        headless: 'one of several missing scripts of a GameObject can be removed; a reference to one names its ' +
            'GameObject',
        live: 'ERR_INVALID_PARAMS if there are several; a reference to one is "Missing (Component)"',
        why: 'Unity removes all missing scripts of a GameObject at once, and treats none of them as an object',
        covers: ({tool, args, path, answers: [, b]}) => (tool === 'manage_component' &&
            args.component_type === 'Missing Script' && b.error?.details?.plugin_error_code === 'ERR_INVALID_PARAMS') ||
            wayTo(b, path).some(value => (value?.value ?? value) === 'Missing (Component)'),
    },
    {
        id: 'scene-settings',
        tools: ['manage_component'],
        headless: '`references_cleared` counts every reference in the file, including the sun in the lighting settings',
        live: 'it counts only references of components',
        why: 'settings of a scene are not a component',
        covers: ({path}) => path === '.ok.references_cleared',
    },
    {
        id: 'constructors',
        tools: ['get_component_info'],
        headless: 'a field that is missing in the file and has a computed initialiser shows its type\'s default',
        live: 'it has the value that the constructor set',
        why: 'only Unity runs the code of a script',
        covers: place => place.tool === 'get_component_info' && place.path.startsWith('.ok.fields.') &&
            isNotInFile(place, place.path.split('.')[3].replace(/\[.*/, '')),
    },
    {
        id: 'sizes',
        tools: ['all'],
        headless: 'a result may have any size',
        live: 'a result above max_message_bytes (1 MiB, a setting) is ERR_RESPONSE_TOO_LARGE, which says what to ' +
            'request instead',
        why: 'it is sent over a socket',
        covers: ({answers: [, b]}) => b.error?.details?.plugin_error_code === 'ERR_RESPONSE_TOO_LARGE',
    },
    {
        id: 'models',
        tools: ['get_component_info'],
        headless: 'for a model (FBX and the like), the parts known from its .meta and the scenes, marked `_partial`',
        live: 'the whole model',
        why: 'only Unity\'s importer reads models',
        covers: ({answers: [a]}) => a.ok?._partial === true,
    },
];

/** The entry that explains this difference, or undefined. */
export const known = place => DIFFERENCES.find(entry => entry.covers(place));

const PAGE = path.join(import.meta.dirname, 'differences.md');

/** The section for docs/tools.md. */
export function markdown() {
    const rows = DIFFERENCES.map(({tools, headless, live, why}) =>
        `| ${tools.join(', ')} | ${headless} | ${live} | ${why} |`);
    return `## The two editors

The headless editor (a project without Unity) and a live Unity Editor with the package give the same
answers to the same calls: \`tests/editors\` compares them, call by call. The unavoidable differences:

| tool | headless | live | because |
|---|---|---|---|
${rows.join('\n')}
`;
}

export const isWritten = () => readFileSync(PAGE, 'utf8') === markdown();

if (process.argv[1] === import.meta.filename && process.argv[2] === '--write')
    writeFileSync(PAGE, markdown());
