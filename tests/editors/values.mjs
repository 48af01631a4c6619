// Values for a field, derived from how it is shown: valid ones of its kind, edge cases, and invalid
// ones of all kinds.
//
//     const shown = {type: 'UnityEngine.Vector3', value: {x: 1, y: 2, z: 3}};
//     const {right, wrong} = valuesFor(shown, world, random);
//
// `world` knows what a reference may point to: objects, components, assets. No field is known by
// its name here.

/** A number as it is written; without JSON.rawJSON (Node before 21) as a double. */
const raw = text => JSON.rawJSON ? JSON.rawJSON(text) : Number(text);

const NUMBERS = ['0', '1', '-1', '2', '7', '0.5', '-2.25', '100', '127', '128', '-128', '-129',
    '255', '256', '32767', '32768',
    '-32768', '-32769', '65535', '65536', '2147483647', '2147483648', '-2147483648', '-2147483649',
    '4294967295',
    '4294967296', '9007199254740993', '9223372036854775807', '9223372036854775808', '-9223372036854775808',
    '18446744073709551615', '18446744073709551616', '1e10', '1e-7', '1e-45', '0.1', '0.30000001',
    '16777217', '3.4028235e38',
    '3.5e38', '1e308', '5.0', '-0.0', '1.0000001', '123456.789', '1e5', '12345678901234567890'];
const WORDS = ['NaN', 'Infinity', '-Infinity', '5', 'true'];
const TEXTS = ['', 'plain', ' blanks ', 'a: b', "it's \"quoted\"", 'two\nlines\n',
    'tab\tand \u0001', 'Zo\u00eb \u2603 \u{1f600}',
    '# no comment', '- no list', '{no: map}', '[x]', '~', 'null', 'true', '0x10', '1e5', '---', '%',
    '\\n', 'word '.repeat(50), '/Player',
    'C:\\folder\\', '\u2028line', '\ufeff', 'e\u0301'];

/** Invalid for most fields, each in its own way. */
const ANYTHING = [null, true, false, 0, 1.5, -1, '', 'text', [], [null], [1, 'two'], {}, {x: 1},
    {x: 'a'}, {x: null}, {q: 1}, {r: 2},
    {value: 1}, {keys: []}, {keys: 'none'}, {colorKeys: []}, {$ref: 5}, {$ref: ''},
    {$ref: '/No such object'}, {$asset: 5},
    {$asset: ''}, {$asset: 'Assets/No such asset.mat'},
    {$asset: 'guid:00112233445566778899aabbccddeeff'}, {$asset: 'guid:xyz'},
    {$ref: '/No such object', component: 'Transform'}, {$ref: '/x', $asset: 'y'},
    {component: 'Transform'}, [[1]], {size: {x: 1}},
    {center: 5}, {$ref: '/x', more: 1}, {name: 'Cube'}, {$element: 0}, [{$element: 0}], {x: {$element: 0}}];

const isObject = value => value !== null && typeof value === 'object' && !Array.isArray(value);
const some = (list, n, random) => Array.from({length: n}, () => random.pick(list));

// ---- references

/** References to existing objects by all forms of a path, components, assets. The editors decide
 * which fit. */
export function references(world, random) {
    const [one, other] = some(world.objects, 2, random), part = random.pick(one.components) ??
        'UnityEngine.Transform';
    const simple = part.split('.').at(-1), list = [
        {$ref: one.path}, {$ref: other.path}, {$ref: one.path.replace(/^\//, '')}, {$ref: one.name},
        {$ref: one.path, component: part}, {$ref: one.path, component: simple},
        {$ref: other.path, component: part}, {$ref: one.path, component: 'NoSuchComponent'},
        {$ref: one.path, component: ''},
        {$ref: one.path, component: 5}, {$ref: `${one.path}/`}, {$ref: `${one.path}[0]`},
        {$ref: `${one.path}[1]`},
        {$ref: other.path, component: 'Transform'}, {$ref: other.path, component: 'UnityEngine.Component'},
    ];
    if (world.assets.length) {
        const {path, guid} = random.pick(world.assets), again = random.pick(world.assets);
        list.push({$asset: path}, {$asset: `guid:${guid}`}, {$asset: again.path},
            {$asset: again.path.toLowerCase()},
            {$asset: again.path, name: 'Nobody'}, {$asset: path, component: 'Transform'},
            {$asset: `guid:${guid.toUpperCase()}`},
            {$asset: path.slice(1)}, {$asset: `./${path}`}, {$asset: path.replaceAll('/', '\\')});
    }
    list.push({$asset: 'Library/unity default resources', name: random.pick(['Cube', 'Sphere', 'Nothing'])},
        {$asset: 'Resources/unity_builtin_extra',
            name: random.pick(['Default-Material', 'Knob', 'Nothing'])});
    return list;
}

// ---- values of one kind

const numbers = random => [...some(NUMBERS, 6, random).map(raw), random.below(2000) - 1000,
    random.below(1e6) / 64];

function partsOf(value, random) {
    const names = Object.keys(value), number = () => raw(random.pick(NUMBERS.slice(0, 16)));
    const small = () => random.below(64) / 8;
    return {
        right: [
            Object.fromEntries(names.map(name => [name, small()])),
            Object.fromEntries(names.map(name => [name, random.below(9)])),
            {[random.pick(names)]: small()},
            Object.fromEntries(names.toReversed().map(name => [name, random.below(2)])),
            {},
        ],
        wrong: [
            {[random.pick(names)]: number(), nothing: 1},
            {[random.pick(names)]: random.pick(['a', null, true, [], {}, 'NaN'])},
            names.map(() => 1), {[names[0].toUpperCase()]: 1},
        ],
    };
}

const point = (random, names = ['x', 'y', 'z']) =>
    Object.fromEntries(names.map(name => [name, random.below(40) / 4]));

function boxOf(value, random) {
    const [first] = Object.keys(value); // center or position, then size
    return {
        right: [{[first]: point(random), size: point(random)}, {size: point(random)},
            {[first]: {y: 3}}, {size: {x: 1}},
            {[first]: {x: 1, y: 2, z: 3}, size: {x: 4, y: 5, z: 6}}, {}],
        wrong: [{size: 5}, {[first]: {w: 1}}, {[first]: {x: 'a'}}, {extents: point(random)},
            {min: point(random), max: point(random)},
            {size: {x: -1}}, {size: null}],
    };
}

function curve(random) {
    const key = time => ({time, value: random.below(9), inTangent: random.below(3),
        outTangent: random.below(3)});
    return {
        right: [{keys: [key(0), key(1)]}, {keys: [key(2), key(0.5), key(1)]}, {keys: []},
            {keys: [{time: 1, value: 2}]},
            {keys: [key(0)], preWrapMode: 'Loop', postWrapMode: 'PingPong'}, {keys: [key(0), key(0)]},
            {keys: [{...key(0), inWeight: 0.5, outWeight: 0.25, weightedMode: 'Both'}]},
            {keys: [key(0)], preWrapMode: 8}],
        wrong: [{keys: [{time: 'a'}]}, {keys: [5]}, {keys: [key(0)], preWrapMode: 'Never'},
            {preWrapMode: 'Loop'}, {},
            {keys: [{value: 1}]}, {keys: [{...key(0), weightedMode: 'Some'}]},
            {keys: [key(0)], more: 1}, {keys: [{...key(0), q: 1}]},
            {keys: [{...key(0), weightedMode: 3}]}, {keys: null}, {keys: [key(raw('1e39'))]}],
    };
}

function gradient(random) {
    const color = time => ({color: {r: random.below(4) / 4, g: 1, b: 0, a: 1}, time}),
        alpha = time => ({alpha: 0.5, time});
    const two = {colorKeys: [color(0), color(1)], alphaKeys: [alpha(0), alpha(1)]};
    return {
        right: [two, {...two, mode: 'Fixed'}, {...two, mode: 'Blend'},
            {colorKeys: [color(0.75), color(0.25)], alphaKeys: [alpha(0)]},
            {...two, alphaKeys: Array.from({length: 8}, (_, i) => alpha(i / 8))}, {...two, mode: 1}],
        wrong: [{...two, mode: 'Blurred'}, {colorKeys: two.colorKeys}, {alphaKeys: two.alphaKeys},
            {colorKeys: [], alphaKeys: []}, {},
            {...two, alphaKeys: Array.from({length: 9}, (_, i) => alpha(i / 9))},
            {...two, colorKeys: [{time: 0}]},
            {...two, colorKeys: [{color: 5, time: 0}]}, {...two, colorKeys: [color(2)]},
            {...two, colorKeys: [color(-1)]},
            {...two, more: 1}, {...two, alphaKeys: [{alpha: 'a', time: 0}]},
            {...two, colorKeys: [{color: {r: 1}, time: 0}]}],
    };
}

/** An enum shows a name, or a number without one. */
function named(value, random) {
    const name = String(value);
    return {
        right: [value, random.below(4), random.below(9), 1, 0, name.split(', ')[0]],
        wrong: [name.toLowerCase(), `${name}x`, `${name} | ${name}`, `${name}, ${name}`, '', ' ',
            -1, 1.5, raw('4294967296'), '1', [name],
            {value: name}, raw('2147483648'), raw('1.0')],
    };
}

/** Existing elements, by their places: each once, some of them, some twice, with members set, and
 * new ones between. */
function rearranged(items, any, random) {
    const kept = items.map((_, i) => ({$element: i})), last = items.length - 1;
    const one = () => random.pick(kept), given = any();
    return {
        right: items.length ? [
            kept, kept.toReversed(), kept.slice(1), kept.slice(0, -1), [...kept, any()], [any(), ...kept],
            [one(), any(), one(), one()], [one(), one()],
            [...kept.slice(0, -1), isObject(given) ? {...given, $element: last} : kept[last]],
        ] : [],
        wrong: [[{$element: items.length}], [...kept, {$element: -1}], [{$element: 'x'}], {$element: 0},
            [{$element: 0, nothing: 1}], [{$element: 0, $ref: '/x'}], [[{$element: 0}]]],
    };
}

function listOf(items, world, random) {
    const first = items.length ? valuesFor(isObject(items[0]) ? items[0] : {value: items[0]}, world, random)
        : valuesFor(null, world, random);
    const {right, wrong} = typeof items[0] === 'object' || !items.length ? first
        : valuesFor(items[0], world, random);
    const any = () => random.pick(right), moved = rearranged(items, any, random);
    return {
        right: [[], [any()], [any(), any(), any()], Array.from({length: 5}, any), [any(), any()], ...moved.right],
        wrong: [...moved.wrong, [random.pick(wrong)], [any(), random.pick(wrong)], {size: 1}, {0: 1}, 'list', [[]],
            [random.pick(ANYTHING)],
            [null], [{}]],
    };
}

function structOf(value, world, random) {
    const names = Object.keys(value);
    if (!names.length)
        return {right: [{}], wrong: [{nothing: 1}]};
    const [one, other] = some(names, 2, random);
    const of = name => valuesFor(value[name], world, random), [first, second] = [of(one), of(other)];
    return {
        right: [...first.right.slice(0, 3).map(v => ({[one]: v})),
            ...second.right.slice(0, 2).map(v => ({[other]: v})),
            {[one]: random.pick(first.right), nothing: 1}, {[one]: random.pick(first.right),
                [other]: random.pick(second.right)}, {}],
        wrong: [...first.wrong.slice(0, 3).map(v => ({[one]: v})), {nothing: 1},
            {[one]: random.pick(ANYTHING)},
            {[one]: random.pick(first.right), [other]: random.pick(second.wrong)}],
    };
}

function wrapped({type = '', value}, world, random) {
    const name = type.replace('UnityEngine.', '');
    if (type === 'UnityEngine.AnimationCurve')
        return curve(random);
    if (type === 'UnityEngine.Gradient')
        return gradient(random);
    if (Array.isArray(value) || /\[\]$|List<.*>$/.test(type))
        return listOf(Array.isArray(value) ? value : [], world, random);
    if (typeof value === 'string' || typeof value === 'number')
        return name === 'LayerMask' ? {right: numbers(random), wrong: ['Default', 1.5, -1]}
            : named(value, random);
    if (!isObject(value))
        return {right: [{}], wrong: []};
    const values = Object.values(value);
    if (values.length && values.every(v => typeof v === 'number'))
        return partsOf(value, random);
    if (/^Bounds(Int)?$/.test(name))
        return boxOf(value, random);
    return structOf(value, world, random);
}

/** {right, wrong}: neither is certain; `right` ones look like what is shown. */
export function valuesFor(shown, world, random) {
    const made = (() => {
        if (typeof shown === 'boolean')
            return {right: [true, false, !shown], wrong: [0, 1, 'true', null]};
        if (typeof shown === 'number' || shown === 'NaN' || /Infinity$/.test(shown))
            return {right: numbers(random), wrong: [...WORDS, null, true, [], {}]};
        if (typeof shown === 'string')
            return {right: some(TEXTS, 5, random), wrong: [5, null, true, {}, ['text']]};
        if (shown === null || shown?.is_object_ref || shown?.is_asset_ref)
            return {right: [null, ...references(world, random)], wrong: ['Enemy', 5, 0, true, [], {}]};
        return isObject(shown) ? wrapped(shown, world, random) : {right: [], wrong: []};
    })();
    return {right: made.right, wrong: [...made.wrong, ...some(ANYTHING, 4, random)]};
}

/** Other spellings of a field's name, and unknown names. */
export function spellings(name, shown, random) {
    const upper = `m_${name[0].toUpperCase()}${name.slice(1)}`;
    const list = [name, upper, name.toUpperCase(), name.toLowerCase(), ` ${name}`, `${name}.x`,
        `${name}.nothing`, `${name}.`, `.${name}`,
        `${name}.Array.size`, `${name}.Array.data[0]`, `${name}[0]`, 'm_Script',
        'm_ObjectHideFlags', 'm_GameObject', 'm_Name', '', 'nothing'];
    if (isObject(shown) && isObject(shown.value))
        list.push(...Object.keys(shown.value).map(part => `${name}.${part}`));
    return [random.pick(list), random.pick(list)];
}
