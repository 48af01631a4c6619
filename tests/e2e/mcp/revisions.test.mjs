// Which revision a request belongs to, and what a modern one must contain: the body decides, the
// headers must agree.
import assert from 'node:assert/strict';
import {after, before, describe, test} from 'node:test';

import {
    KEY, MODERN, clientInfo, enveloped, modern, modernHeaders, openSession, post, rawPost, request,
    startHttp,
} from '../fixtures/program.mjs';

let server;
before(async () => { server = await startHttp(null); });
after(async () => assert.equal((await server.stop()).code, 0, server.stderr));

const VERSION = `${KEY}protocolVersion`;
const CAPABILITIES = `${KEY}clientCapabilities`;

/** Check for this error, with the id of the request, in the modern form. */
function isError(answer, status, code, id = 1) {
    assert.equal(answer.status, status, answer.text ?? answer.body);
    assert.equal(answer.json.error.code, code, answer.json.error.message);
    assert.equal(answer.json.id, id);
    assert.ok(answer.json.error.message.length > 10);
}

const base64 = text => `=?base64?${Buffer.from(text).toString('base64')}?=`;

describe('the era of a request', () => {
    test('a version in the envelope makes a request modern, even with a session header', async () => {
        const session = await openSession(server);
        const answer = await modern(server, 'tools/list', {}, {headers: {'mcp-session-id': session.id}});
        assert.equal(answer.json.result.resultType, 'complete');
        assert.equal(answer.headers.get('mcp-session-id'), null);
        const unknown = await modern(server, 'tools/list', {}, {headers: {'mcp-session-id': 'none'}});
        assert.equal(unknown.status, 200);
    });

    test('initialize without an envelope is legacy', async () => {
        const message = request(1, 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo});
        const answer = await post(server, message);
        assert.equal(answer.json.result.protocolVersion, '2025-11-25');
        for (const version of ['2025-06-18', '2025-11-25'])
            assert.equal((await post(server, message, {'mcp-protocol-version': version})).status, 200);
    });

    test('initialize with the modern version header is a mismatch', async () => {
        const message = request(1, 'initialize', {protocolVersion: '2025-11-25', capabilities: {}, clientInfo});
        isError(await post(server, message, {'mcp-protocol-version': MODERN}), 400, -32020);
    });

    test('initialize and ping with an envelope are unknown methods', async () => {
        for (const method of ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe',
            'resources/unsubscribe', 'tasks/list', 'tasks/result', 'no/such'])
            isError(await modern(server, method), 404, -32601);
    });

    test('a modern header without an envelope is refused with the names of the missing keys', async () => {
        for (const params of [undefined, {}, {_meta: {}}, {_meta: {[CAPABILITIES]: {}}}]) {
            const answer = await post(server, request(1, 'tools/list', params),
                {'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list'});
            isError(answer, 400, -32602);
            assert.match(answer.json.error.message, /protocolVersion/);
        }
    });

    test('a request with neither is legacy and needs a session', async () => {
        assert.equal((await post(server, request(1, 'tools/list'))).status, 400);
        assert.equal((await post(server, request(1, 'server/discover'))).status, 400);
    });

    test('batches are refused in both eras', async () => {
        const message = request(1, 'tools/list', enveloped());
        const batch = await post(server, [message], modernHeaders(message));
        assert.equal(batch.status, 400);
        assert.equal(batch.json.error.code, -32600);
    });

    test('a posted response needs a session', async () => {
        const response = {jsonrpc: '2.0', id: 1, result: {}};
        assert.equal((await post(server, response, {'mcp-protocol-version': MODERN})).status, 400);
        const session = await openSession(server);
        assert.equal((await session.respond(1, {})).status, 202);
    });

    test('a modern notification gets 202', async () => {
        const message = {jsonrpc: '2.0', method: 'notifications/cancelled',
            params: enveloped({requestId: 1})};
        const answer = await post(server, message, modernHeaders(message));
        assert.equal(answer.status, 202);
        assert.equal(answer.text, '');
    });

    test('server/discover returns everything a client needs', async () => {
        const {json, headers} = await modern(server, 'server/discover', {}, {id: 'server-discover-probe-1'});
        assert.equal(json.id, 'server-discover-probe-1');
        assert.deepEqual(json.result.supportedVersions, [MODERN]);
        assert.equal(json.result._meta[`${KEY}serverInfo`].name, 'mcp-everything');
        assert.equal(json.result.serverInfo, undefined);
        assert.ok(Number.isInteger(json.result.ttlMs) && json.result.cacheScope);
        assert.equal(json.result.capabilities.tasks, undefined);
        assert.equal(headers.get('mcp-session-id'), null);
    });
});

describe('the envelope', () => {
    const ask = (meta, headers = {}) => {
        const message = request(1, 'tools/list', {_meta: meta});
        return post(server, message, {...modernHeaders(message), ...headers});
    };

    test('missing keys and wrong types are refused', async () => {
        for (const meta of [{[VERSION]: MODERN}, {[VERSION]: 7, [CAPABILITIES]: {}},
            {[VERSION]: null, [CAPABILITIES]: {}}, {[VERSION]: MODERN, [CAPABILITIES]: null},
            {[VERSION]: MODERN, [CAPABILITIES]: []},
            {[VERSION]: MODERN, [CAPABILITIES]: {}, [`${KEY}clientInfo`]: 'x'},
            {[VERSION]: MODERN, [CAPABILITIES]: {}, [`${KEY}logLevel`]: 'loud'}])
            isError(await ask(meta), 400, -32602);
    });

    test('clientInfo is optional, and other keys are allowed', async () => {
        const answer = await ask({[VERSION]: MODERN, [CAPABILITIES]: {unknown: 1}, 'x.example/y': [1]});
        assert.equal(answer.status, 200);
    });

    test('an unknown version is refused with a list of the supported ones', async () => {
        for (const version of ['v999.0.0', '2025-11-25', '']) {
            const answer = await ask({[VERSION]: version, [CAPABILITIES]: {}},
                {'mcp-protocol-version': version});
            isError(answer, 400, version ? -32022 : answer.json.error.code);
            if (version)
                assert.deepEqual(answer.json.error.data, {supported: [MODERN], requested: version});
        }
    });

    test('the server keeps nothing between requests', async () => {
        const needs = capabilities => modern(server, 'tools/call', {name: 'test_missing_capability'},
            {capabilities});
        assert.equal((await needs({sampling: {}})).status, 200);
        const answer = await needs({});
        isError(answer, 400, -32021);
        assert.deepEqual(answer.json.error.data.requiredCapabilities, {sampling: {}});
    });

    test('errors of the call itself have status 200', async () => {
        isError(await modern(server, 'tools/call', {name: 'none'}), 200, -32602);
        isError(await modern(server, 'tools/list', {cursor: 'none'}), 200, -32602);
        isError(await modern(server, 'tools/call', {name: 'greet', arguments: []}), 200, -32602);
        isError(await modern(server, 'resources/read', {uri: 'test://none'}), 200, -32602);
        isError(await modern(server, 'tools/call', {arguments: {}}), 200, -32602);
    });
});

describe('the headers of a modern request', () => {
    const message = request(1, 'tools/call', enveloped({name: 'greet', arguments: {name: 'x'}}));
    const good = modernHeaders(message);
    const without = name => Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));

    test('a missing header is refused', async () => {
        assert.equal((await post(server, message, good)).status, 200);
        for (const name of Object.keys(good))
            isError(await post(server, message, without(name)), 400, -32020);
    });

    test('a header that differs from the body is refused, even in case only', async () => {
        for (const [name, value] of [['mcp-protocol-version', '2025-11-25'], ['mcp-method', 'tools/list'],
            ['mcp-method', 'TOOLS/CALL'], ['mcp-method', ''], ['mcp-name', 'other'], ['mcp-name', 'GREET'],
            ['mcp-name', 'gree'], ['mcp-name', 'greetx']])
            isError(await post(server, message, {...good, [name]: value}), 400, -32020);
    });

    test('a duplicate header is refused', async () => {
        for (const field of Object.entries(good)) {
            const answer = await rawPost(server, [...Object.entries(good), field], message);
            assert.equal(answer.status, 400, field[0]);
        }
    });

    test('header names ignore case, and blanks around values are ignored', async () => {
        const answer = await rawPost(server, Object.entries(good).map(([name, value]) =>
            [name.toUpperCase(), ` \t${value}  `]), message);
        assert.equal(answer.status, 200);
    });

    test('a base64 value is decoded before the comparison', async () => {
        const unit = request(1, 'resources/read', enveloped({uri: 'test://template/Zürich ☃/data'}));
        const headers = {...modernHeaders(unit), 'mcp-name': base64('test://template/Zürich ☃/data')};
        const answer = await post(server, unit, headers);
        assert.match(answer.json.result.contents[0].text, /Zürich ☃/);
        assert.equal((await post(server, message, {...good, 'mcp-name': base64('greet')})).status, 200);
        for (const bad of ['=?base64?%%%%?=', '=?base64?Z3JlZXQ?=', '=?base64?Z3JlZXQ==', base64('other'),
            '=?base64?Z3Jl ZXQ=?='])
            isError(await post(server, message, {...good, 'mcp-name': bad}), 400, -32020);
    });

    test('an argument repeated in a header must agree with it', async () => {
        const ask = (region, header) => modern(server, 'tools/call',
            {name: 'test_custom_header', arguments: region === undefined ? {} : {region}},
            {headers: header === undefined ? {} : {'mcp-param-region': header}});
        for (const [region, header] of [['eu', 'eu'], ['eu', base64('eu')], ['é', base64('é')],
            ['', ''], [' x ', base64(' x ')], ['=?base64?eA==?=', base64('=?base64?eA==?=')],
            [undefined, undefined], [null, undefined]]) {
            const answer = await ask(region, header);
            assert.equal(answer.status, 200, `${region} ${header}: ${answer.text}`);
        }
        for (const [region, header] of [['eu', undefined], ['eu', 'us'], ['eu', 'EU'], [undefined, 'eu'],
            [null, 'null'], ['eu', '=?base64?ZXU?='], ['é', 'e']])
            isError(await ask(region, header), 400, -32020);
    });

    test('Mcp-Name is ignored for methods without a name', async () => {
        assert.equal((await modern(server, 'tools/list', {}, {headers: {'mcp-name': 'x'}})).status, 200);
    });
});

describe('rounds', () => {
    const capabilities = {elicitation: {}};
    const tool = 'test_input_required_result_request_state';
    const ask = (name, more = {}) => modern(server, 'tools/call', {name, arguments: {}, ...more},
        {capabilities});
    const inputResponses = {confirm: {action: 'accept', content: {ok: true}}};

    test('state is returned unchanged, and accepted only for its own tool', async () => {
        const {requestState, resultType, inputRequests} = (await ask(tool)).json.result;
        assert.equal(resultType, 'input_required');
        assert.equal(inputRequests.confirm.method, 'elicitation/create');
        const done = await ask(tool, {requestState, inputResponses});
        assert.equal(done.json.result.content[0].text, 'state-ok');
        const changes = [`${requestState}x`, requestState.slice(0, -1), requestState.toLowerCase(),
            'x', '', 7, null];
        for (const changed of changes)
            isError(await ask(tool, {requestState: changed, inputResponses}), 200, -32602);
        isError(await ask('test_input_required_result_tampered_state', {requestState, inputResponses}),
            200, -32602);
    });

    test('invalid input responses are requested again', async () => {
        for (const confirm of [7, null, 'yes', {}, {action: 'maybe'}, {action: 'accept', content: 1}]) {
            const {result} = (await ask(tool, {inputResponses: {confirm}})).json;
            assert.equal(result.resultType, 'input_required', JSON.stringify(confirm));
        }
    });

    test('a client without the needed capability is told which one is missing', async () => {
        const answer = await modern(server, 'tools/call', {name: tool, arguments: {}});
        isError(answer, 400, -32021);
        assert.ok(answer.json.error.data.requiredCapabilities.elicitation);
    });
});
