// The package (unity-package) as it runs in the stand-in editor under mono, beside a real server.
//
//     const unity = await openPackage(t, server, client, project);   // connected and ready
//     await unity.reload();                                          // a domain reload, and it is back
//     await unity.tell('log', {type: 'warning', message: 'from the game'});
//
// The stand-in is built once for all tests (`meson compile -C build unity-package`), MULTIVERSE_STANDIN is its folder.
// Commands are lines of JSON on its standard input: unity-package/Tests~/README.md lists them.
import assert from 'node:assert/strict';
import {createHash} from 'node:crypto';
import {cpSync, existsSync, readdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {atEnd, endsWell, Inbox, onLines} from './bridge.mjs';
import {build, Program, until} from './lib.mjs';

const tests = fileURLToPath(new URL('../../unity-package/Tests~/', import.meta.url));

/** The folder of the stand-in, as a build made it. */
export const standin = path.resolve(process.env.MULTIVERSE_STANDIN ?? path.join(build, 'unity-package'));

/** The command that opens a project in the stand-in editor, with Unity's options. */
export const editorCommand = [path.join(tests, 'editor.sh'), standin];

/** Starts the editor on a project and does not wait for the server. */
export async function startEditor(t, project, {port, env = {}, args = []} = {}) {
    assert.ok(existsSync(path.join(standin, 'editor.exe')),
        `no stand-in editor in ${standin}: meson compile -C build unity-package (needs mono and mcs)`);
    const [file, ...first] = editorCommand;
    const unity = new Program([...first, project.dir, ...args], {
        file,
        env: {...process.env, MULTIVERSE_PORT: `${port}`, STANDIN_UPDATE_MS: '2',
            STANDIN_CACHE: path.join(standin, 'cache'), ...env},
    });
    const out = new Inbox(unity);
    let id = 0;
    let domains = 0; // the newest one
    onLines(unity, unity.child.stdout, line => {
        const message = JSON.parse(line);
        domains = message.event === 'ready' ? message.domain : domains;
        out.put(message);
    });
    Object.assign(unity, {
        event: (name, wants = () => true) => out.take(m => m.event === name && wants(m), `the event ${name}`),
        /** A command; it must be possible. */
        async tell(cmd, more = {}) {
            const mine = ++id;
            unity.child.stdin.write(`${JSON.stringify({id: mine, cmd, ...more})}\n`);
            const answer = await out.take(m => m.id === mine, `the answer to ${cmd}`);
            assert.equal(answer.ok, true, `${cmd}: ${answer.error}`);
            return answer;
        },
        /** The first update of the first domain, or of the next one: `await back` after what makes it. */
        domain: (after = domains && domains + 1) => unity.event('ready', m => m.domain >= after),
    });
    atEnd(t, async () => {
        unity.child.stdin.end();
        await endsWell(t, unity, null, Infinity);
    });
    return unity;
}

/** Starts the editor; connected to this server and ready. */
export async function openPackage(t, server, client, project, options = {}) {
    const unity = await startEditor(t, project, {port: server.port, ...options});
    const isReady = () => until(() => client.state(), 'an editor that is connected and ready', {from: unity,
        is: ({connected, editor, editor_state}) => connected && editor === 'unity' && editor_state === 'ready'});
    await unity.domain();
    await isReady();
    await client.listTools(); // what this editor has
    /** A domain reload; answers when the new domain is connected. */
    unity.reload = async () => {
        const back = unity.domain();
        await unity.tell('reload');
        await back;
        await isReady();
    };
    unity.isReady = isReady;
    return unity;
}

/** Puts the files of a folder into a project, and a .meta beside every asset that has none. */
export function addAssets(project, folder) {
    if (folder)
        cpSync(folder, project.dir, {recursive: true});
    for (const entry of readdirSync(project.at('Assets'), {recursive: true, withFileTypes: true})) {
        const file = path.join(entry.parentPath, entry.name);
        if (file.endsWith('.meta') || existsSync(`${file}.meta`))
            continue;
        const guid = createHash('md5').update(path.relative(project.dir, file)).digest('hex');
        const kind = entry.isDirectory() ? 'folderAsset: yes\nDefaultImporter:\n'
            : file.endsWith('.cs') ? 'MonoImporter:\n' : 'DefaultImporter:\n';
        writeFileSync(`${file}.meta`, `fileFormatVersion: 2\nguid: ${guid}\n${kind}  externalObjects: {}\n`);
    }
}
