// Changes: fields, components that are added, removed and moved, undo and redo.
//
// Each group of calls restores the scene. After a difference the scene is reopened, so that one
// difference is reported only once.
import {differences} from './answers.mjs';
import {info, tree} from './reading.mjs';
import {references, spellings, valuesFor} from './values.mjs';

export const edit = (action, game_object_path, more) => ['manage_component',
    {action, game_object_path, ...more}];
const undo = (steps = 1) => ['undo', {steps}], redo = (steps = 1) => ['redo', {steps}];
const shape = path => tree({root_path: path, max_depth: 0});

/** Run a group; if the editors differ, or the first one does not return to its old state, reopen
 * the scene. */
async function group(pair, world, probe, run) {
    const before = pair.differing;
    const [was] = await pair.all([probe]);
    await run();
    const [, now] = await pair.all([undo(50), probe]);
    if (!pair.isApart && differences(was, now).length)
        pair.note({phase: pair.phase, scene: pair.scene, tool: probe[0], args: probe[1], answers: [was, now]},
            differences(was,
                now).map(one => ({...one, path: `${one.path} (after undo, both of the first editor)`})));
    if (pair.isApart || pair.differing !== before)
        await world.reopen(pair);
}

// ---- fields

/** Update, undo and redo. */
const around = (path, index, fields, shown = Object.keys(fields)) => {
    const look = info(path, index, {fields: shown});
    return [edit('update', path, {index, fields}), look, undo(), look, redo(), look, undo()];
};

/** The components to change: the first ones of each type thoroughly, others occasionally. */
function* subjects(world, {random, budget}) {
    const seen = new Map();
    for (const {path, components, isInstance} of world.objects)
        for (const [index, type] of components.entries()) {
            const key = `${type}${isInstance}`, times = seen.get(key) ?? 0;
            seen.set(key, times + 1);
            if (type !== null && (times < budget.alike || random.chance(budget.others)))
                yield {path, index, type};
        }
}

const sample = (list, n, random) => {
    const rest = [...list], taken = [];
    while (rest.length && taken.length < n)
        taken.push(...rest.splice(random.below(rest.length), 1));
    return taken;
};

export async function fields(pair, world, options) {
    const {random, budget} = options;
    for (const {path, index} of [...subjects(world, options)]) {
        const probe = info(path, index, {max_array_elements: 64});
        await group(pair, world, probe, async () => {
            const shown = (await pair.one(...probe)).ok?.fields ?? {};
            const calls = [], names = sample(Object.keys(shown), budget.fields, random);
            for (const name of names) {
                const {right, wrong} = valuesFor(shown[name], world, random);
                for (const value of sample(right, budget.values, random))
                    calls.push(...around(path, index, {[name]: value}));
                for (const value of sample(wrong, budget.values, random))
                    calls.push(edit('update', path, {index, fields: {[name]: value}}),
                        info(path, index, {fields: [name]}), undo(50));
                for (const spelling of spellings(name, shown[name], random))
                    calls.push(...around(path, index,
                        {[spelling]: random.pick([...right, 1, true])}, [name, spelling]));
            }
            calls.push(...manyFields(path, index, names, shown, world, random));
            await pair.all(calls);
        });
    }
}

/** Several at once: all of them or none. */
function manyFields(path, index, names, shown, world, random) {
    const one = name => random.pick(valuesFor(shown[name], world, random).right);
    const all = Object.fromEntries(names.map(name => [name, one(name)]).filter(([, value]) =>
        value !== undefined));
    const same = Object.fromEntries(names.filter(name =>
        typeof shown[name] !== 'object').map(name => [name, shown[name]]));
    const [some] = names;
    return [
        ...around(path, index, all), ...around(path, index, same),
        ...around(path, index, {...all, nothing: 1, m_Script: null}),
        ...(some ? around(path, index,
            {[some]: one(some) ?? 1, noSuchField: {$ref: '/No such object'}}) : []),
        ...around(path, index, {}),
    ];
}

// ---- components

export async function additions(pair, world, {random, budget}) {
    const hosts = world.pick(3, random, object => object.components.length < 9);
    const plain = world.objects.filter(object => object.components[0] === 'UnityEngine.Transform' &&
        !object.isInstance);
    for (const type of sample(world.types, budget.types, random)) {
        const {path, components} = random.chance(0.5) && plain.length ? random.pick(plain)
            : random.pick(hosts);
        const count = components.length, simple = type.split('.').at(-1);
        await group(pair, world, shape(path), async () => {
            const [{ok}] = await pair.all([edit('add', path, {component_type: type}), shape(path)]);
            if (ok)
                await pair.all([info(path, ok.index), undo(), shape(path), redo(),
                    info(path, ok.index), shape(path),
                    edit('remove', path, {index: ok.index}), shape(path), undo(), shape(path),
                    undo(50), shape(path)]);
            await pair.all([
                edit('add', path, {component_type: simple}), shape(path),
                edit('add', path, {component_type: type, index: 1 + random.below(count + 1)}),
                shape(path), undo(50),
                edit('add', path, {component_type: simple, fields: {m_Enabled: false, nothing: 1}}),
                info(path, count), undo(50),
                edit('add', path, {component_type: type}),
                edit('add', path, {component_type: type}), shape(path), undo(50), shape(path),
            ]);
        });
    }
    await wrongTypes(pair, random.pick(hosts).path);
}

async function wrongTypes(pair, path) {
    const names = ['', ' ', '.', 'NoSuchComponent', 'UnityEngine.', 'UnityEngine.NoSuchComponent',
        'rigidbody', 'System.String', 'Object',
        'GameObject', 'UnityEngine.Object', 'Component', 'Behaviour', 'MonoBehaviour', 'Material',
        'ScriptableObject', 'int', 'Rigidbody ',
        'Rigidbody[]', 'List<int>', 'UnityEngine.Rigidbody, UnityEngine', 'UnityEditor.Editor',
        'Missing Script', 'Enum', 'a+b', '\u2603'];
    await pair.all(names.flatMap(component_type => [edit('add', path, {component_type}), undo(50)]));
    await pair.all([edit('add', path, {component_type: 'BoxCollider', index: 0}),
        edit('add', path, {component_type: 'BoxCollider', index: 99}),
        edit('add', path, {component_type: 'BoxCollider', fields: {size: 'large'}}),
        edit('add', path, {component_type: 'BoxCollider', fields: {size: {x: 2}, nothing: 1}}),
        shape(path), undo(50), shape(path)]);
}

export async function removals(pair, world, {random, budget}) {
    for (const {path, components} of world.pick(budget.removals, random)) {
        const last = components.length - 1;
        await group(pair, world, shape(path), async () => {
            const calls = [];
            for (let index = 0; index <= components.length; index++)
                calls.push(edit('remove', path, {index}), shape(path),
                    info(path, Math.min(index, last)), tree(), undo(),
                    info(path, Math.min(index, last)), redo(), shape(path), undo(50), shape(path));
            calls.push(edit('remove', path, {index: last, component_type: 'Missing Script'}), undo(50),
                edit('remove', path, {index: last, component_type: components[last] ?? 'x'}), undo(50));
            const gone = components.indexOf(null);
            if (gone > 0)
                calls.push(edit('remove', path, {index: gone, component_type: 'Missing Script'}),
                    shape(path), undo(), shape(path),
                    redo(), shape(path), undo(50), shape(path));
            await pair.all(calls);
        });
    }
}

export async function moves(pair, world, {random, budget}) {
    for (const {path, components} of world.pick(budget.moves, random, object => object.components.length > 1))
        await group(pair, world, shape(path), async () => {
            const calls = [], count = components.length;
            for (let index = 0; index <= count; index++)
                for (let new_index = 0; new_index <= count; new_index++)
                    if (count < 5 || random.chance(0.4))
                        calls.push(edit('move', path, {index, new_index}), shape(path), undo(),
                            redo(), shape(path), undo(50));
            await pair.all([...calls, shape(path)]);
        });
}

/** References of all forms to a field that accepts them, and to one that does not. */
export async function links(pair, world, options) {
    const {random, budget} = options;
    for (const {path, index} of sample([...subjects(world, options)], budget.links, random))
        await group(pair, world, info(path, index), async () => {
            const {ok} = await pair.one(...info(path, index));
            const names = Object.entries(ok?.fields ?? {})
                .filter(([, shown]) => shown === null || shown?.is_object_ref ||
                    shown?.is_asset_ref).map(([name]) => name);
            if (names.length)
                await pair.all([...references(world, random), null,
                    {$ref: path, component: 'Transform'}, {$ref: path}].flatMap(value =>
                    around(path, index, {[random.pick(names)]: value})));
        });
}

// ---- the history

/** Random changes, undo and redo, in any order; a change clears the redo list. */
export async function walks(pair, world, {random, budget}) {
    for (let i = 0; i < budget.walks; i++) {
        const objects = world.pick(3, random), look = objects.map(({path}) => shape(path));
        await group(pair, world, tree(), async () => {
            const calls = [];
            for (let step = 0; step < budget.steps; step++) {
                const {path, components} = random.pick(objects);
                calls.push(random.pick([
                    () => edit('add', path,
                        {component_type: random.pick(['BoxCollider', 'AudioSource', 'Light',
                            'Rigidbody', 'Camera'])}),
                    () => edit('remove', path, {index: random.below(components.length + 2)}),
                    () => edit('move', path, {index: 1 + random.below(components.length),
                        new_index: 1 + random.below(components.length)}),
                    () => edit('update', path, {index: 0, fields: {localPosition: {x: random.below(5)}}}),
                    () => edit('update', path, {index: random.below(components.length),
                        fields: {m_Enabled: random.chance(0.5)}}),
                    () => undo(1 + random.below(3)), () => redo(1 + random.below(3)), () => undo(),
                    () => redo(),
                ])(), ...look, info(path, 0, {fields: ['localPosition']}));
            }
            await pair.all([...calls, undo(50), ...look, redo(50), ...look, undo(50), ...look]);
        });
    }
}
