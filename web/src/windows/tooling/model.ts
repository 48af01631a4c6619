// What the form shows of a draft: profiles, categories, candidates, force mode, read from the text as far as it is
// right (what is wrong is the server's to say). Keys are taken in camelCase and in snake_case, as the program does.
import type {CategoryName, Rest, Strategy} from '../../lib/types.ts';
import {member, nodeAt, parse, setValue, type Node, type Path} from './json_text.ts';

export const CATEGORIES: {name: CategoryName; about: string}[] = [
    {
        name: 'meta',
        about: 'anything that the others are not for; its settings hold where a category has none',
    },
    {name: 'plan', about: 'cuts a goal into tasks'},
    {name: 'task', about: 'plans the acceptance criteria of a task'},
    {name: 'execution', about: 'says what to do next, and assesses the result'},
    {name: 'worker', about: 'does the work: changes files, uses tools'},
];

export const STRATEGIES: {name: Strategy; about: string}[] = [
    {name: 'weighted', about: 'by chance, in proportion to the weights'},
    {name: 'round_robin', about: 'one after the other, in the order of the list'},
    {name: 'priority', about: 'the first of the list that can'},
    {name: 'least_recent', about: 'the one whose last use is longest ago'},
];

export interface DraftCandidate {
    index: number;
    path: Path;
    tool: string;
    model: string;
    weight: number; // as it counts: missing or negative is 1
    cliPath: string;
    flags: string[];
    env: [string, string][];
    toolSpecific: string; // its text; '' if there is none
    systemPrompt: string;
    /** Two with the same key are the same for availability and rests. */
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
    name: string; // its id, if it has none
    ownName: string;
    categories: Partial<Record<CategoryName, DraftCategory>>; // those with settings of their own
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

function own(object: Node | null, name: string): [Node, Node] | null {
    return member(object, name) ?? member(object, snake(name));
}

function get(object: Node | null, name: string): Node | null {
    const value = own(object, name)?.[1] ?? null;
    return value?.type === 'null' ? null : value;
}

function text(object: Node | null, name: string): string {
    const v = get(object, name);
    return v?.type === 'string' ? String(v.value) : '';
}

function number(object: Node | null, name: string, fallback: number): number {
    const v = get(object, name);
    return v?.type === 'number' && Number.isFinite(v.value) ? Number(v.value) : fallback;
}

function bool(object: Node | null, name: string, fallback: boolean): boolean {
    const v = get(object, name);
    return v?.type === 'boolean' ? Boolean(v.value) : fallback;
}

function items(object: Node | null, name: string): Node[] {
    const v = get(object, name);
    return v?.type === 'array' ? (v.children ?? []) : [];
}

function pathTo(object: Node | null, at: Path, name: string): Path {
    return [...at, String(own(object, name)?.[0].value ?? name)];
}

/** The path of a member in the spelling that the file has for it; of a new one in that of the others. */
export function pathOf(source: string, at: Path, name: string): Path {
    const {root} = parse(source);
    const found = own(nodeAt(root, at), name);
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

/** Sets a member of what is at `at`, in the file's spelling; undefined takes it away. */
export function setMember(source: string, at: Path, name: string, value: unknown): string {
    return setValue(source, pathOf(source, at, name), value);
}

function readCandidate(source: string, n: Node, path: Path, index: number): DraftCandidate {
    const weight = number(n, 'weight', 1);
    const specific = get(n, 'toolSpecific'),
        env = get(n, 'env');
    const c = {
        index,
        path,
        tool: text(n, 'tool'),
        model: text(n, 'model'),
        weight: weight < 0 ? 1 : weight,
        cliPath: text(n, 'cliPath'),
        flags: items(n, 'flags').map(f =>
            f.type === 'string' ? String(f.value) : source.slice(f.offset, f.offset + f.length),
        ),
        env: (env?.type === 'object' ? (env.children ?? []) : []).map((p): [string, string] => [
            String(p.children?.[0]?.value),
            p.children?.[1]?.type === 'string' ? String(p.children[1].value) : '',
        ]),
        toolSpecific: specific
            ? source.slice(specific.offset, specific.offset + specific.length)
            : '',
        systemPrompt: text(n, 'systemPrompt'),
    };
    return {...c, key: JSON.stringify([canonicalTool(c.tool), c.model, c.cliPath, c.env])};
}

/** claude-code-cli is another name of claude-code. */
export function canonicalTool(name: string): string {
    return name === 'claude-code-cli' ? 'claude-code' : name;
}

function readCategory(source: string, n: Node, path: Path): DraftCategory {
    const at = pathTo(n, path, 'candidates');
    return {
        path,
        strategy: text(n, 'strategy') || 'weighted',
        fallback: bool(n, 'fallbackOnRateLimit', true),
        cooldownSec: number(n, 'cooldownSec', 120),
        candidates: items(n, 'candidates').map((c, i) => readCandidate(source, c, [...at, i], i)),
    };
}

function readProfile(source: string, n: Node, path: Path, index: number): DraftProfile {
    const categories = get(n, 'categories'),
        at = pathTo(n, path, 'categories');
    const profile: DraftProfile = {
        index,
        path,
        id: text(n, 'id'),
        name: text(n, 'name') || text(n, 'id'),
        ownName: text(n, 'name'),
        categories: {},
    };
    for (const {name} of CATEGORIES) {
        const c = get(categories, name);
        if (c?.type === 'object') profile.categories[name] = readCategory(source, c, [...at, name]);
    }
    return profile;
}

/** Null: the text is no JSON object. */
export function readDraft(source: string): DraftModel | null {
    const {root} = parse(source);
    if (root?.type !== 'object') return null;
    const at = pathTo(root, [], 'profiles'),
        force = get(root, 'force');
    const profiles = items(root, 'profiles').map((n, i) => readProfile(source, n, [...at, i], i));
    return {
        active: text(root, 'activeProfile') || (profiles[0]?.id ?? ''),
        force: {
            enabled: bool(force, 'enabled', false),
            tool: text(force, 'tool'),
            model: text(force, 'model'),
        },
        profiles,
    };
}

/** The settings that hold for a category: its own, else meta's; null: nobody's. */
export function settingsOf(profile: DraftProfile, name: CategoryName): DraftCategory | null {
    const found = profile.categories[name];
    return (found?.candidates.length ? found : null) ?? profile.categories.meta ?? null;
}

/** Why one rests: by which sign, and what its provider said. */
export function whyOf({evidence, message}: Rest): string {
    return [evidence, message].filter(Boolean).join(': ');
}
