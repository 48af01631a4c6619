// Starts build/tests/ws-echo for a test, and ends it with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

// { port, url(path), closed(): the next "closed CODE REASON", as [code, reason] }
export async function startEcho(t, ...options) {
  const program = join(process.env.MULTIVERSE_BUILD ?? 'build', 'tests', 'ws-echo');
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const exited = once(child, 'exit');
  t.after(async () => {
    child.kill('SIGTERM');
    const [code] = await exited;
    if (code !== 0) throw new Error(`ws-echo ended with ${code}`);
  });
  const first = (await lines.next()).value;
  const port = Number(/^listening on 127\.0\.0\.1:(\d+)$/.exec(first)[1]);
  return {
    port,
    url: (path) => `ws://127.0.0.1:${port}${path}`,
    async closed() {
      const line = (await lines.next()).value;
      const [, code, reason] = /^closed (\d+) (.*)$/.exec(line);
      return [Number(code), reason];
    },
  };
}
