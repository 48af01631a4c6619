// The page is built from web/ if possible; otherwise an older page is used, or the error says what to do. Runs on a
// copy of web/ and tools/, with an npm without network. The system's npm is only used to fetch the one of tools/node.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {appendFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {describe, test} from 'node:test';
import {fileURLToPath} from 'node:url';

import {folder} from '../fixtures/bridge.mjs';
import {build, Program, until} from '../fixtures/program.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const UNREACHABLE = 'npm error code EAI_AGAIN';

/** Make a tree with tools/ and web/ without installed packages; dist/ contains `page`, or nothing if it is null. */
function makeTree(t, page = '<!doctype html><title>a page</title>') {
    const dir = folder(t), bin = path.join(dir, 'bin'), web = path.join(dir, 'web'), dist = path.join(web, 'dist');
    const own = source => !/\/(node_modules|dist|\.dist-[^/]*)$/.test(source);
    cpSync(path.join(root, 'tools'), path.join(dir, 'tools'), {recursive: true, filter: own});
    cpSync(path.join(root, 'web'), web, {recursive: true, filter: own});
    for (const name of ['tools/node', 'tools/grammar'])
        if (existsSync(path.join(root, name, 'node_modules')))
            symlinkSync(path.join(root, name, 'node_modules'), path.join(dir, name, 'node_modules'));
    mkdirSync(bin);
    const npm = (file, script) => writeFileSync(file, `#!/bin/sh\n${script}\n`, {mode: 0o755});
    npm(path.join(bin, 'npm'), `echo "$PWD" >>'${dir}/system-npm-was-called'; exit 1`);
    npm(path.join(dir, 'tools/npm.sh'), `echo "$PWD" >>'${dir}/npm-was-called'\necho '${UNREACHABLE}' >&2\nexit 1`);
    const tree = {
        dir, web, dist,
        /** Run a script of tools/ like make and ninja; return {code, said}. */
        tool(name, args = [], env = {}) {
            const {status, stdout, stderr} = spawnSync(path.join(dir, 'tools', name), args, {cwd: dir, encoding: 'utf8',
                env: {...process.env, PATH: `${bin}:${process.env.PATH}`, ...env}});
            return {code: status, said: stdout + stderr};
        },
        compile: () => tree.tool('web.sh', ['page.c', 'page.bin', 'page.d']),
        state: () => tree.tool('web.sh', ['--state']).said.trim(),
        called: () => existsSync(path.join(dir, 'npm-was-called')),
        systemCalled: () => existsSync(path.join(dir, 'system-npm-was-called')),
        /** Replace the npm of the system with this script. */
        systemNpm: script => npm(path.join(bin, 'npm'), `echo "$PWD $*" >>'${dir}/system-npm-was-called'\n${script}`),
        read: name => readFileSync(path.join(dir, name), 'utf8'),
    };
    if (page !== null) {
        mkdirSync(dist);
        writeFileSync(path.join(dist, 'index.html'), page);
        // Mark the page as current: web.sh computes the hash of the sources.
        const sources = spawnSync('sh', ['-c', `sed -n '/^sources()/,/^}/p; /^hash_sources()/,/^}/p' tools/web.sh >.functions && web='${web}' && export LC_ALL=C && . ./.functions && hash_sources`],
            {cwd: dir, encoding: 'utf8'}).stdout;
        writeFileSync(path.join(dist, '.sources'), sources);
    }
    return tree;
}

describe('without network', () => {
    test('a current page is used silently', t => {
        const tree = makeTree(t);
        assert.equal(tree.state(), 'current');
        assert.deepEqual(tree.tool('deps.sh', ['build']), {code: 0, said: ''});
        assert.deepEqual(tree.compile(), {code: 0, said: ''});
        assert.ok(!tree.called());
        assert.match(tree.read('page.c'), /"\/index\.html"/);
        assert.ok(tree.read('page.bin').includes('<title>a page</title>'));
        assert.ok(tree.read('page.d').includes('web/src/App.svelte') && !tree.read('page.d').includes('.never'));
    });

    test('an older page is used with a warning on each build', t => {
        const tree = makeTree(t);
        appendFileSync(path.join(tree.web, 'src/app.css'), '/* newer */\n');
        assert.equal(tree.state(), 'old');
        const deps = tree.tool('deps.sh', ['build']);
        assert.equal(deps.code, 0, deps.said);
        assert.ok(tree.called() && deps.said.includes(UNREACHABLE), deps.said);
        assert.ok(!tree.systemCalled());
        for (let i = 0; i < 2; i++) {
            const {code, said} = tree.compile();
            assert.equal(code, 0, said);
            assert.match(said, /^web: warning: using an older page, as web\/ has changed and .*node_modules.*\(tools\/deps\.sh build\)\n$/);
        }
        assert.ok(tree.read('page.bin').includes('<title>a page</title>'));
        assert.ok(tree.read('page.d').includes('dist/.never'), 'the next build retries');
        assert.equal(tree.tool('web.sh', ['--can']).code, 0);
        assert.equal(tree.tool('web.sh', ['--clean']).code, 0);
        assert.ok(existsSync(path.join(tree.dist, 'index.html')), 'a page that cannot be rebuilt is not removed');
    });

    test('a missing page fails the build with an instruction', t => {
        const tree = makeTree(t, null);
        assert.equal(tree.state(), 'none');
        const deps = tree.tool('deps.sh', ['build']);
        assert.notEqual(deps.code, 0);
        assert.match(deps.said, /deps: the console page cannot be built; make CONSOLE=disabled builds the program without it\n$/);
        const {code, said} = tree.compile();
        assert.notEqual(code, 0);
        assert.match(said, /^web: the console page cannot be built: .*\n/);
        assert.match(said, /make CONSOLE=disabled/);
        assert.match(said, /-Dconsole=disabled/);
        assert.ok(!existsSync(path.join(tree.dir, 'page.c')));
        assert.notEqual(tree.tool('web.sh', ['--can']).code, 0);
        rmSync(path.join(tree.dir, 'npm-was-called'));
        assert.deepEqual(tree.tool('deps.sh', ['build'], {CONSOLE: 'disabled'}), {code: 0, said: ''});
        assert.ok(!tree.called(), 'a build without the page needs no npm');
    });
});

describe('without tools/node', () => {
    const without = t => {
        const tree = makeTree(t);
        rmSync(path.join(tree.dir, 'tools/node/node_modules'));
        cpSync(path.join(root, 'tools/npm.sh'), path.join(tree.dir, 'tools/npm.sh'));
        return tree;
    };

    test('nothing runs on the system\'s Node and the error names the command', t => {
        const tree = without(t);
        for (const [name, what] of [['node.sh', 'Node'], ['npm.sh', 'npm']])
            assert.deepEqual(tree.tool(name, ['--version']),
                {code: 1, said: `tools/node has no ${what}: run tools/deps.sh node\n`});
        assert.ok(!tree.systemCalled());
    });

    test('the system\'s npm only fetches tools/node', t => {
        const tree = without(t);
        tree.systemNpm(`[ "$1" = ci ] && [ -f package-lock.json ] && ln -s '${root}/tools/node/node_modules' node_modules`);
        const {code, said} = tree.tool('deps.sh', ['node']);
        assert.deepEqual({code, said}, {code: 0, said: 'deps: installing with npm: tools/node\n'});
        assert.match(tree.read('system-npm-was-called'), /\/tools\/node\/\.new-\w+ ci [^\n]*\n$/);
        assert.match(tree.tool('node.sh', ['--version']).said, /^v22\./);
        assert.match(tree.tool('npm.sh', ['--version']).said, /^11\./);
        assert.deepEqual(tree.tool('deps.sh', ['node']), {code: 0, said: ''});
        assert.deepEqual(readdirSync(path.join(tree.dir, 'tools/node')).sort(), ['.npmrc', 'node_modules', 'package-lock.json', 'package.json']);
    });

    test('an incomplete installation is detected', t => {
        const tree = without(t);
        tree.systemNpm('mkdir -p node_modules');
        const {code, said} = tree.tool('deps.sh', ['node']);
        assert.notEqual(code, 0);
        assert.match(said, /deps: tools\/node could not be installed: the output of npm is above\n$/);
    });
});

test('the page is built once from the installed packages', {skip: !existsSync(path.join(root, 'web/node_modules/vite'))}, t => {
    const tree = makeTree(t, null);
    symlinkSync(path.join(root, 'web/node_modules'), path.join(tree.web, 'node_modules'));
    assert.deepEqual(tree.compile(), {code: 0, said: ''});
    assert.equal(tree.state(), 'current');
    const first = tree.read('page.c');
    assert.match(first, /"\/assets\/index-[^"]+\.js"/);
    writeFileSync(path.join(tree.web, 'src/main.ts'), 'this is no TypeScript (');
    const {code, said} = tree.compile();
    assert.notEqual(code, 0);
    assert.match(said, /main\.ts[^]*web: the page could not be built: the error is above\n$/);
    assert.equal(tree.read('page.c'), first);
});

test('a program without the page explains it at / and works otherwise', async t => {
    const home = folder(t);
    const server = new Program(['serve', '--port', '0', '--log-format', 'json'], {file: path.join(build, 'tests/e2e/multiverse-no-page'), cwd: home,
        env: {...process.env, MULTIVERSE_HOME: home}, stdio: ['ignore', 'ignore', 'pipe']});
    t.after(() => server.stop('SIGTERM'));
    const [, origin] = await until(() => server.stderr.match(/"listening".*"(http:\/\/127\.0\.0\.1:\d+)\/mcp"/), 'the line "listening"', server);
    const answer = await fetch(origin);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type'), /^text\/plain/);
    assert.match(await answer.text(), /built without the console page \(-Dconsole=disabled\).*install Node and npm and run `make`.*\/mcp/);
    assert.equal((await fetch(`${origin}/api/tooling`)).status, 200);
    assert.equal((await fetch(`${origin}/assets/index.js`)).status, 404);
});
