// The program as a person uses it: one command, its output and exit code; with pipes or a terminal.
//
//     const {code, stdout, stderr} = await run(['serve', '--port', 'x'], {cwd});
//     refuses(await run([...]), /names the fault/);          // exit 2, exactly one line on stderr
import assert from 'node:assert/strict';
import {mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {build, Program, until} from './lib.mjs';

export const multiverse = path.join(build, 'multiverse');

/** A folder of its own for the test t. */
export function folder(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'multiverse-cli-'));
    t.after(() => rmSync(dir, {recursive: true, force: true}));
    return dir;
}

/** Starts the program; `input` is its standard input, null: the caller writes to it. */
export function start(args, {input = '', file = multiverse, ...options} = {}) {
    const program = new Program(args, {file, ...options});
    program.stdout = '';
    program.child.stdout.setEncoding('utf8').on('data', text => { program.stdout += text; });
    if (input !== null) // else it stays open, for who types
        program.child.stdin.end(input);
    return program;
}

async function ended(program, what) {
    const {code, signal} = await program.ended(what);
    return {code: code ?? signal, stdout: program.stdout, stderr: program.stderr};
}

export function run(args, options) {
    return ended(start(args, options), `multiverse ${args.join(' ')}`);
}

/** `multiverse serve` on a free port, in a folder of its own: {port, cwd, call(...args), ...Program}. */
export async function startServe(t, args = [], {cwd = folder(t)} = {}) {
    const program = start(['serve', '--port', '0', ...args], {cwd});
    const [, port] = await until(() => program.stderr.match(/http:\/\/127\.0\.0\.1:(\d+)\/mcp/), 'a server that listens',
        program);
    t.after(async () => {
        const {code, signal} = await program.stop();
        assert.equal(code, 0, `the server ended with ${code ?? signal}\n${program.stderr}`);
    });
    program.port = Number(port);
    program.cwd = cwd;
    program.call = (...rest) => run(['call', '--port', port, ...rest], {cwd});
    return program;
}

// A terminal for its output and its errors; what comes on standard input are keys that are typed.
const TERMINAL = `
import os, pty, select, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
inputs = [0, fd]
while True:
    ready, _, _ = select.select(inputs, [], [])
    if 0 in ready:
        keys = os.read(0, 1024)
        if keys:
            os.write(fd, keys)
        else:
            inputs.remove(0)
    if fd in ready:
        try:
            piece = os.read(fd, 65536)
        except OSError:
            break
        if not piece:
            break
        sys.stdout.buffer.write(piece)
        sys.stdout.buffer.flush()
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** The same on a terminal: everything is in stdout, lines end with CR LF. Keys: program.child.stdin.write('y\n'). */
export function startOnTerminal(args, options = {}) {
    return start(['-c', TERMINAL, multiverse, ...args], {input: null, ...options, file: 'python3'});
}

/** The same, to its end; no key is typed. */
export async function runOnTerminal(args, options = {}) {
    return ended(startOnTerminal(args, {input: '', ...options}), `multiverse ${args.join(' ')} on a terminal`);
}

export function oneLine(text) {
    assert.match(text, /^multiverse: [^\n]+\n$/, `one line, not ${JSON.stringify(text)}`);
}

/** Wrong use: exit 2, nothing on stdout, one line that names the fault and the way out. */
export function refuses(result, ...patterns) {
    oneLine(result.stderr);
    for (const pattern of patterns)
        assert.match(result.stderr, pattern);
    assert.equal(result.code, 2, result.stderr);
    assert.equal(result.stdout, '');
}
