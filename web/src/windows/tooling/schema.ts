// The keys of tooling.json as a table, for completion and hints (docs/spec/30-tooling.md, 1;
// docs/tooling.md).
import {CATEGORIES, snake, STRATEGIES} from './model.ts';
import type {Path} from './json_text.ts';

export interface Choice {
    value: string;
    about: string;
}

export interface Member {
    about: string;
    type: string; // in words
    shape?: string; // of an object, or of the items of a list
    list?: boolean;
    values?: Choice[] | 'tools' | 'profiles' | 'models';
    fill?: unknown; // value that completion inserts
}

export interface Shape {
    about: string;
    members: Record<string, Member>;
    any?: Member; // type of further members
}

const CANDIDATE: Record<string, Member> = {
    tool: {about: 'The agent.', type: 'text', values: 'tools', fill: ''},
    model: {
        about: "Model name of the agent; default: the agent's default model.",
        type: 'text',
        values: 'models',
        fill: '',
    },
    weight: {
        about: 'Share with "weighted"; 0 disables the candidate; default: 1.',
        type: 'number from 0',
        fill: 1,
    },
    cliPath: {about: 'Path of the program, if it is not in PATH.', type: 'text', fill: ''},
    flags: {about: 'Further arguments for the agent.', type: 'list of texts', fill: []},
    env: {
        about: 'Environment variables. "env:NAME" reads your environment.',
        type: 'object of texts',
        shape: 'env',
        fill: {},
    },
    toolSpecific: {
        about: 'Settings of the agent; for an unknown name the error lists the valid ones.',
        type: 'object',
        shape: 'toolSpecific',
        fill: {},
    },
    systemPrompt: {about: 'Precedes the task.', type: 'text', fill: ''},
};

const text = (about: string, values?: Choice[]): Member => ({
    about,
    type: 'text',
    ...(values && {values}),
    fill: '',
});
const choices = (...values: string[]): Choice[] => values.map(value => ({value, about: ''}));

export const SHAPES: Record<string, Shape> = {
    top: {
        about: 'Which agents do which work.',
        members: {
            activeProfile: {
                about: 'Id of the active profile; default: the first one.',
                type: 'text',
                values: 'profiles',
                fill: '',
            },
            profiles: {
                about: 'Sets of candidates; one of them is active.',
                type: 'list of profiles',
                shape: 'profile',
                list: true,
                fill: [],
            },
            force: {
                about: 'One agent for all work, without availability, cooldowns and fallback.',
                type: 'object',
                shape: 'force',
                fill: {enabled: false, tool: '', model: ''},
            },
        },
    },
    profile: {
        about: 'A profile.',
        members: {
            id: text('Unique name of the profile.'),
            name: text('Displayed name; default: the id.'),
            categories: {
                about: 'Settings by kind of work.',
                type: 'object of settings',
                shape: 'categories',
                fill: {},
            },
        },
    },
    categories: {
        about: 'Kinds of work.',
        members: Object.fromEntries(
            CATEGORIES.map(({name, about}) => [
                name,
                {
                    about: `${about[0]!.toUpperCase()}${about.slice(1)}.`,
                    type: 'settings',
                    shape: 'settings',
                    fill: {strategy: 'weighted', candidates: []},
                } satisfies Member,
            ]),
        ),
    },
    settings: {
        about: 'Settings of a category.',
        members: {
            strategy: {
                about: 'How one of the candidates is selected.',
                type: 'text',
                fill: 'weighted',
                values: STRATEGIES.map(({name, about}) => ({value: name, about})),
            },
            candidates: {
                about: 'Agents and models, at least one, in order.',
                type: 'list of candidates',
                shape: 'candidate',
                list: true,
                fill: [],
            },
            fallbackOnRateLimit: {
                about: 'Use another candidate on failure; false: fail; default: true.',
                type: 'true or false',
                fill: true,
            },
            cooldownSec: {
                about: 'Minimum cooldown after a limit, in seconds; default: 120.',
                type: 'whole number from 0 to 2678400',
                fill: 120,
            },
        },
    },
    candidate: {about: 'An agent and a model.', members: CANDIDATE},
    force: {
        about: 'Force mode.',
        members: {
            enabled: {
                about: 'Whether this agent does all work.',
                type: 'true or false',
                fill: false,
            },
            ...CANDIDATE,
        },
    },
    env: {
        about: 'Environment variables of the agent.',
        members: {
            ANTHROPIC_API_KEY: text('Key of claude-code; "" uses the login even if a key is set.'),
            ANTHROPIC_BASE_URL: text('Another endpoint for claude-code.'),
            CLAUDE_CONFIG_DIR: text('Another login of claude-code.'),
            CODEX_API_KEY: text('Key of codex-cli.'),
            CODEX_HOME: text('Another login of codex-cli.'),
            GEMINI_API_KEY: text('Key of gemini-cli.'),
            GEMINI_CLI_HOME: text('Another login of gemini-cli.'),
            GOOGLE_GEMINI_BASE_URL: text('Another endpoint for gemini-cli.'),
            CURSOR_API_KEY: text('Key of cursor-cli.'),
            OPENAI_API_KEY: text('Key of openai-chat (and of codex-cli).'),
        },
        any: {
            about: 'A variable; "env:NAME" reads it from your environment.',
            type: 'text',
        },
    },
    'toolSpecific:codex-cli': {
        about: 'Settings of codex-cli.',
        members: {
            sandbox: text(
                'Permissions.',
                choices('read-only', 'workspace-write', 'danger-full-access'),
            ),
            reasoning_effort: text('As codex names it: low, medium, high.'),
            profile: text('A profile of config.toml.'),
        },
    },
    'toolSpecific:claude-code': {
        about: 'Settings of claude-code.',
        members: {
            permission_mode: text(
                'What it may do without approval.',
                choices(
                    'acceptEdits',
                    'auto',
                    'bypassPermissions',
                    'default',
                    'dontAsk',
                    'manual',
                    'plan',
                ),
            ),
            allowed_tools: {about: 'Tools it may use.', type: 'list of texts', fill: []},
            disallowed_tools: {about: 'Tools it may not use.', type: 'list of texts', fill: []},
            max_turns: {about: 'Maximum number of turns.', type: 'whole number from 1', fill: 10},
            max_budget_usd: {about: 'Maximum cost in US dollars.', type: 'number from 0', fill: 1},
        },
    },
    'toolSpecific:gemini-cli': {
        about: 'Settings of gemini-cli.',
        members: {
            approval_mode: text(
                'What it may do without approval.',
                choices('default', 'auto_edit', 'yolo', 'plan'),
            ),
            sandbox: {
                about: 'Whether it runs in its own sandbox.',
                type: 'true or false',
                fill: true,
            },
        },
    },
    'toolSpecific:cursor-cli': {
        about: 'Settings of cursor-cli.',
        members: {
            force: {
                about: 'Allow everything that is not forbidden.',
                type: 'true or false',
                fill: true,
            },
        },
    },
    'toolSpecific:openai-chat': {
        about: 'Settings of openai-chat.',
        members: {
            temperature: {
                about: 'Randomness from 0 (deterministic) up.',
                type: 'number from 0',
                fill: 0,
            },
            max_tokens: {
                about: 'Maximum number of tokens in the response.',
                type: 'whole number from 1',
                fill: 4096,
            },
            base_url: text('Another endpoint, as in https://host/v1.'),
            reasoning_effort: text('As the model names it: low, medium, high.'),
        },
    },
    'toolSpecific:mock': {
        about: 'Settings of the stand-in.',
        members: {
            script: {
                about: 'Script to play: a file, or the script itself.',
                type: 'text or list',
                fill: '',
            },
            state: text('File that stores the position in the script.'),
        },
    },
};

/** Find a member by its name in camelCase or snake_case. */
function findMember(shape: Shape, key: string): Member | null {
    return (
        Object.entries(shape.members).find(([name]) => name === key || snake(name) === key)?.[1] ??
        shape.any ??
        null
    );
}

/** Return the shape of the object at a path; `tool` is the agent of the candidate, for its
 * toolSpecific. */
export function shapeAt(path: Path, tool = ''): Shape | null {
    let name = 'top',
        isList = false;
    for (const step of path) {
        if (isList) {
            if (typeof step !== 'number') return null;
            isList = false;
            continue;
        }
        const shape = shapeNamed(name, tool),
            m = shape && typeof step === 'string' ? findMember(shape, step) : null;
        if (!m?.shape) return null;
        name = m.shape;
        isList = m.list ?? false;
    }
    return isList ? null : shapeNamed(name, tool);
}

function shapeNamed(name: string, tool: string): Shape | null {
    return SHAPES[name === 'toolSpecific' ? `toolSpecific:${tool}` : name] ?? null;
}

/** Return the member that a path ends with, or null. */
export function memberAt(path: Path, tool = ''): Member | null {
    const key = path.at(-1);
    const shape = shapeAt(path.slice(0, -1), tool);
    return shape && typeof key === 'string' ? findMember(shape, key) : null;
}

/** Return the models of an agent in the built-in settings. */
export function modelsOf(tool: string): string[] {
    return Object.hasOwn(MODELS, tool) ? MODELS[tool]! : [];
}

const MODELS: Record<string, string[]> = {
    'codex-cli': ['gpt-5.2', 'gpt-5.2-codex'],
    'claude-code': ['claude-sonnet-4-5-20250929', 'claude-haiku-4-5-20251001'],
    'gemini-cli': ['gemini-3-pro-preview', 'gemini-3-flash-preview'],
    'openai-chat': ['gpt-5.2'],
};
