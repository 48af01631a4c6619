// Codex, Claude Code and Gemini CLI as their users run them, but each run has a home of its own,
// without the user's files, and no network except loopback.
//
//     const {stdout} = await ask(t, agents.codex, {server: {url}, model});
//     agents.codex.finalText(stdout)                  // its final text
//
// A server is {url}, or {command: [file, ...args]} for stdio. The three differ in everything else:
// the place of the configuration, how a tool is approved without asking, the form of the output.
import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

import {processesWith, until, within} from '../e2e/fixtures/program.mjs';

const modules = path.join(path.dirname(fileURLToPath(import.meta.url)), 'node_modules');
const PROMPT = 'Call the tool.';

/** The lines that are JSON: there are warnings between them, and Gemini may end in the middle of
 * one. */
const events = stdout => stdout.split('\n').flatMap(line => {
    try {
        return line.startsWith('{') ? JSON.parse(line) : [];
    } catch {
        return [];
    }
});
const toml = value => JSON.stringify(value); // strings and arrays of strings have the same form

// An agent's package may be installed without the package for this machine that contains its
// binary.
const machine = `linux-${process.arch}`;

const codex = {
    title: 'Codex',
    binary: path.join(modules, `@openai/codex-${machine}/package.json`),
    program: [process.execPath, path.join(modules, '@openai/codex/bin/codex.js')],
    // Only tools with readOnlyHint run unasked; others are refused without
    // default_tools_approval_mode.
    ask({url, command}, model) {
        const where = url ? `url=${toml(url)}`
            : `command=${toml(command[0])},args=${toml(command.slice(1))}`;
        return {
            args: ['exec', '--json', '--skip-git-repo-check', '--ephemeral',
                '-m', 'local-model', '-c', 'model_provider="local"',
                '-c', `model_providers.local={name="local",base_url=${toml(`${model.url}/v1`)},` +
                    'wire_api="responses",env_key="LOCAL_KEY",request_max_retries=0,stream_max_retries=0}',
                '-c', `mcp_servers.multiverse={${where},required=true,` +
                    'default_tools_approval_mode="approve"}',
                // Off by default: then the tools at the start are the tools of the whole session.
                '-c', 'features.mcp_tool_list_changed=true',
                PROMPT],
            env: {LOCAL_KEY: 'none'},
        };
    },
    finalText(stdout) {
        const all = events(stdout);
        return all.some(e => e.type === 'turn.completed') &&
            all.findLast(e => e.item?.type === 'agent_message')?.item.text;
    },
};

// Its package is a wrapper around the binary, created by an install script; we run no such scripts.
const claudeBinary = path.join(modules, `@anthropic-ai/claude-code-${machine}/claude`);

const claude = {
    title: 'Claude Code',
    binary: claudeBinary,
    program: [claudeBinary],
    // Tools are hidden behind a search unless that is switched off; an unlisted one is refused.
    // --mcp-config and --allowedTools swallow all following arguments, so the prompt comes on
    // stdin.
    ask({url, command}, model) {
        const server = url ? {type: 'http', url} : {command: command[0], args: command.slice(1)};
        return {
            args: ['-p', '--output-format', 'stream-json', '--verbose', '--model', 'sonnet',
                '--no-session-persistence', '--strict-mcp-config',
                '--mcp-config', JSON.stringify({mcpServers: {multiverse: server}}),
                '--allowedTools', 'mcp__multiverse'],
            input: PROMPT,
            env: {
                ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'none', ENABLE_TOOL_SEARCH: 'false',
                CLAUDE_CODE_MAX_RETRIES: '0',
            },
        };
    },
    // A failed run also reports subtype "success".
    finalText(stdout) {
        const end = events(stdout).findLast(e => e.type === 'result');
        return end?.is_error === false && end.result;
    },
};

const geminiScript = path.join(modules, '@google/gemini-cli/bundle/gemini.js');

const gemini = {
    title: 'Gemini CLI',
    binary: geminiScript,
    program: [process.execPath, geminiScript],
    restart: 'Gemini CLI opens no new session where the old one is not found', // a reason to skip
    // Without `trust` the tools are not even offered; without selectedType a base URL is an invalid
    // login.
    ask({url, command}, model) {
        const where = url ? {httpUrl: url} : {command: command[0], args: command.slice(1)};
        return {
            args: ['--skip-trust', '-o', 'stream-json', '-m', 'gemini-2.5-flash', '-p', PROMPT],
            env: {GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_API_KEY: 'none'},
            settings: {
                general: {maxAttempts: 1},
                security: {auth: {selectedType: 'gemini-api-key'}},
                mcpServers: {multiverse: {...where, trust: true}},
            },
        };
    },
    finalText(stdout) {
        const all = events(stdout);
        return all.some(e => e.type === 'result' && e.status === 'success') &&
            all.filter(e => e.type === 'message' && e.role === 'assistant').map(e => e.content).join('');
    },
};

export const agents = {claude, codex, gemini};

/** The reason why this agent cannot run here; false if it can. */
export const missing = agent => !existsSync(agent.binary) &&
    `${agent.title} is not installed: tools/deps.sh clients`;

/** End the process as skipped, in meson's way, if no agent is installed. */
export function skipWithoutAgents() {
    const reasons = Object.values(agents).map(missing);
    if (reasons.every(Boolean)) {
        console.log(`SKIP: ${reasons.join('; ')}`);
        process.exit(77);
    }
}

/** A home for agents until t ends: {dir, env}. */
export function makeHome(t) {
    const dir = mkdtempSync(path.join(os.tmpdir(), 'multiverse-clients-'));
    const inside = name => {
        mkdirSync(path.join(dir, name));
        return path.join(dir, name);
    };
    t.after(() => rmSync(dir, {recursive: true, force: true}));
    return {
        dir, work: inside('work'), gemini: inside('.gemini'),
        env: {
            PATH: `${path.dirname(process.execPath)}:/usr/bin:/bin`, HOME: dir, TERM: 'dumb', NO_COLOR: '1',
            TMPDIR: inside('tmp'), CODEX_HOME: inside('codex'), CLAUDE_CONFIG_DIR: inside('claude'),
            GEMINI_CLI_HOME: dir, GEMINI_CLI_TRUST_WORKSPACE: 'true', GEMINI_CLI_NO_RELAUNCH: '1',
            DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1',
            CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
            // All other connections end at a port where nobody listens.
            HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9',
            NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost',
        },
    };
}

function kill(pid) {
    try {
        process.kill(pid, 'SIGKILL');
    } catch {
        // it has ended
    }
}

/** Run an agent to its end: {code, stdout, stderr}. Its child processes must end with it. */
export async function run(agent, home, args, {env, input} = {}) {
    const [file, ...first] = agent.program;
    const child = spawn(file, [...first, ...args], {
        cwd: home.work, env: {...home.env, ...env}, stdio: ['pipe', 'pipe', 'pipe'], detached: true,
    });
    const end = {stdout: '', stderr: ''};
    for (const name of ['stdout', 'stderr'])
        child[name].setEncoding('utf8').on('data', text => { end[name] += text; });
    child.stdin.on('error', () => {}).end(input ?? '');
    try {
        end.code = await within(new Promise((resolve, reject) => {
            child.once('error', reject).once('close', resolve);
        }), `${agent.title} ${args.join(' ')}`);
        await until(() => processesWith(`HOME=${home.dir}`), 'the end of the agent\'s processes', {is: left => !left.length});
    } catch (error) {
        error.message += `\n${end.stdout}\n${end.stderr}`;
        throw error;
    } finally {
        kill(-child.pid);
        processesWith(`HOME=${home.dir}`).forEach(kill);
    }
    return end;
}

/** Let an agent, connected to the server, talk to the model once: {code, stdout, stderr, text}. */
export async function ask(t, agent, {server, model}) {
    const home = makeHome(t);
    const {args, settings, ...rest} = agent.ask(server, model);
    if (settings)
        writeFileSync(path.join(home.gemini, 'settings.json'), JSON.stringify(settings));
    const end = await run(agent, home, args, rest);
    return {...end, text: agent.finalText(end.stdout)};
}
