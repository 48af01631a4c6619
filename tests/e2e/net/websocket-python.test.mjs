// WebSockets with Debian's python3-websockets as the client.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startEcho } from '../fixtures/ws_echo.mjs';

test('python3-websockets finds no error', async (t) => {
  const echo = await startEcho(t);
  const script = fileURLToPath(new URL('websocket-python.py', import.meta.url));
  const python = spawn('/usr/bin/python3', [script, echo.url('')], { stdio: 'inherit' });
  const [code] = await once(python, 'exit');
  assert.equal(code, 0);
});
