// Output for other programs: completion scripts and the manual page.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {folder, multiverse, run} from '../fixtures/cli.mjs';

const has = program => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;

async function script(t, shell) {
    const {code, stdout} = await run(['completion', shell], {cwd: folder(t)});
    assert.equal(code, 0);
    const file = path.join(folder(t), `multiverse.${shell}`);
    writeFileSync(file, stdout);
    return file;
}

/** What bash offers for these words; the last one is incomplete. */
async function complete(t, ...words) {
    const file = await script(t, 'bash');
    const line = `. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _multiverse; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const cwd = folder(t);
    writeFileSync(path.join(cwd, 'file.json'), '');
    const {status, stdout, stderr} = spawnSync('bash',
        ['--norc', '-uc', line, 'bash', file, 'multiverse', ...words], {cwd, encoding: 'utf8'});
    assert.equal(status, 0, stderr);
    assert.equal(stderr, '');
    return stdout.trim().split('\n').filter(Boolean);
}

test('the scripts are valid in their shells', async t => {
    for (const shell of ['bash', 'zsh', 'fish'])
        if (has(shell)) {
            const {status, stderr} = spawnSync(shell, ['-n', await script(t, shell)], {encoding: 'utf8'});
            assert.equal(status, 0, stderr);
        }
});

test('every script contains every command, option, setting and tool', async t => {
    const tools = JSON.parse((await run(['tools', '--json'], {cwd: folder(t)})).stdout);
    for (const shell of ['bash', 'zsh', 'fish']) {
        const {stdout} = await run(['completion', shell]);
        for (const word of ['serve', 'call', 'tools', 'config', 'project', 'run', 'tooling', 'task', 'orchestrate', 'completion', 'version', 'help',
            'token-file', 'set-profile', 'cooldowns', 'log-level', 'max-attempts', 'until-idle', 'graph', 'resume',
            'timeout-ms', 'max_message_bytes', 'project_path', 'max_entries=', ...tools.map(tool => tool.name)])
            assert.ok(stdout.includes(word), `${shell}: ${word}`);
    }
});

const OFFERS = [
    [['se'], ['serve']],
    [[''], ['serve', 'call', 'tools', 'config', 'project', 'run', 'tooling', 'task', 'orchestrate', 'completion',
        'version', 'help']],
    [['--v'], ['--version']],
    [['serve', '--po'], ['--port']],
    [['serve', '--log-format', ''], ['text', 'json']],
    [['serve', '--log-level', '=', 'd'], ['debug']],
    [['serve', '--log-level', '='], ['debug', 'info', 'warn', 'error']],
    [['serve', '--config', 'f'], ['file.json']],
    [['serve', '--port', ''], []],
    [['call', 'get_editor'], ['get_editor_state']],
    [['call', '--port', '1', 'cancel'], ['cancel_job']],
    [['call', 'read_console', 'max_'], ['max_entries=']],
    [['call', '-p', '1', 'read_console', '--raw', 'dedup'], ['deduplicate=']],
    [['call', 'read_console', 'max_entries', '=', ''], []],
    [['call', '--timeout-ms', ''], []],
    [['call', 'read_console', '@'], ['file.json']],
    [['config', ''], ['list', 'get', 'set', 'unset']],
    [['config', 'set', 'queue'], ['queue_max_size']],
    [['config', 'set', 'log_level', 'w'], ['warn']],
    [['project', ''], ['check']],
    [['project', 'check', '--j'], ['--json']],
    [['run', ''], ['file.json']],
    [['run', '--mcp', ''], ['auto', 'off']],
    [['tooling', 'cl'], ['classify']],
    [['tooling', 'select', 'wo'], ['worker']],
    [['tooling', 'cooldowns', ''], ['clear']],
    [['task', 're'], ['retry', 'repair']],
    [['task', 'add', 'f'], ['file.json']],
    [['task', 'add', 'one.yaml', '--pool', 'x', 'f'], ['file.json']],
    [['task', 'logs', '--fo'], ['--follow']],
    [['task', 'show', ''], []],
    [['orchestrate', 'p'], ['pause']],
    [['orchestrate', '--wo'], ['--workers']],
    [['orchestrate', '--pool', ''], []],
    [['help', 'comp'], ['completion']],
    [['completion', 'f'], ['fish']],
    [['nix', 'x'], []],
];
for (const [words, want] of OFFERS)
    test(`bash completes ${JSON.stringify(words.join(' '))}`, {skip: !has('bash')}, async t => {
        assert.deepEqual(await complete(t, ...words), want);
    });

test('bash completes a typed line', {skip: !has('bash')}, async t => {
    const file = await script(t, 'bash');
    const {stdout} = spawnSync('bash', ['--norc', '-c', '. "$1"; complete -p multiverse', 'bash', file],
        {encoding: 'utf8'});
    assert.equal(stdout, 'complete -F _multiverse multiverse\n');
});

test('the manual page has its sections and covers everything', async t => {
    const {code, stdout} = await run(['help', '--man'], {cwd: folder(t)});
    assert.equal(code, 0);
    assert.match(stdout, /^\.TH MULTIVERSE 1 /);
    const sections = [...stdout.matchAll(/^\.SH (.*)$/gm)].map(m => m[1]);
    assert.deepEqual(sections, ['NAME', 'SYNOPSIS', 'DESCRIPTION', 'COMMANDS', 'CONFIGURATION', 'EXIT STATUS',
        'ENVIRONMENT', 'FILES']);
    for (const word of ['multiverse serve', '\\-\\-token\\-file', '\\-\\-timeout\\-ms', 'queue_max_size'])
        assert.ok(stdout.includes(word), word);
    for (const line of stdout.split('\n'))
        assert.match(line, /^(\.(TH|SH|SS|PP|TP|B|I|BR)( |$)|[^.'])|^$/, line);
});

test('groff accepts the manual page', {skip: !has('groff')}, async () => {
    const {stdout} = await run(['help', '--man']);
    const {status, stdout: page, stderr} = spawnSync('groff', ['-man', '-Tutf8', '-ww'], {input: stdout, encoding: 'utf8'});
    assert.equal(status, 0);
    assert.equal(stderr, '');
    assert.match(page.replace(/\u001b\[[0-9;]*m|.\u0008/g, ''), /--log-format FORMAT/);
});

test('mandoc accepts the manual page', {skip: !has('mandoc')}, async () => {
    const {stdout} = await run(['help', '--man']);
    const {stdout: lint} = spawnSync('mandoc', ['-T', 'lint', '-W', 'warning'], {input: stdout, encoding: 'utf8'});
    // it has no date, so that builds are reproducible
    assert.match(lint, /^mandoc: [^\n]* missing date[^\n]*\n$/);
});

test('the installed files are identical to the program\'s output', async () => {
    const {readFileSync} = await import('node:fs');
    const dir = path.dirname(multiverse);
    for (const [file, ...args] of [['multiverse.1', 'help', '--man'], ['multiverse.bash', 'completion', 'bash'],
        ['multiverse.fish', 'completion', 'fish'], ['_multiverse', 'completion', 'zsh']])
        assert.equal(readFileSync(path.join(dir, file), 'utf8'), (await run(args)).stdout, file);
});
