// The address of a view: `#/window?key=value`. Views keep their state in it, so that each can be
// linked to.
import {takeToken} from './token.ts';

export type WindowName = 'editor' | 'activity' | 'tasks' | 'tooling';
/** In the order of the bar; `key` opens the window after "g". */
export const WINDOWS = [
    {name: 'editor', title: 'Editor', key: 'e'},
    {name: 'activity', title: 'Activity', key: 'a'},
    {name: 'tasks', title: 'Tasks', key: 't'},
    {name: 'tooling', title: 'Tooling', key: 's'},
] as const satisfies {name: WindowName; title: string; key: string}[];

/** Sent when an address with a token is entered into an open page. */
export const NEW_TOKEN = 'multiverse-token';

interface Route {
    window: WindowName;
    query: Record<string, string>;
}

function readRoute(): Route {
    const [path = '', query = ''] = location.hash.replace(/^#/, '').split(/\?(.*)/s);
    const name = path.replace(/^\//, '').split('/')[0];
    const window = WINDOWS.find(w => w.name === name)?.name ?? 'editor';
    return {window, query: Object.fromEntries(new URLSearchParams(query))};
}

takeToken(); // before the route is read: the token replaces it in the address
let current = $state<Route>(readRoute());
addEventListener('hashchange', () => {
    if (takeToken()) dispatchEvent(new Event(NEW_TOKEN));
    const to = readRoute();
    if (to.window !== current.window && guard && !guard(location.hash))
        history.replaceState(null, '', linkTo(current.window, current.query));
    else current = to;
});

let guard: ((hash: string) => boolean) | null = null;

/** Call `canLeave` before another window opens; if it returns false, this one stays open and
 * `canLeave` must ask the person. Return a function that removes the guard. */
export function guardLeaving(canLeave: (hash: string) => boolean): () => void {
    guard = canLeave;
    return () => {
        guard = null;
    };
}

export const route = {
    get window() {
        return current.window;
    },
    get query() {
        return current.query;
    },
};

export function linkTo(
    window: WindowName,
    query: Record<string, string | number | null | undefined> = {},
): string {
    const given = Object.entries(query).filter(
        ([, v]) => v !== null && v !== undefined && v !== '',
    );
    const text = new URLSearchParams(given.map(([k, v]) => [k, String(v)])).toString();
    return `#/${window}${text ? `?${text}` : ''}`;
}

/** Open a window; with `replace`, without a new entry in the browser's history. */
export function goTo(
    window: WindowName,
    query: Record<string, string | number | null | undefined> = {},
    replace = false,
): void {
    const to = linkTo(window, query);
    if (replace) {
        history.replaceState(null, '', to);
        current = readRoute();
    } else {
        location.hash = to;
    }
}
