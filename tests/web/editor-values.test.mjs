// Values of fields: loaded, in inputs, and as arguments of manage_component.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import {parseExact, stringifyExact} from '../../web/src/lib/exact.ts';
import {fromHex, intensity, toHex} from '../../web/src/windows/editor/colour.ts';
import {curveLine, keysOf} from '../../web/src/windows/editor/curve.ts';
import {
    countOf,
    elementsOf,
    fieldsOf,
    isCut,
    isElement,
    labelText,
    limitsOf,
    membersOf,
    partOf,
    PARTS,
    pathText,
    shortType,
    summarize,
    readOnlyReason,
    withPart,
} from '../../web/src/windows/editor/fields.ts';
import {
    fieldsFor,
    initialOf,
    listMoved,
    listWith,
    listWithout,
    withLineEnds,
} from '../../web/src/windows/editor/component_edit.ts';
import {
    dragValue,
    numberText,
    parseNumber,
    sameNumber,
    roundSlider,
    stepValue,
} from '../../web/src/windows/editor/number.ts';
import {
    isSet,
    numberOf,
    toNumeric,
    unnamedBits,
    withFlag,
} from '../../web/src/windows/editor/options.ts';
import {escapePattern} from '../../web/src/windows/editor/pattern.ts';
import {fromAngles, toAngles} from '../../web/src/windows/editor/rotation.ts';

const INT = {integer: true, min: -128, max: 127},
    FLOAT = {integer: false};

test('64-bit integers and -0 survive parsing and formatting', () => {
    for (const text of [
        '18000000000000000000',
        '-9223372036854775808',
        '-0',
        '0.1',
        '[1,2.5,-0]',
        '{"a":18446744073709551615,"b":"x"}',
    ])
        assert.equal(stringifyExact(parseExact(text)), text);
    assert.equal(stringifyExact({a: undefined, b: [undefined, null]}), '{"b":[null,null]}');
    assert.equal(stringifyExact('"\u2028'), JSON.stringify('"\u2028'));
    assert.equal(parseExact('12'), 12);
});

test('common spellings of numbers are accepted', () => {
    for (const [text, value] of [
        ['5', 5],
        [' -1.5 ', -1.5],
        ['1,5', 1.5],
        ['.5', 0.5],
        ['5.', 5],
        ['1e-3', 0.001],
        ['+2', 2],
        ['−3', -3],
        ['nan', 'NaN'],
        ['Infinity', 'Infinity'],
        ['-inf', '-Infinity'],
    ])
        assert.deepEqual(parseNumber(text, FLOAT), {value}, text);
    for (const text of ['', 'x', '1.2.3', '1,000,000', '0x10', '1e999', '--1', '1 2'])
        assert.ok('error' in parseNumber(text, FLOAT), text);
});

test('integers must be whole and within their limits', () => {
    assert.deepEqual(parseNumber('127', INT), {value: 127});
    assert.deepEqual(parseNumber('5.0', INT), {value: 5});
    for (const text of ['128', '-129', '1.5', '', 'NaN'])
        assert.ok('error' in parseNumber(text, INT), text);
    const wide = {integer: true, min: 0, max: 18446744073709551615n};
    assert.deepEqual(parseNumber('18000000000000000000', wide), {value: 18000000000000000000n});
    assert.ok('error' in parseNumber('18446744073709551616', wide));
    assert.equal(numberText(18000000000000000000n), '18000000000000000000');
});

test('a formatted number parses to the same number', () => {
    for (const n of [
        0,
        -0,
        0.1,
        1e-10,
        1e21,
        -123456.789,
        3.4028234663852886e38,
        'NaN',
        '-Infinity',
    ])
        assert.ok(Object.is(parseNumber(numberText(n), FLOAT).value, n), String(n));
});

test('only a different number or -0 is a change', () => {
    assert.ok(sameNumber(5, 5));
    assert.ok(sameNumber(5, 5n));
    assert.ok(sameNumber('NaN', 'NaN'));
    assert.ok(!sameNumber(0, -0));
    assert.ok(!sameNumber(5, 5.5));
});

test('drags and steps stay within the limits and give round numbers', () => {
    assert.equal(dragValue(5, 40, INT), 15);
    assert.equal(dragValue(5, 4000, INT), 127);
    assert.equal(dragValue(5, -4000, INT), -128);
    assert.equal(dragValue(0, 10, FLOAT), 0.2);
    assert.equal(dragValue(0, 10, {integer: false, max: 0.1}), 0.1);
    assert.equal(dragValue('NaN', 10, FLOAT), 'NaN');
    assert.equal(dragValue(18000000000000000000n, 8, {integer: true}), 18000000000000000002n);
    assert.equal(stepValue(1.1, 1, FLOAT), 2.1);
    assert.equal(stepValue(0.1, 1, FLOAT, 0.1), 0.2);
    assert.equal(stepValue(127, 1, INT), 127);
    assert.equal(stepValue(9007199254740993n, -1, {integer: true}), 9007199254740992n);
    assert.equal(stepValue(5, -1, INT, 10), -5);
});

test('colours convert to hex and back and keep their intensity', () => {
    assert.equal(toHex({r: 1, g: 0.5, b: 0.25, a: 0}), '#ff8040');
    assert.deepEqual(fromHex('#ff8040', {r: 0, g: 0, b: 0, a: 0.25}), {
        r: 1,
        g: 0.5019608,
        b: 0.2509804,
    });
    assert.equal(intensity({r: 4, g: 2, b: 0, a: 1}), 4);
    assert.equal(toHex({r: 4, g: 2, b: 0, a: 1}), '#ff8000');
    assert.deepEqual(fromHex('#0000ff', {r: 4, g: 2, b: 0, a: 1}), {r: 0, g: 0, b: 4});
    assert.equal(fromHex('red', {r: 0, g: 0, b: 0, a: 1}), null);
    assert.equal(toHex({r: -1, g: NaN, b: 0, a: 1}), '#000000');
    for (let i = 0; i < 256; i++) {
        const hex = `#${i.toString(16).padStart(2, '0')}0000`;
        assert.equal(toHex(fromHex(hex, {r: 0, g: 0, b: 0, a: 1})), hex);
    }
});

test('rotations convert to angles and back', () => {
    assert.deepEqual(toAngles({x: 0, y: 0, z: 0, w: 1}), {x: 0, y: 0, z: 0});
    for (const [x, y, z] of [
        [30, 40, 50],
        [0, 90, 0],
        [-60, 170, 10],
        [0, 0, 180],
    ]) {
        const q = fromAngles({x, y, z});
        assert.ok(Math.abs(Math.hypot(q.x, q.y, q.z, q.w) - 1) < 1e-6);
        const a = toAngles(q);
        const again = fromAngles(a);
        const dot = Math.abs(q.x * again.x + q.y * again.y + q.z * again.z + q.w * again.w);
        assert.ok(Math.abs(dot - 1) < 1e-6, JSON.stringify([x, y, z, a]));
    }
    // Unity: Quaternion.Euler(0, 90, 0)
    assert.deepEqual(toAngles({x: 0, y: 0.7071068, z: 0, w: 0.7071068}), {x: 0, y: 90, z: 0});
    assert.equal(toAngles({x: 0.7071068, y: 0, z: 0, w: 0.7071068}).x, 90);
    assert.deepEqual(toAngles({x: 0, y: 0, z: 0, w: 0}), {x: 0, y: 0, z: 0});
    // Almost gimbal lock is not gimbal lock.
    const {x, y, z, w} = fromAngles({x: 89.95, y: 30, z: 0});
    const near = toAngles({
        x: Math.fround(x),
        y: Math.fround(y),
        z: Math.fround(z),
        w: Math.fround(w),
    });
    assert.ok(
        Math.abs(near.x - 89.95) < 0.001 && Math.abs(near.y - 30) < 0.1,
        JSON.stringify(near),
    );
});

test('a slider keeps all digits of a whole number', () => {
    assert.equal(roundSlider(16777215, true), 16777215);
    assert.equal(roundSlider(0.123456789, false), 0.123457);
});

const SIDES = [
    {name: 'None', value: 0},
    {name: 'Left', value: 1},
    {name: 'Right', value: 2},
    {name: 'Upright', value: 3},
    {name: 'Top', value: 4},
];

test('flags convert between names and bits', () => {
    assert.equal(numberOf(SIDES, 'Left, Top'), 5n);
    assert.equal(numberOf(SIDES, 'Upright'), 3n);
    assert.equal(numberOf(SIDES, 7), 7n);
    assert.equal(numberOf(SIDES, 'Left, Nowhere'), null);
    assert.ok(
        isSet(3n, SIDES[3]) &&
            isSet(3n, SIDES[1]) &&
            !isSet(3n, SIDES[4]) &&
            !isSet(3n, SIDES[0]) &&
            isSet(0n, SIDES[0]),
    );
    assert.equal(withFlag(1n, SIDES[4], true), 5n);
    assert.equal(withFlag(7n, SIDES[3], false), 4n);
    assert.equal(withFlag(7n, SIDES[0], true), 0n);
    // A negative number stays negative.
    assert.equal(withFlag(-1n, SIDES[1], false), -2n);
    assert.equal(withFlag(4294967295n, SIDES[1], false), 4294967294n);
    assert.equal(unnamedBits(13n, SIDES), 8n);
    assert.equal(toNumeric(5n), 5);
    assert.equal(toNumeric(18000000000000000000n), 18000000000000000000n);
});

const info = fields => ({
    game_object_path: '/Zoo',
    game_object_name: 'Zoo',
    index: 2,
    component_type: 'MyGame.FieldZoo',
    fields,
});
const LOOT = {
    kind: 'struct',
    type: 'MyGame.Loot',
    fields: {
        id: {kind: 'string', type: 'System.String'},
        amount: {kind: 'int', type: 'System.Int32', min: -5, max: 5, range: [0, null]},
    },
};
const loot = elements => ({
    kind: 'array',
    type: 'List<MyGame.Loot>',
    element: LOOT,
    value: elements,
    _total_count: elements.length,
});

test('members and elements have a path and the description of their list', () => {
    const [field] = fieldsOf(info({loot: loot([{value: {id: {value: 'a'}, amount: {value: 3}}}])}));
    assert.equal(field.kind, 'array');
    assert.equal(countOf(field), 1);
    const [element] = elementsOf(field);
    assert.ok(isElement(element));
    const [id, amount] = membersOf(element);
    assert.deepEqual(
        [id.kind, id.data.value, amount.kind, amount.data.value],
        ['string', 'a', 'int', 3],
    );
    assert.equal(pathText(amount.path), 'loot[0].amount');
    assert.deepEqual(limitsOf(amount.data), {integer: true, min: 0, max: 5});
});

test('elements of a list page keep their index', () => {
    const [field] = fieldsOf(
        info({
            n: {
                kind: 'array',
                type: 'int[]',
                element: {kind: 'int'},
                value: [{value: 7}],
                _offset: 64,
                _total_count: 65,
            },
        }),
    );
    const [element] = elementsOf(field);
    assert.equal(element.label, '64');
    assert.deepEqual(fieldsFor(element.path, 8).n.length, 65);
});

test('the kind of a field without description is guessed from its value', () => {
    const kinds = Object.fromEntries(
        fieldsOf(
            info({
                a: 1,
                b: true,
                c: 'x',
                d: null,
                e: {type: 'T', value: 'V'},
                f: {type: 'T', value: 'E', is_object_ref: true, ref_path: '/E'},
                g: {type: 'int[]', value: [1]},
            }),
        ).map(f => [f.label, f.kind]),
    );
    assert.deepEqual(kinds, {
        a: 'float',
        b: 'bool',
        c: 'string',
        d: 'unknown',
        e: 'unknown',
        f: 'object',
        g: 'array',
    });
});

test('an edit writes one struct member and refers to other list elements by index', () => {
    assert.deepEqual(fieldsFor([{member: 'mass'}], 5), {mass: 5});
    assert.deepEqual(fieldsFor([{member: 'best'}, {member: 'id'}], 'x'), {best: {id: 'x'}});
    assert.deepEqual(fieldsFor([{member: 'n'}, {element: 1, count: 3}], 9), {
        n: [{$element: 0}, 9, {$element: 2}],
    });
    assert.deepEqual(fieldsFor([{member: 'loot'}, {element: 0, count: 2}, {member: 'amount'}], 4), {
        loot: [{$element: 0, amount: 4}, {$element: 1}],
    });
    assert.deepEqual(
        fieldsFor(
            [
                {member: 'a'},
                {member: 'b'},
                {element: 0, count: 1},
                {member: 'c'},
                {element: 1, count: 2},
            ],
            null,
        ),
        {a: {b: [{$element: 0, c: [{$element: 0}, null]}]}},
    );
});

test('list elements are added, removed and moved by index', () => {
    const e = n => ({$element: n});
    assert.deepEqual(listWith(2, 'x'), [e(0), e(1), 'x']);
    assert.deepEqual(listWith(0, 'x'), ['x']);
    assert.deepEqual(listWithout(3, 1), [e(0), e(2)]);
    assert.deepEqual(listWithout(1, 0), []);
    assert.deepEqual(listMoved(4, 0, 2), [e(1), e(2), e(0), e(3)]);
    assert.deepEqual(listMoved(4, 3, 0), [e(3), e(0), e(1), e(2)]);
    assert.deepEqual(listMoved(2, 1, 1), [e(0), e(1)]);
});

test('a new element has the initial value of its kind', () => {
    const initial = Object.fromEntries(
        [
            'bool',
            'int',
            'float',
            'string',
            'vector2',
            'quaternion',
            'color',
            'object',
            'struct',
            'layer_mask',
        ].map(kind => [kind, initialOf({kind})]),
    );
    assert.deepEqual(initial, {
        bool: false,
        int: 0,
        float: 0,
        string: '',
        vector2: {x: 0, y: 0},
        quaternion: {x: 0, y: 0, z: 0, w: 1},
        color: {r: 1, g: 1, b: 1, a: 1},
        object: null,
        struct: {},
        layer_mask: 0,
    });
    assert.equal(initialOf({kind: 'enum', options: [{name: 'Small', value: 1}]}), 'Small');
    assert.equal(
        initialOf({kind: 'enum', is_flags: true, options: [{name: 'Small', value: 1}]}),
        0,
    );
});

test('a part is set alone unless the whole value is requested', () => {
    assert.equal(PARTS.bounds.length, 2);
    assert.equal(partOf({x: 1, y: 2}, '', 'y'), 2);
    assert.equal(partOf({center: {x: 1}}, 'center', 'x'), 1);
    assert.equal(partOf('...', '', 'x'), 0);
    assert.deepEqual(withPart({x: 1, y: 2}, '', 'y', 5, false), {y: 5});
    assert.deepEqual(withPart({x: 1, y: 2}, '', 'y', 5, true), {x: 1, y: 5});
    assert.deepEqual(withPart({center: {x: 1, y: 2}, size: {x: 3}}, 'center', 'y', 5, false), {
        center: {y: 5},
    });
    assert.deepEqual(withPart({center: {x: 1, y: 2}, size: {x: 3}}, 'center', 'y', 5, true), {
        center: {x: 1, y: 5},
        size: {x: 3},
    });
});

test('a read-only field has a reason', () => {
    const fieldOf = (kind, more = {}) => ({
        label: 'f',
        path: [{member: 'f'}],
        kind,
        data: {kind, value: 1, ...more},
    });
    assert.equal(readOnlyReason(fieldOf('int')), null);
    for (const f of [
        fieldOf('managed'),
        fieldOf('unknown'),
        fieldOf('int', {is_read_only: true}),
        fieldOf('curve', {_truncated: true}),
    ])
        assert.ok(readOnlyReason(f));
    assert.ok(isCut(fieldOf('struct', {value: '...', is_cut: true})));
    assert.ok(isCut(fieldOf('enum', {_options_truncated: true})));
    assert.ok(!isCut(fieldOf('string', {value: 'x'})));
});

test('names and types are displayed as in Unity', () => {
    for (const [name, text] of [
        ['m_Enabled', 'Enabled'],
        ['chaseSpeed', 'Chase Speed'],
        ['localEulerAnglesHint', 'Local Euler Angles Hint'],
        ['HTTPServer', 'HTTP Server'],
        ['_hidden', 'Hidden'],
        ['<Lives>k__BackingField', 'Lives'],
        ['x', 'X'],
        ['___', '___'],
        ['kind', 'Kind'],
        ['two_words', 'Two words'],
    ])
        assert.equal(labelText(name), text);
    for (const [type, text] of [
        ['UnityEngine.Rigidbody', 'Rigidbody'],
        ['System.Collections.Generic.List<MyGame.Loot>', 'List<Loot>'],
        ['MyGame.FieldZoo+Chest', 'Chest'],
        ['int', 'int'],
        ['A.B[]', 'B[]'],
    ])
        assert.equal(shortType(type), text);
    assert.equal(summarize({type: 'x', n: {value: 1.23456789}}), '{type: x, n: 1.2346}');
    assert.equal(summarize(null), 'none');
    assert.equal(
        summarize(Array.from({length: 20}, (_, i) => ({value: i}))),
        '[0, 1, 2, 3, 4, 5, 6, 7, …]',
    );
});

test('an edited text keeps its line ends', () => {
    assert.equal(withLineEnds('a\nb\nc', 'a\r\nb'), 'a\r\nb\r\nc');
    assert.equal(withLineEnds('a\nb', 'a\nb'), 'a\nb');
    assert.equal(withLineEnds('a\nb', 'a\r\nb\nc'), 'a\nb');
    assert.equal(withLineEnds('a\nb', 'a'), 'a\nb');
});

test('an escaped text matches itself', () => {
    for (const text of ['a.b', '(x', '[1]', 'a\\b', '#1 two', 'x|y*', '^$', '-{2}'])
        assert.ok(new RegExp(`^${escapePattern(text)}$`).test(text), text);
});

test('curves pass through their keys', () => {
    const line = curveLine(
        [
            {time: 0, value: 0, outTangent: 1},
            {time: 1, value: 1, inTangent: 1},
        ],
        100,
        30,
    );
    assert.match(line, /^0\.0,28\.0 .* 100\.0,2\.0$/);
    assert.equal(curveLine([], 100, 30), '');
    assert.ok(
        !/NaN/.test(
            curveLine(
                [
                    {time: 0, value: 'NaN'},
                    {time: 1, value: 5},
                ],
                10,
                10,
            ),
        ),
    );
    assert.ok(
        !/NaN|Infinity/.test(
            curveLine(
                [
                    {time: 0, value: 1, outTangent: 'Infinity'},
                    {time: 1, value: 5, inTangent: 'Infinity'},
                ],
                10,
                10,
            ),
        ),
    );
    assert.deepEqual(keysOf({keys: [{time: 1}]}, 'keys'), [{time: 1}]);
    assert.deepEqual(keysOf({keys: '...'}, 'keys'), []);
});
