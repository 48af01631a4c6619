// The command line itself: help, version, usage errors.
import assert from 'node:assert/strict';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {test} from 'node:test';
import {folder, oneLine, refuses, run, runOnTerminal} from '../fixtures/cli.mjs';

const COMMANDS = ['serve', 'call', 'tools', 'config', 'project', 'run', 'tooling', 'task', 'orchestrate', 'completion',
    'version', 'help'];

test('help lists every command', async () => {
    const {code, stdout, stderr} = await run(['--help']);
    assert.equal(code, 0);
    assert.equal(stderr, '');
    for (const command of COMMANDS)
        assert.match(stdout, new RegExp(`^  ${command} +\\S`, 'm'));
    assert.match(stdout, /Exit codes: 0 success, 1 .*, 2 /);
    assert.equal((await run(['-h'])).stdout, stdout);
    assert.equal((await run(['help'])).stdout, stdout);
});

for (const command of COMMANDS)
    test(`help of ${command}`, async () => {
        const {code, stdout, stderr} = await run([command, '--help']);
        assert.equal(code, 0);
        assert.equal(stderr, '');
        assert.match(stdout, new RegExp(`^usage: multiverse ${command}`));
        for (const part of ['\nOptions:\n', '--help', '\nExamples:\n  ', '\nExit codes:'])
            assert.ok(stdout.includes(part), part);
        const long = stdout.split('\n').filter(line => line.length > 80);
        assert.deepEqual(long, []);
        assert.equal((await run(['help', command])).stdout, stdout);
        assert.equal((await run([command, '-h', '--nonsense'])).stdout, stdout);
    });

test('version prints the version', async () => {
    const {code, stdout} = await run(['--version']);
    assert.equal(code, 0);
    assert.match(stdout, /^multiverse \d+\.\d+\.\d+\n$/);
    assert.equal((await run(['-V'])).stdout, stdout);
    assert.equal((await run(['version'])).stdout, stdout);
});

const WRONG = [
    [[], /a command is missing: multiverse --help/],
    [[''], /unknown command/],
    [['sevre'], /unknown command sevre: did you mean serve\?/],
    [['zzzzzzz'], /unknown command zzzzzzz: multiverse --help lists the commands/],
    [['a\nb\u001b[31m'], /unknown command a\\nb\\u001b\[31m/],
    [['--prot'], /unknown option --prot before the command: multiverse --help/],
    [['help', 'sevre'], /did you mean serve\?/],
    [['help', 'a', 'b'], /help does not take the argument "b"/],
    [['serve', '--prot', '1'], /unknown option --prot: did you mean --port\? \(multiverse serve --help\)/],
    [['serve', '-x'], /unknown option -x/],
    [['serve', 'x'], /serve does not take the argument "x"/],
    [['serve', '--port'], /--port needs a value: --port N/],
    [['serve', '--port', '65536'], /--port must be a number from 0 to 65535, not "65536"/],
    [['serve', '--stdio=1'], /--stdio takes no value/],
    [['serve', '--log-format', 'xml'], /--log-format must be text or json, not "xml"/],
    [['serve', '--log-level=loud'], /--log-level must be debug, info, warn or error/],
    [['serve', '--config', ''], /--config must not be empty/],
    [['serve', '--config', 'nix.json'], /cannot read nix\.json: No such file/],
    [['completion'], /completion needs an argument: multiverse completion bash \| zsh \| fish/],
    [['completion', 'tcsh'], /no completion for the shell tcsh: use bash, zsh or fish/],
    [['version', 'x'], /version does not take the argument "x"/],
    [['tools', '--json', '--markdown'], /--json or --markdown, not both/],
    [['config', 'gett', 'port'], /config: unknown action "gett".*multiverse config --help/],
    [['config', 'get'], /multiverse config get KEY/],
    [['config', 'set', 'port'], /multiverse config set KEY VALUE/],
    [['config', 'list', 'port'], /multiverse config list/],
    [['config', 'get', 'prot'], /unknown setting prot: did you mean port\?/],
    [['config', 'set', 'port', 'x'], /ERR_CONFIG_VALIDATION: port must be a whole number from 0 to 65535, not "x"/],
    [['config', 'set', 'schema_version', '2'], /schema_version is 1 and cannot be changed/],
    [['config', 'get', 'port', '--config', 'nix.json'], /cannot read nix\.json: No such file/],
];
for (const [args, pattern] of WRONG)
    test(`usage error: multiverse ${JSON.stringify(args.join(' '))}`, async t => {
        refuses(await run(args, {cwd: folder(t)}), pattern);
    });

const BAD_FILES = [
    ['{\n  "port": x\n}', /ERR_CONFIG_PARSE: multiverse\.json, line 2, column 11: /],
    ['[]', /ERR_CONFIG_PARSE: .*must be an object/],
    ['{}', /ERR_CONFIG_SCHEMA_VERSION: .*add "schema_version": 1/],
    ['{"schema_version": 2}', /ERR_CONFIG_SCHEMA_VERSION: .*must be 1, not 2/],
    ['{"schema_version": 1, "port": 70000}', /ERR_CONFIG_VALIDATION: .*port must be .* 0 to 65535, not 70000/],
    ['{"schema_version": 1, "log_level": "x\\ny"}', /log_level must be .*, not "x\\ny"/],
    ['{"schema_version": 1, "queue_max_size": 0}', /queue_max_size must be .* 1 to 1024, not 0/],
    ['{"schema_version": 1, "editor_status_interval_ms": 20000}', /stale_connection_timeout_ms \(15000\) must be longer/],
];
for (const [text, pattern] of BAD_FILES)
    test(`wrong configuration: ${text}`, async t => {
        const cwd = folder(t);
        writeFileSync(path.join(cwd, 'multiverse.json'), text);
        for (const args of [['serve', '--port', '0'], ['call', 'get_editor_state'], ['tools'], ['config']])
            refuses(await run(args, {cwd}), pattern);
    });

test('a configuration path that is a folder or unreadable is an error', async t => {
    const cwd = folder(t);
    mkdirSync(path.join(cwd, 'multiverse.json'));
    refuses(await run(['serve', '--port', '0'], {cwd}), /cannot read multiverse\.json: Is a directory/);
    if (process.getuid() !== 0) {
        writeFileSync(path.join(cwd, 'secret.json'), '{"schema_version": 1}');
        chmodSync(path.join(cwd, 'secret.json'), 0);
        refuses(await run(['serve', '--port', '0', '--config', 'secret.json'], {cwd}),
            /cannot read secret\.json: Permission denied/);
    }
});

const BAD_TOKENS = [
    [undefined, /the token file: cannot read tok: No such file/],
    ['', /tok: the first line is empty; .* 16 to 1024 visible ASCII characters/],
    ['short\n', /tok: the token must have 16 to 1024 characters, not 5/],
    ['0123456789 abcdef\n', /tok: the token must be visible ASCII characters without blanks/],
];
for (const [text, pattern] of BAD_TOKENS)
    test(`a token file with ${JSON.stringify(text)}`, async t => {
        const cwd = folder(t);
        if (text !== undefined)
            writeFileSync(path.join(cwd, 'tok'), text, {mode: 0o600});
        refuses(await run(['call', 'get_editor_state', '--port', '1', '--token-file', 'tok'], {cwd}),
            /ERR_CONFIG_VALIDATION/, pattern);
    });

test('an unwritable output is a failure', async () => {
    const args = ['-c', '"$0" tools >/dev/full', (await import('../fixtures/cli.mjs')).multiverse];
    const {code, stderr} = await run(args, {file: 'sh'});
    assert.equal(code, 1);
    oneLine(stderr);
    assert.match(stderr, /cannot write to standard output: No space left/);
});

test('colours are used only on a terminal, and not with NO_COLOR', async () => {
    const env = {...process.env, TERM: 'xterm'};
    delete env.NO_COLOR;
    assert.ok(!(await run(['nix'], {env})).stderr.includes('\u001b'));
    assert.match((await runOnTerminal(['nix'], {env})).stdout, /^\u001b\[31mmultiverse:\u001b\[0m unknown/);
    const plain = await runOnTerminal(['nix'], {env: {...env, NO_COLOR: '1'}});
    assert.equal(plain.code, 2);
    assert.match(plain.stdout, /^multiverse: unknown command nix/);
});

test('tools prints a table, JSON or Markdown', async t => {
    const cwd = folder(t);
    const table = await run(['tools'], {cwd});
    const tools = JSON.parse((await run(['tools', '--json'], {cwd})).stdout);
    const markdown = await run(['tools', '--markdown'], {cwd});
    assert.ok(tools.length >= 8);
    for (const {name} of tools) {
        assert.match(table.stdout, new RegExp(`^${name} `, 'm'));
        assert.ok(markdown.stdout.includes(name));
    }
});
