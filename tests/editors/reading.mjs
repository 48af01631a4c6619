// Everything that can be read of a scene: truncated trees, alternative paths, fields, arrays.

export const tree = (args = {}) => ['get_scene_hierarchy', args];
export const info = (game_object_path, index, more = {}) => ['get_component_info',
    {game_object_path, index, ...more}];

/** Other spellings of a path, and paths that do not exist. */
export function pathsLike({path, name}, random) {
    const tail = path.split('/').slice(2).join('/'), half = path.slice(0, 1 + random.below(path.length));
    return [path, path.slice(1), name, tail || '/', `${path}/`, `${path}//`, `/${path}`,
        `${path}[0]`, `${path}[1]`, `${path}[01]`,
        `${path}[-1]`, `${path}[99999999999]`, `${path}/No such child`, path.toLowerCase(),
        ` ${path}`, `${path} `, half,
        path.replaceAll('/', '\\'), path.replaceAll('/', '\\/'), `${path}\\`, `/${name}`,
        `${path}/..`, `${path}x`,
        path.slice(0, -1) || '/', `${name}/${name}`];
}

export async function hierarchies(pair, world, {random, budget}) {
    const calls = [tree(), tree({max_depth: 0}), tree({max_depth: 1}), tree({max_depth: 2}),
        tree({max_depth: 50, max_game_objects: 10000})];
    const total = world.objects.length;
    for (const most of [1, 2, 3, total >> 1, total - 1, total, total + 1])
        if (most >= 1 && most <= 10000)
            calls.push(tree({max_game_objects: most}), tree({max_game_objects: most, max_depth: 1}));
    for (const object of world.pick(budget.paths, random))
        calls.push(tree({root_path: object.path}), tree({root_path: object.path, max_depth: 0}),
            tree({root_path: object.path, max_game_objects: 2, max_depth: random.below(3)}),
            ...pathsLike(object, random).map(root_path => tree({root_path, max_depth: 0})));
    for (const root_path of ['', '/', '//', '.', '..', '\\', '[0]', '/[0]', '[1]'])
        calls.push(tree({root_path, max_depth: 0}));
    await pair.all(calls);
}

/** Every component of every object: all of it, some fields, some elements. */
export async function components(pair, world, {random, budget}) {
    const calls = [];
    for (const {path, components} of world.objects)
        for (let index = 0; index <= components.length; index++)
            calls.push(info(path, index));
    const answers = await pair.all(calls);
    const more = [];
    answers.forEach(({ok}, i) => {
        const names = Object.keys(ok?.fields ?? {}), [, {game_object_path: path, index}] = calls[i];
        if (!names.length || !random.chance(budget.infos))
            return;
        const [one, other] = [random.pick(names), random.pick(names)];
        const raw = `m_${one[0].toUpperCase()}${one.slice(1)}`;
        more.push(
            info(path, index, {max_array_elements: 0}), info(path, index, {max_array_elements: 1}),
            info(path, index, {max_array_elements: 64}), info(path, index, {fields: []}),
            info(path, index, {fields: [one]}), info(path, index, {fields: [other, one, one, 'nothing']}),
            info(path, index, {fields: [raw, one.toUpperCase(), '']}),
            info(path, index, {fields: [`${one}.x`, `${other}.Array.size`]}),
            info(path, index, {fields: ['m_Script', 'm_Name', 'm_GameObject', 'm_ObjectHideFlags',
                'm_Enabled']}));
    });
    for (const object of world.pick(budget.paths, random))
        more.push(...pathsLike(object, random).map(path => info(path, 0, {fields: []})));
    await pair.all(more);
}
