// The console page as a person has it: the real server on a copy of the sample project, the real page in Chromium.
//
//     test('the tree shows the scene', async t => {
//         const {page, server} = await openConsole(t, {hash: '#/editor'});
//         await page.getByRole('treeitem', {name: 'Player'}).click();
//         await shots(page, 'editor');                     // fits 1440 and 420 pixels; with CONSOLE_SHOTS=DIR: pictures
//         await axe(page);                                 // no violation, dark and light
//         const tasks = await watchTasks(t, page);
//         ...
//         await tasks.areShort('scrolling');               // no task of the page takes long
//     });
//
// A test fails, whatever else it checks, if the page has said an error, broken its own policy or asked any other
// host; what a test provokes it has to allow: page.allow(/409/).
// The user of the server has a home of their own: server.user is that of tooling.mjs, so that
// `server.user.json('select', 'worker')` is what the command line says then.
// Everything ends with the test; the server must end with 0.
import assert from 'node:assert/strict';
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import http from 'node:http';
import {createRequire} from 'node:module';
import path from 'node:path';
import {after} from 'node:test';

import {chromium} from 'playwright-core';

import {atEnd, connect, endsWell, NEVER_MS, open as openFakeEditor} from './bridge.mjs';
import {multiverse} from './cli.mjs';
import {LIMIT_MS, Program, slow, until} from './lib.mjs';
import {makeUser} from './tooling.mjs';
import {copySample, scenePath} from './unity.mjs';

export const LARGE = {width: 1440, height: 900};
export const NARROW = {width: 420, height: 860};
/** Where screenshots go; without it there are none. `make shots` sets it. */
const SHOTS = process.env.CONSOLE_SHOTS;
/** A name that leads to this machine, as a trick of DNS does it. */
export const REBOUND = 'rebound.example';
export const TOKEN = 'a-token-of-thirty-two-characters';

// ---- the server

/**
 * `multiverse serve` with a home of its own: {url, port, user, project, call(tool, args), kill(), restart(), ...}.
 * editor: 'headless' (on `project`, a copy of the sample unless given), 'fake' (tests/fake-editor: server.editor), or
 * null; scene: opened; tooling: tooling.json; token; config: multiverse.json; args, env: more of them.
 */
export async function startServer(t, {editor = 'headless', project, scene, tooling, token, config = {}, args = [],
    env = {}, port = 0, user} = {}) {
    user ??= newUser(t, {tooling, env});
    if (editor === 'headless')
        project ??= copySample(t);
    writeFileSync(path.join(user.repo, 'multiverse.json'), JSON.stringify({schema_version: 1, ...config}));
    const server = new Served(t, {user, project, token, args: [
        ...(project && editor === 'headless' ? ['--project', project.dir] : []), ...args]});
    await server.start(port);
    atEnd(t, () => server.end());
    if (editor === 'fake')
        server.editor = await openFakeEditor(t, server);
    if (scene)
        await server.call('open_scene', {path: scenePath(scene)});
    return server;
}

/** makeUser() of tooling.mjs, for a server that ends before it is looked whether anything of the user still runs. */
export function newUser(t, options) {
    atEnd(t, async () => {});
    return makeUser(t, options);
}

class Served {
    constructor(t, given) {
        Object.assign(this, given);
        this.t = t;
        if (this.token) {
            const file = path.join(this.user.dir, 'token');
            writeFileSync(file, this.token, {mode: 0o600});
            this.args = [...this.args, '--token-file', file];
        }
    }

    async start(port = this.port) {
        this.program = new Program(['serve', '--port', `${port}`, '--log-format', 'json', ...this.args],
            {file: multiverse, cwd: this.user.repo, env: this.user.env, stdio: ['ignore', 'ignore', 'pipe']});
        const [, origin, number] = await until(() => {
            assert.equal(this.program.child.exitCode, null, this.program.stderr);
            return this.program.stderr.match(/"listening".*"(http:\/\/127\.0\.0\.1:(\d+))\/mcp"/);
        }, 'the line "listening"');
        this.origin = origin;
        this.url = `${origin}/mcp`;
        this.port = Number(number);
    }

    get pid() {
        return this.program.pid;
    }

    /** SIGKILL, as a crash is. */
    async kill() {
        await this.program.stop('SIGKILL');
        this.killed = true;
    }

    /** Another run of it on the same port. */
    async restart() {
        if (!this.killed)
            await this.end();
        this.killed = false;
        await this.start(this.port);
    }

    async end() {
        if (!this.killed)
            await endsWell(this.t, this.program, 'SIGTERM');
        this.killed = true;
    }

    signal(name) {
        this.program.child.kill(name);
    }

    /** An official client of it, until the test ends (bridge.mjs). */
    connect() {
        return connect(this.t, this, {token: this.token});
    }

    /** One call of a tool; its structured answer, which must be no error. */
    async call(tool, args = {}, {client = 'e2e', timeout = 3 * LIMIT_MS} = {}) {
        const result = await this.tool(tool, args, {client, timeout});
        assert.ok(!result.isError, JSON.stringify(result.structuredContent));
        return result.structuredContent;
    }

    /** The same, whatever it answers: the tool result. */
    async tool(tool, args = {}, {client = 'e2e', timeout = 3 * LIMIT_MS} = {}) {
        const key = 'io.modelcontextprotocol/';
        const answer = await this.fetch('/mcp', {
            method: 'POST', signal: AbortSignal.timeout(timeout),
            headers: {'content-type': 'application/json', accept: 'application/json, text/event-stream',
                'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool},
            body: JSON.stringify({jsonrpc: '2.0', id: 1, method: 'tools/call', params: {name: tool, arguments: args,
                _meta: {[`${key}protocolVersion`]: '2026-07-28', [`${key}clientInfo`]: {name: client, version: '1'},
                    [`${key}clientCapabilities`]: {}}}}),
        });
        const text = await answer.text();
        const json = JSON.parse(text.startsWith('{') ? text : text.trim().split('\n').findLast(l => l.startsWith('data:')).slice(5));
        assert.ok(json.result, text);
        return json.result;
    }

    /** fetch() with the token, of a path. */
    fetch(where, {headers = {}, ...init} = {}) {
        const authorization = this.token ? {authorization: `Bearer ${this.token}`} : {};
        return fetch(`${this.origin}${where}`, {...init, headers: {...authorization, ...headers}});
    }

    /** A question to /api as the page asks it: {status, body}. A body makes it a POST. */
    async api(where, body) {
        const answer = await this.fetch(`/api/${where}`, body === undefined ? {} : {
            method: 'POST', body: JSON.stringify(body), headers: {'content-type': 'application/json', origin: this.origin}});
        return {status: answer.status, body: JSON.parse(await answer.text())};
    }

    /** The same, which must be answered. */
    async ask(where, body) {
        const {status, body: answer} = await this.api(where, body);
        assert.equal(status, 200, `${where}: ${status} ${JSON.stringify(answer).slice(0, 500)}`);
        return answer;
    }

    /** The same, which must be refused with this status, and a reason. */
    async refused(status, where, body) {
        const {status: got, body: answer} = await this.api(where, body);
        assert.equal(got, status, `${where}: ${JSON.stringify(answer).slice(0, 500)}`);
        assert.ok(answer.error.message && answer.error.code, JSON.stringify(answer));
        return answer;
    }
}

// ---- the browser

// Chromium draws its address bar with a page of its own in each window, which costs more than ours. The last
// --disable-features replaces Playwright's: those of its list that concern pages are repeated.
const UNUSED = ['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'SpareRendererForSitePerProcess',
    'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'HttpsFirstBalancedModeAutoEnable',
    'PaintHolding', 'ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'MediaRouter', 'LensOverlay',
    'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'];
const FLAGS = [`--disable-features=${UNUSED}`, '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
    '--disable-background-networking', '--disable-component-update', '--disable-sync', '--disable-dev-shm-usage', `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`];
/** Prefer Debian's headless build of Chromium: it needs a fifth less CPU time than the full browser. */
const CHROMIUM = process.env.CHROMIUM ?? ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(file => existsSync(file));
let browser; // one for all tests of a process: of one file, or of all that pages.mjs was given

async function launch() {
    const launched = await chromium.launch({executablePath: CHROMIUM, args: FLAGS,
        timeout: 3 * LIMIT_MS});
    return launched.once('disconnected', () => { browser = undefined; }); // a crash fails one test, not all that follow
}
after(async () => {
    await (await browser)?.close();
    empty.close();
});

// Runs in every page before its own scripts: what is noticed from inside.
function watchInside() {
    globalThis.seen = {longTasks: [], violations: []};
    document.addEventListener('securitypolicyviolation', e =>
        globalThis.seen.violations.push(`${e.effectiveDirective} ${e.blockedURI} ${e.sourceFile}:${e.lineNumber}`));
    new PerformanceObserver(list => {
        for (const {duration, startTime} of list.getEntries())
            globalThis.seen.longTasks.push({duration, startTime});
    }).observe({type: 'longtask', buffered: true});
}

// Pages of finished tests, for reuse: a new process, context and window cost more than most tests.
const left = [];
const MAX_USES = 12; // of one page: the memory of its process grows with each test

async function newPage(options) {
    const context = await (await (browser ??= launch())).newContext({viewport: LARGE, colorScheme: 'dark', locale: 'en-GB',
        timezoneId: 'UTC', reducedMotion: 'reduce', ...options}); // what moves is drawn 60 times a second
    context.setDefaultTimeout(LIMIT_MS);
    await context.addInitScript(watchInside);
    const page = await context.newPage();
    page.playwrightListeners = new Set(page.eventNames().flatMap(name => page.rawListeners(name)));
    return page;
}

// An empty page on the same host as every test server, so that Chromium keeps the renderer process.
const empty = http.createServer((_, answer) => answer.writeHead(200, {'content-type': 'text/html'}).end());
let emptyUrl;
async function urlOfEmpty() {
    if (!emptyUrl) {
        await new Promise(done => { empty.listen(0, '127.0.0.1', done); });
        empty.unref();
        emptyUrl = `http://127.0.0.1:${empty.address().port}/`;
    }
    return emptyUrl;
}

/** Undo what a test did to a page and keep the page for the next test. */
async function leave(page) {
    await page.evaluate(() => { localStorage.clear(); sessionStorage.clear(); });
    for (const name of page.eventNames())
        page.rawListeners(name).filter(listener => !page.playwrightListeners.has(listener)).forEach(listener => page.off(name, listener));
    await page.unrouteAll();
    await page.mouse.move(-1, -1);
    await page.emulateMedia({colorScheme: 'dark', forcedColors: null});
    await page.goto(await urlOfEmpty());
    left.push(page);
}

/**
 * Open the page of a server. At the end of the test the page must have had no error. The page of an earlier test may be
 * reused after a reset. With prepare(page), called before the page is loaded, or with further context options the page is
 * always new and never reused: page.clock and addInitScript() cannot be undone.
 */
export async function openPage(t, server, {hash = '', size = LARGE, theme = 'dark', prepare, ...options} = {}) {
    const isShared = !prepare && !Object.keys(options).length;
    const page = isShared && left.pop() || await newPage({viewport: size, colorScheme: theme, ...options});
    if (page.viewportSize().width !== size.width || page.viewportSize().height !== size.height)
        await page.setViewportSize(size);
    if (theme !== 'dark')
        await page.emulateMedia({colorScheme: theme});
    const troubles = [], allowed = [];
    const trouble = text => troubles.push(text);
    page.allow = pattern => allowed.push(pattern);
    page.on('pageerror', error => trouble(`error in the page: ${error.stack ?? error}`));
    page.on('console', message => {
        if (['error', 'warning'].includes(message.type()))
            trouble(`${message.type()} in the console: ${message.text()} (${message.location().url})`);
    });
    page.on('request', request => {
        const url = new URL(request.url());
        if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== server.origin)
            trouble(`asked another host: ${request.url()}`);
    });
    page.on('crash', () => trouble('the page crashed'));
    page.troubles = async () => {
        const inside = await page.evaluate(() => globalThis.seen?.violations ?? []).catch(() => []);
        return [...troubles, ...inside.map(v => `broke the policy: ${v}`)]
            .filter(text => !allowed.some(pattern => pattern.test(text)));
    };
    atEnd(t, async () => {
        const found = await page.troubles();
        page.uses = (page.uses ?? 0) + 1;
        if (isShared && page.uses < MAX_USES && t.passed && !found.length && !page.isClosed() && page.context().pages().length === 1)
            await leave(page);
        else
            await page.context().close();
        assert.deepEqual(found, []);
    });
    await prepare?.(page);
    await page.goto(`${server.origin}/${hash}`);
    return page;
}

/** Server and page; the page is connected (unless it has no token). */
export async function openConsole(t, {hash, size, theme, ...options} = {}) {
    const server = await startServer(t, options);
    const withToken = server.token && !hash?.includes('token=') ? `#token=${server.token}&${(hash ?? '').slice(1)}` : hash;
    const page = await openPage(t, server, {hash: withToken, size, theme});
    await connected(page);
    return {server, page};
}

/** The page has its feed. */
export async function connected(page) {
    await page.locator('[data-connection="open"]').waitFor({state: 'attached'});
}

/** Frames have been drawn since, and what was asked for is there. */
export async function settled(page) {
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/**
 * From now on no time passes for the page but what the test lets pass, with page.clock.runFor(). The page was opened with
 * {prepare: page => page.clock.install()}.
 */
export const stopClock = async page => page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));

// ---- looks

/**
 * The page fits both widths, and is afterwards as it was. With CONSOLE_SHOTS there are screenshots as well:
 * NAME-{dark,light}-{1440,420}.png. `show`: scrolled to.
 */
export async function shots(page, name, {show} = {}) {
    const before = page.viewportSize();
    for (const colorScheme of SHOTS ? ['dark', 'light'] : ['dark']) {
        await page.emulateMedia({colorScheme});
        for (const size of [LARGE, NARROW]) {
            if (page.viewportSize().width !== size.width)
                await page.setViewportSize(size);
            await show?.scrollIntoViewIfNeeded();
            await settled(page);
            if (SHOTS)
                await page.screenshot({path: path.join(SHOTS, `${name}-${colorScheme}-${size.width}.png`),
                    animations: 'disabled', timeout: 3 * LIMIT_MS});
            await neverWider(page, `${name} ${size.width}`);
        }
    }
    await page.setViewportSize(before);
    await page.emulateMedia({colorScheme: 'dark'});
    await settled(page);
}

/** Nothing makes the page itself scroll sideways. */
export async function neverWider(page, what = 'the page') {
    const [wide, inner] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
    assert.ok(wide <= inner, `${what} is ${wide} pixels wide in a window of ${inner}`);
}

const COLOUR_RULES = ['color-contrast', 'link-in-text-block']; // those of axe's category cat.color that are on
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const passed = new Set(); // styles of texts (styleOf) whose colours axe has accepted

// Runs in the page. Without `known`: check all rules but those of colours. With `known`, the accepted styles: check the
// colours of texts with other styles only; `styles` returns the styles that were accepted now.
async function runAxe([selector, known, rules]) {
    await Promise.allSettled(document.getAnimations().filter(a => a.effect?.getTiming().iterations !== Infinity)
        .map(a => a.finished)); // colours that fade are none
    const dialogs = [...document.querySelectorAll('dialog:modal')];
    const roots = selector ? [...document.querySelectorAll(selector)] : dialogs.length ? dialogs : [document.documentElement];
    const options = {preload: false, selectors: false, resultTypes: ['violations']};
    const found = ({violations}) => violations.flatMap(({id, help, nodes}) =>
        nodes.map(node => `${id}: ${help}: ${node.html.slice(0, 200)} (${node.failureSummary})`));
    if (!known) {
        const off = Object.fromEntries(rules.map(id => [id, {enabled: false}]));
        return {faults: found(await globalThis.axe.run(selector || dialogs.length ? roots : document, {...options, rules: off})), styles: []};
    }

    const hasText = element => [...element.childNodes].some(n => n.nodeType === Node.TEXT_NODE && n.data.trim());
    const isWritten = element => hasText(element) || element.matches('a, select, textarea, input:not([type=checkbox], [type=radio], [type=range], [type=color], [type=file])');
    // A hash of the styles of an element and its ancestors, which decide its contrast. One text of each style is enough.
    const styles = new Map();
    const styleOf = element => {
        if (!element)
            return 0;
        if (!styles.has(element)) {
            const s = getComputedStyle(element);
            let hash = styleOf(element.parentElement);
            for (const c of [element.tagName, element.getAttribute('class'), element.getAttribute('role'), element.matches(':disabled, [aria-disabled=true]'),
                element.matches('a') && hasText(element.parentElement),
                s.color, s.backgroundColor, s.backgroundImage, s.opacity, s.fontSize, s.fontWeight, s.textShadow, s.position].join())
                hash = (Math.imul(hash % 4294967296, 31) + c.charCodeAt(0) >>> 0) + 4294967296 * ((Math.imul(hash / 4294967296, 33) ^ c.charCodeAt(0)) & 0xfffff);
            styles.set(element, hash);
        }
        return styles.get(element);
    };
    const isSeen = element => { // as axe decides it
        const {left, top, right, bottom, width, height} = element.getBoundingClientRect();
        return width > 1 && height > 1 && right > 0 && bottom > 0 && left < innerWidth && top < innerHeight
            && element.checkVisibility({visibilityProperty: true});
    };
    const had = new Set(known), unseen = new Map();
    for (const root of roots)
        for (const element of [root, ...root.querySelectorAll('*')]) {
            if (isWritten(element) && isSeen(element) && !had.has(styleOf(element)))
                unseen.set(element, styleOf(element));
        }
    if (!unseen.size)
        return {faults: [], styles: []};
    const result = await globalThis.axe.run([...unseen.keys()], {...options, resultTypes: ['violations', 'passes'], elementRef: true, runOnly: rules});
    const fine = result.passes.flatMap(({nodes}) => nodes.map(node => node.element));
    fine.push(...[...unseen.keys()].filter(element => element.matches('a') && !hasText(element))); // their text is in a child, which is checked itself
    return {faults: found(result), styles: fine.map(element => unseen.get(element)).filter(style => style !== undefined)};
}

/**
 * Check that axe-core finds no violation in both themes: below `within`, a selector; else in the modal dialog, if one is
 * open (the page behind it cannot be reached, and has a test of its own); else in the whole page. The themes differ in
 * colours only, so the light theme is checked for colours only. Colour rules are slow: a text with the same styles as one
 * that passed in this process is not checked again.
 */
export async function axe(page, {within} = {}) {
    const found = [];
    const run = async (colorScheme, known) => {
        const {faults, styles} = await page.evaluate(runAxe, [within, known && [...known], COLOUR_RULES]);
        styles.forEach(style => passed.add(style));
        found.push(...faults.map(fault => `${colorScheme} ${fault}`));
    };
    if (!await page.evaluate(() => 'axe' in globalThis))
        await page.evaluate(axeSource);
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({colorScheme});
        await settled(page);
        await run(colorScheme, passed);
    }
    await run('dark');
    assert.deepEqual(found, []);
}

// ---- speed

/** `make bench` sets it: times by the clock are held against their limits, which a busy machine cannot keep. */
const BY_CLOCK = process.env.PAGE_CLOCK === '1';

/** What took `ms` by the clock may take `most`, on a quiet machine. */
export function clocked(t, what, ms, most) {
    t.diagnostic(`${what}: ${Math.round(ms)} ms`);
    assert.ok(!BY_CLOCK || ms < most * slow, `${what}: ${ms} ms`);
}

const MOST_MS = 200; // of a task of the page, by the clock
const MOST_UNITS = 50; // the same as work: a unit is some 4 ms
const ROUNDS = 5;

// Runs in the page: some work that any machine needs the same share of its speed for, ROUNDS times.
function unitsOfWork(rounds) {
    performance.mark('units of work');
    for (let round = 0; round < rounds; round++) {
        const words = Array.from({length: 6000}, (_, i) => `word ${i * 7919 % 6007}`);
        if (new Set(words.sort()).size !== 6000)
            throw new Error('a word is missing');
    }
}

/**
 * What the page does from now on: none of its tasks may be longer than MOST_UNITS units of work, which are measured by
 * the same thread. Both are processor time, so it does not matter what else the machine does.
 *
 *     const tasks = await watchTasks(t, page);
 *     ...
 *     await tasks.areShort('searching');
 */
export async function watchTasks(t, page) {
    const own = await browser;
    let isWatching = true;
    const stop = async () => {
        isWatching = false;
        return JSON.parse(await own.stopTracing()).traceEvents;
    };
    await page.evaluate(() => { globalThis.seen.longTasks = []; });
    await own.startTracing(undefined, {categories: ['toplevel', 'blink.user_timing']});
    atEnd(t, async () => { if (isWatching) await stop(); });
    return {
        async areShort(what) {
            // The observer is told of a task after it has ended.
            await page.evaluate(() => new Promise(done => setTimeout(() => requestAnimationFrame(() => setTimeout(done)))));
            const long = await page.evaluate(() => globalThis.seen.longTasks);
            await page.evaluate(unitsOfWork, ROUNDS);
            await page.evaluate(() => {}); // that task is in the trace when it has ended
            const {longest, unit} = inTrace(await stop());
            t.diagnostic(`${what}: the longest task is ${(longest / unit).toFixed(1)} units, ${(longest / 1000).toFixed()} ms of the processor`);
            assert.ok(longest < MOST_UNITS * unit, `${what}: a task of ${longest / unit} units`);
            clocked(t, `${what}: the longest task`, Math.max(0, ...long.map(task => task.duration)), MOST_MS);
        },
    };
}

/** Processor time in microseconds: of the longest task of a page, and of a unit of work. */
function inTrace(events) {
    const main = new Set(events.filter(e => e.name === 'thread_name' && e.args.name === 'CrRendererMain').map(e => `${e.pid} ${e.tid}`));
    const tasks = events.filter(e => e.name === 'ThreadControllerImpl::RunTask' && e.ph === 'X' && main.has(`${e.pid} ${e.tid}`));
    const {pid, ts} = events.find(e => e.name === 'units of work');
    const work = tasks.find(e => e.pid === pid && e.ts <= ts && ts <= e.ts + e.dur);
    const longest = Math.max(...tasks.filter(e => e !== work).map(e => e.tdur ?? 0)); // one that began before the trace has none
    return {longest, unit: work.tdur / ROUNDS};
}

export {LIMIT_MS, NEVER_MS, atEnd, slow, until};
