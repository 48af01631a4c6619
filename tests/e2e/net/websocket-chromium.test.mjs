// WebSockets with Chromium as the client: it runs websocket-chromium.html and reports the outcome.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { startEcho } from '../fixtures/ws_echo.mjs';

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync',
  '--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage', '--remote-debugging-port=0'];

// Start Chromium; return a function that sends one DevTools command and returns its result.
async function startChromium(t) {
  const folder = await mkdtemp(join(tmpdir(), 'ws-chromium-'));
  const child = spawn('/usr/bin/chromium', [...flags, `--user-data-dir=${folder}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
  const exited = once(child, 'exit');
  t.after(async () => {
    process.kill(-child.pid, 'SIGKILL'); // and its children, which may still write to the folder
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  });
  let url;
  for await (const line of createInterface({ input: child.stderr })) {
    url = /^DevTools listening on (.*)$/.exec(line)?.[1];
    if (url) break;
  }
  child.stderr.resume();
  assert.ok(url, 'Chromium does not start');

  const devtools = new WebSocket(url, { perMessageDeflate: false });
  t.after(() => devtools.terminate());
  await once(devtools, 'open');
  const waiting = new Map();
  devtools.on('message', (text) => {
    const { id, result, error } = JSON.parse(text);
    waiting.get(id)?.(error ? Promise.reject(new Error(error.message)) : result);
  });
  return (method, params, sessionId) => new Promise((resolve) => {
    const id = waiting.size + 1;
    waiting.set(id, resolve);
    devtools.send(JSON.stringify({ id, method, params, sessionId }));
  });
}

test('Chromium finds no error', { timeout: 110000 }, async (t) => {
  const page = fileURLToPath(new URL('websocket-chromium.html', import.meta.url));
  const echo = await startEcho(t, '--page', page);
  const call = await startChromium(t);
  const { targetId } = await call('Target.createTarget', { url: `http://127.0.0.1:${echo.port}/page` });
  const { sessionId } = await call('Target.attachToTarget', { targetId, flatten: true });
  // The page may not be loaded yet, so the outcome is polled inside it.
  const expression = `new Promise((resolve) => {
    const poll = () => (window.outcome ? resolve(window.outcome) : setTimeout(poll, 20));
    poll();
  })`;
  let answer;
  do { // navigation discards the promise
    answer = await call('Runtime.evaluate', { expression, awaitPromise: true }, sessionId).catch(() => null);
  } while (!answer);
  assert.equal(answer.result.value, 'ok');
});
