// The program in a Unity project of its own, without the headless editor, and a fake Unity editor.
//
//     const server = await startServer(t);    // {url, port, project}; stopped when the test t ends
//     await connectEditor(t, server);         // the server has exactly the editor's tools
//     overStdio(server)                       // how an agent starts a second `serve --stdio`
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import {Program, build, modern, until} from '../e2e/fixtures/program.mjs';

export const multiverse = path.join(build, 'multiverse');
const EDITOR_TOOLS = ['get_component_info', 'read_console', 'run_tests'];
const fakeEditor = path.join(build, 'tests/fake-editor');

function stopAfter(t, program) {
    t.after(async () => {
        const {code} = await program.stop();
        if (code !== 0)
            throw new Error(`the program ended with ${code}\n${program.stderr}`);
    });
}

/** A folder that looks like a Unity project, until t ends. */
export function makeProject(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'multiverse-project-'));
    mkdirSync(path.join(dir, 'Assets'));
    mkdirSync(path.join(dir, 'ProjectSettings'));
    t.after(() => rmSync(dir, {recursive: true, force: true}));
    return dir;
}

/** Start `multiverse serve` on a free port, or on the given one. */
export async function startServer(t, {port = 0, project = makeProject(t)} = {}) {
    const server = new Program(['serve', '--no-headless', '--port', String(port), '--project', project],
        {file: multiverse});
    const [, url, number] = await until(() => server.stderr.match(/listening.*(http:\/\/127\.0\.0\.1:(\d+)\/mcp)/),
        'a line "listening"', server);
    stopAfter(t, server);
    return Object.assign(server, {url, port: Number(number), project});
}

/** The command that serves the same project on stdio; with a running server it attaches. */
export const overStdio = ({port, project}) =>
    [multiverse, 'serve', '--no-headless', '--stdio', '--port', String(port), '--project', project];

/** The names of the server's tools. */
export async function listTools(server) {
    const {json} = await modern(server, 'tools/list', {});
    return json.result.tools.map(tool => tool.name);
}

/** Wait until an editor is connected, and the server offers exactly these of its tools. */
async function untilOffered(server, editor, tools) {
    await until(async () => {
        const {json} = await modern(server, 'tools/call', {name: 'get_editor_state', arguments: {}});
        const names = await listTools(server);
        return json.result.structuredContent.connected &&
            EDITOR_TOOLS.every(name => names.includes(name) === tools.includes(name));
    }, `an editor with ${tools.join(', ')}`, editor);
}

/** Connect an editor with some of EDITOR_TOOLS; return a function that makes it offer all of
 * them. */
export async function connectEditor(t, server, tools = EDITOR_TOOLS) {
    const editor = new Program(['--port', String(server.port), '--project', server.project,
        '--tools', tools.join(',')], {file: fakeEditor});
    stopAfter(t, editor);
    await untilOffered(server, editor, tools);
    return async () => {
        editor.child.stdin.write(`${JSON.stringify({id: 1, cmd: 'capability', tools: EDITOR_TOOLS})}\n`);
        await untilOffered(server, editor, EDITOR_TOOLS);
    };
}
