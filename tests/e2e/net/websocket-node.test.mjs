// WebSockets with the npm package ws as the client.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import WebSocket from 'ws';
import { startEcho } from '../fixtures/ws_echo.mjs';

async function open(url, options) {
  const ws = new WebSocket(url, options);
  await once(ws, 'open');
  return ws;
}

async function message(ws) {
  const [data, isBinary] = await once(ws, 'message');
  return isBinary ? data : data.toString();
}

async function closed(ws) {
  const [code, reason] = await once(ws, 'close');
  return [code, reason.toString()];
}

test('texts and binary messages of all sizes are echoed', async (t) => {
  const echo = await startEcho(t);
  const ws = await open(echo.url('/echo'));
  for (const n of [0, 1, 2, 125, 126, 127, 4096, 65535, 65536, 200 * 1024, 1024 * 1024]) {
    const text = 'x'.repeat(n);
    ws.send(text);
    assert.equal(await message(ws), text);
    const bytes = Buffer.alloc(n, (i) => i & 255).map((_, i) => (i * 7) & 255);
    ws.send(bytes);
    assert.deepEqual(await message(ws), bytes);
  }
  const done = closed(ws);
  ws.close(1000);
  assert.deepEqual(await done, [1000, '']);
});

test('characters of all lengths are echoed', async (t) => {
  const echo = await startEcho(t);
  const ws = await open(echo.url('/echo'));
  for (const text of ['naïve café', '中文字符'.repeat(20000), '😀🎮'.repeat(20000), '\0\u{10ffff}\ufeff', 'a中😀é'.repeat(30000)]) {
    ws.send(text);
    assert.equal(await message(ws), text);
  }
  ws.terminate();
});

test('no extension is negotiated, and the connection works without one', async (t) => {
  const echo = await startEcho(t);
  const ws = await open(echo.url('/echo'), { perMessageDeflate: true });
  assert.equal(ws.extensions, '');
  ws.send('{"a":1}'.repeat(1000));
  assert.equal(await message(ws), '{"a":1}'.repeat(1000));
  ws.terminate();
});

test('fragments with pings between them are one message', async (t) => {
  const echo = await startEcho(t);
  const ws = await open(echo.url('/echo'));
  const pong = once(ws, 'pong');
  const text = message(ws);
  ws.send('中'.repeat(100), { fin: false });
  ws.ping('are you there');
  ws.send(Buffer.from([0xe4]), { fin: false, binary: false });
  ws.send(Buffer.from([0xb8, 0xad]), { fin: true, binary: false });
  assert.equal((await pong)[0].toString(), 'are you there');
  assert.equal(await text, '中'.repeat(101));
  ws.terminate();
});

test('a thousand messages are echoed in order', async (t) => {
  const echo = await startEcho(t);
  const ws = await open(echo.url('/echo'));
  const got = [];
  const all = new Promise((resolve) => ws.on('message', (m) => got.push(Number(m)) === 1000 && resolve()));
  for (let i = 0; i < 1000; i++) ws.send(String(i));
  await all;
  assert.deepEqual(got, [...Array(1000).keys()]);
  ws.terminate();
});

test('a close by the client is acknowledged, and its code and reason are reported', async (t) => {
  const echo = await startEcho(t);
  for (const [code, reason] of [[1000, ''], [1001, 'tab closed'], [3000, ''], [4999, 'é'.repeat(61)]]) {
    const ws = await open(echo.url('/echo'));
    const done = closed(ws);
    ws.close(code, reason);
    assert.equal((await done)[0], code);
    assert.deepEqual(await echo.closed(), [code, reason]);
  }
  const ws = await open(echo.url('/echo'));
  const done = closed(ws);
  ws.close();
  assert.equal((await done)[0], 1005);
  assert.deepEqual(await echo.closed(), [1005, '']);
});

test('a close by the server reaches the client with code and reason', async (t) => {
  const echo = await startEcho(t);
  for (const [code, reason] of [[1000, ''], [1001, 'server stops'], [4000, '再见']]) {
    const ws = await open(echo.url('/command'));
    const done = closed(ws);
    ws.send(`close ${code} ${reason}`);
    assert.deepEqual(await done, [code, reason]);
    assert.equal((await echo.closed())[0], code);
  }
});

test('a broken connection is 1006 on the other side', async (t) => {
  const echo = await startEcho(t);
  const dropped = await open(echo.url('/command'));
  dropped.on('error', () => {});
  const done = closed(dropped);
  dropped.send('drop');
  assert.equal((await done)[0], 1006);
  assert.equal((await echo.closed())[0], 1006);

  const gone = await open(echo.url('/echo'));
  gone.terminate();
  assert.equal((await echo.closed())[0], 1006);
});

test('a client that violates the protocol gets the close code of the violation', async (t) => {
  const echo = await startEcho(t);
  const faults = [
    [1002, (ws) => ws.send('x', { mask: false })],
    [1007, (ws) => ws.send(Buffer.from([0x61, 0xff]), { binary: false })],
    [1007, (ws) => ws.send(Buffer.from([0xed, 0xa0, 0x80]), { binary: false })],
    [1009, (ws) => ws.send('x'.repeat(1024 * 1024 + 1))],
    [1002, (ws) => ws._socket.write(Buffer.from([0x83, 0x80, 0, 0, 0, 0]))],
    [1002, (ws) => ws._socket.write(Buffer.from([0xc1, 0x80, 0, 0, 0, 0]))],
    [1002, (ws) => ws._socket.write(Buffer.from([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xed]))],
  ];
  for (const [code, commit] of faults) {
    const ws = await open(echo.url('/echo'));
    const done = closed(ws);
    commit(ws);
    assert.equal((await done)[0], code);
    assert.equal((await echo.closed())[0], code);
  }
});

test('a large message arrives, and the server pauses for a client that does not read', async (t) => {
  const echo = await startEcho(t);
  const ws = await open(echo.url('/command'), { maxPayload: 64 << 20 });
  ws.send('push 8000000');
  assert.equal((await message(ws)).length, 8000000);

  const count = 1000; // of 64 KiB: more than all buffers between the two
  ws.pause();
  ws.send(`flood ${count}`);
  const next = await open(echo.url('/echo')); // once this is answered, the sender is blocked
  next.send('x');
  assert.equal(await message(next), 'x');
  next.terminate();
  let got = 0;
  const all = new Promise((resolve) => ws.on('message', (m) => m.length === 65536 && ++got === count && resolve()));
  ws.resume();
  await all;
  ws.removeAllListeners('message');
  ws.send('queued');
  const longest = Number(await message(ws));
  assert.ok(longest > 1 << 20 && longest <= 8 << 20, `${longest} bytes waited`);
  ws.terminate();
});

test('a client that answers pings stays connected, a silent one is dropped', async (t) => {
  const echo = await startEcho(t, '--ping-ms', '50', '--pong-ms', '2000');
  const good = await open(echo.url('/echo'));
  const bad = await open(echo.url('/echo'), { autoPong: false });
  bad.on('error', () => {});
  const dropped = closed(bad);
  for (let i = 0; i < 5; i++) await once(good, 'ping');
  assert.equal((await dropped)[0], 1006);
  assert.deepEqual(await echo.closed(), [1006, 'the peer gives no sign of life']);
  assert.equal(good.readyState, WebSocket.OPEN);
  good.terminate();
});

test('a malformed upgrade is refused', async (t) => {
  const echo = await startEcho(t);
  const refused = async (options, path = '/echo') => {
    const ws = new WebSocket(echo.url(path), options);
    ws.on('error', () => {});
    const [, response] = await once(ws, 'unexpected-response');
    response.resume();
    return response;
  };
  const old = await refused({ protocolVersion: 8 });
  assert.equal(old.statusCode, 426);
  assert.equal(old.headers['sec-websocket-version'], '13');
  assert.equal((await refused({ origin: 'http://example.com' })).statusCode, 403);
  assert.equal((await refused({ headers: { Host: 'example.com' } })).statusCode, 403);
  assert.equal((await refused({}, '/nothing')).statusCode, 404);
  assert.equal((await fetch(`http://127.0.0.1:${echo.port}/echo`)).status, 400);
});

test('a hundred connections work at once', async (t) => {
  const echo = await startEcho(t);
  const all = await Promise.all([...Array(100).keys()].map(() => open(echo.url('/echo'))));
  const answers = Promise.all(all.map(message));
  all.forEach((ws, i) => ws.send(`I am ${i}`));
  assert.deepEqual(await answers, all.map((_, i) => `I am ${i}`));
  all.forEach((ws) => ws.terminate());
});
