// The data of the form: profiles, categories, candidates and force mode, read from the valid part
// of the draft (the server reports errors). Keys may be camelCase or snake_case, as in the program.
import type {CategoryName, Cooldown, Strategy} from '../../lib/types.ts';
import {member, nodeAt, parse, setValue, type Node, type Path} from './json_text.ts';

export const CATEGORIES: {name: CategoryName; about: string}[] = [
    {
        name: 'meta',
        about: 'all other work; its settings apply to categories without their own',
    },
    {name: 'plan', about: 'splits a goal into tasks'},
    {name: 'task', about: 'plans the acceptance criteria of a task'},
    {name: 'execution', about: 'decides the next step and assesses the result'},
    {name: 'worker', about: 'does the work: changes files and uses tools'},
];

export const STRATEGIES: {name: Strategy; about: string}[] = [
    {name: 'weighted', about: 'at random, in proportion to the weights'},
    {name: 'round_robin', about: 'one after the other, in the order of the list'},
    {name: 'priority', about: 'the first available one of the list'},
    {name: 'least_recent', about: 'the least recently used one'},
];

export interface DraftCandidate {
    index: number;
    path: Path;
    tool: string;
    model: string;
    weight: number; // effective value: missing or negative counts as 1
    cliPath: string;
    flags: string[];
    env: [string, string][];
    toolSpecific: string; // JSON text; '': none
    systemPrompt: string;
    /** Candidates with the same key share availability and cooldowns. */
    key: string;
}

export interface DraftCategory {
    path: Path;
    strategy: Strategy | string;
    fallback: boolean;
    cooldownSec: number;
    candidates: DraftCandidate[];
}

export interface DraftProfile {
    index: number;
    path: Path;
    id: string;
    name: string; // the id, if it has no name
    ownName: string;
    categories: Partial<Record<CategoryName, DraftCategory>>; // only those with own settings
}

export interface DraftForce {
    enabled: boolean;
    tool: string;
    model: string;
}

export interface DraftModel {
    active: string; // id of the profile in use
    force: DraftForce;
    profiles: DraftProfile[];
}

export function snake(name: string): string {
    return name.replace(/[A-Z]/g, c => `_${c.toLowerCase()}`);
}

function findMember(object: Node | null, name: string): [Node, Node] | null {
    return member(object, name) ?? member(object, snake(name));
}

function findValue(object: Node | null, name: string): Node | null {
    const value = findMember(object, name)?.[1] ?? null;
    return value?.type === 'null' ? null : value;
}

function readText(object: Node | null, name: string): string {
    const v = findValue(object, name);
    return v?.type === 'string' ? String(v.value) : '';
}

function readNumber(object: Node | null, name: string, fallback: number): number {
    const v = findValue(object, name);
    return v?.type === 'number' && Number.isFinite(v.value) ? Number(v.value) : fallback;
}

function readBool(object: Node | null, name: string, fallback: boolean): boolean {
    const v = findValue(object, name);
    return v?.type === 'boolean' ? Boolean(v.value) : fallback;
}

function readItems(object: Node | null, name: string): Node[] {
    const v = findValue(object, name);
    return v?.type === 'array' ? (v.children ?? []) : [];
}

function pathTo(object: Node | null, at: Path, name: string): Path {
    return [...at, String(findMember(object, name)?.[0].value ?? name)];
}

/** Return the path of a member as spelled in the file; a new member follows the spelling of the
 * others. */
export function pathOf(source: string, at: Path, name: string): Path {
    const {root} = parse(source);
    const found = findMember(nodeAt(root, at), name);
    if (found) return [...at, String(found[0].value)];
    return [...at, usesSnake(root) ? snake(name) : name];
}

const SNAKE = new Set([
    'active_profile',
    'fallback_on_rate_limit',
    'cooldown_sec',
    'cli_path',
    'tool_specific',
    'system_prompt',
]);

function usesSnake(n: Node | null): boolean {
    if (!n) return false;
    return (
        (n.type === 'property' && SNAKE.has(String(n.children?.[0]?.value))) ||
        !!n.children?.some(usesSnake)
    );
}

/** Set a member of the object at `at`, in the spelling of the file; undefined removes it. */
export function setMember(source: string, at: Path, name: string, value: unknown): string {
    return setValue(source, pathOf(source, at, name), value);
}

function readCandidate(source: string, n: Node, path: Path, index: number): DraftCandidate {
    const weight = readNumber(n, 'weight', 1);
    const specific = findValue(n, 'toolSpecific'),
        env = findValue(n, 'env');
    const c = {
        index,
        path,
        tool: readText(n, 'tool'),
        model: readText(n, 'model'),
        weight: weight < 0 ? 1 : weight,
        cliPath: readText(n, 'cliPath'),
        flags: readItems(n, 'flags').map(f =>
            f.type === 'string' ? String(f.value) : source.slice(f.offset, f.offset + f.length),
        ),
        env: (env?.type === 'object' ? (env.children ?? []) : []).map((p): [string, string] => [
            String(p.children?.[0]?.value),
            p.children?.[1]?.type === 'string' ? String(p.children[1].value) : '',
        ]),
        toolSpecific: specific
            ? source.slice(specific.offset, specific.offset + specific.length)
            : '',
        systemPrompt: readText(n, 'systemPrompt'),
    };
    return {...c, key: JSON.stringify([canonicalTool(c.tool), c.model, c.cliPath, c.env])};
}

/** Return the canonical name of an agent: claude-code-cli is an alias of claude-code. */
export function canonicalTool(name: string): string {
    return name === 'claude-code-cli' ? 'claude-code' : name;
}

function readCategory(source: string, n: Node, path: Path): DraftCategory {
    const at = pathTo(n, path, 'candidates');
    return {
        path,
        strategy: readText(n, 'strategy') || 'weighted',
        fallback: readBool(n, 'fallbackOnRateLimit', true),
        cooldownSec: readNumber(n, 'cooldownSec', 120),
        candidates: readItems(n, 'candidates').map((c, i) =>
            readCandidate(source, c, [...at, i], i),
        ),
    };
}

function readProfile(source: string, n: Node, path: Path, index: number): DraftProfile {
    const categories = findValue(n, 'categories'),
        at = pathTo(n, path, 'categories');
    const profile: DraftProfile = {
        index,
        path,
        id: readText(n, 'id'),
        name: readText(n, 'name') || readText(n, 'id'),
        ownName: readText(n, 'name'),
        categories: {},
    };
    for (const {name} of CATEGORIES) {
        const c = findValue(categories, name);
        if (c?.type === 'object') profile.categories[name] = readCategory(source, c, [...at, name]);
    }
    return profile;
}

/** Read the draft; null: the text is not a JSON object. */
export function readDraft(source: string): DraftModel | null {
    const {root} = parse(source);
    if (root?.type !== 'object') return null;
    const at = pathTo(root, [], 'profiles'),
        force = findValue(root, 'force');
    const profiles = readItems(root, 'profiles').map((n, i) =>
        readProfile(source, n, [...at, i], i),
    );
    return {
        active: readText(root, 'activeProfile') || (profiles[0]?.id ?? ''),
        force: {
            enabled: readBool(force, 'enabled', false),
            tool: readText(force, 'tool'),
            model: readText(force, 'model'),
        },
        profiles,
    };
}

/** Return the settings that apply to a category: its own, else those of meta, else null. */
export function settingsOf(profile: DraftProfile, name: CategoryName): DraftCategory | null {
    const found = profile.categories[name];
    return (found?.candidates.length ? found : null) ?? profile.categories.meta ?? null;
}

/** Return the evidence and the provider's message of a cooldown. */
export function cooldownReason({evidence, message}: Cooldown): string {
    return [evidence, message].filter(Boolean).join(': ');
}
