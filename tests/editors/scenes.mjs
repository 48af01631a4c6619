// The scenes of the project: lists of them, opening one over unsaved changes, saving, and the saved
// files.
import {objectsOf} from './world.mjs';
import {edit} from './editing.mjs';
import {info, tree} from './reading.mjs';

const list = (args = {}) => ['list_scenes', args];
const open = (path, more = {}) => ['open_scene', {path, ...more}];
const save = ['save_scene', {}];

export async function lists(pair, world) {
    const [one] = world.scenes, name = one.split('/').at(-1).replace('.unity', '');
    await pair.all([
        list(), list({max_results: 1}), list({max_results: 2, offset: 1}), list({offset: 1000}),
        list({offset: world.scenes.length - 1}),
        ...[name, name.toLowerCase(), `^${name}$`, `${name}|x`, 'Scenes/', '^Assets/', '\\.unity$',
            'no such scene', '', '.', '[A-M]', '(?i)MENU',
            '\\d', '(open', '[', '*', 'a{2,1}', '\\', '(?<n>a)\\k<n>'].map(name_pattern =>
                list({name_pattern})),
    ]);
}

/** Open scenes, with valid and invalid paths, with and without unsaved changes. */
export async function opening(pair, world, {random}) {
    const [first, second = first] = world.scenes;
    const wrong = ['', 'Nowhere', 'Assets/Nowhere.unity', first.toUpperCase(), first.slice(1),
        `/${first}`, `./${first}`, `${first}/`,
        first.replaceAll('/', '\\'), first.replace('.unity', ''), '../outside.unity',
        `Assets/../${first}`, 'Assets', first.replace('Assets/', ''),
        ...world.assets.map(({path}) => path).filter(path => !path.endsWith('.unity')).slice(0, 3)];
    await pair.all([open(first), tree(), open(second), tree(), open(second), save, list(),
        open(first), ['undo', {}], ['redo', {}],
        ...wrong.flatMap(path => [open(path), tree({max_depth: 0}), open(first, {discard_changes: true})])]);
    const {path} = random.pick(objectsOf((await pair.one(...tree())).ok));
    const change = x => edit('update', path, {index: 0, fields: {localPosition: {x}}}),
        look = info(path, 0, {fields: ['localPosition']});
    await pair.all([
        change(7.5), open(second), look, open(second, {discard_changes: true}), open(first), look,
        ['undo', {}],
        change(8.5), open(first), look, open(first, {discard_changes: true}), look, ['undo', {}],
        ['redo', {}],
        change(9.5), ['undo', {}], open(second), open(first, {discard_changes: true}), look,
        change(10.5), open('Assets/Nowhere.unity'),
        open('Assets/Nowhere.unity', {discard_changes: true}), look, ['undo', {}],
        open(first, {discard_changes: true}),
    ]);
}

/** Save, save without changes, save again. Afterwards the two files are compared as another editor
 * reads them. */
export async function saving(pair, world, {random, budget}) {
    for (const scene of world.scenes) {
        pair.scene = scene;
        const [, {ok}] = await pair.all([open(scene, {discard_changes: true}), tree()]);
        const objects = objectsOf(ok), calls = [save];
        for (let i = 0; i < budget.saves; i++) {
            const {path, components} = random.pick(objects);
            calls.push(edit('update', path, {index: 0, fields: {localPosition: {x: random.below(99) / 4}}}),
                edit('add', path,
                    {component_type: random.pick(['BoxCollider', 'AudioSource', 'Light', 'Camera'])}),
                edit('remove', path, {index: 1 + random.below(components.length)}), tree({root_path: path}),
                ...(random.chance(0.3) ? [save, save, ['undo', {}], save] : []));
        }
        await pair.all([...calls, save, save, tree(), open(scene), tree(), ['undo', {}]]);
        if (!pair.isApart)
            world.saved.push(scene);
    }
}
