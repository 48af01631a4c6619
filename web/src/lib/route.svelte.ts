// Where the page is: `#/window?key=value`. The address is the truth, so that every view can be linked to.
import {takeToken} from './token.ts';

export type WindowName = 'editor' | 'activity' | 'tasks' | 'tooling';
/** In the order of the bar; `key` is what opens it behind "g". */
export const WINDOWS = [
    {name: 'editor', title: 'Editor', key: 'e'},
    {name: 'activity', title: 'Activity', key: 'a'},
    {name: 'tasks', title: 'Tasks', key: 't'},
    {name: 'tooling', title: 'Tooling', key: 's'},
] as const satisfies {name: WindowName; title: string; key: string}[];

/** The event of an address with a token that was put into an open page. */
export const NEW_TOKEN = 'multiverse-token';

interface Route {
    window: WindowName;
    query: Record<string, string>;
}

function read(): Route {
    const [path = '', query = ''] = location.hash.replace(/^#/, '').split(/\?(.*)/s);
    const name = path.replace(/^\//, '').split('/')[0];
    const window = WINDOWS.find(w => w.name === name)?.name ?? 'editor';
    return {window, query: Object.fromEntries(new URLSearchParams(query))};
}

takeToken(); // it stands where the window would
let current = $state<Route>(read());
addEventListener('hashchange', () => {
    if (takeToken()) dispatchEvent(new Event(NEW_TOKEN));
    const to = read();
    if (to.window !== current.window && guard && !guard(location.hash))
        history.replaceState(null, '', link(current.window, current.query));
    else current = to;
});

let guard: ((hash: string) => boolean) | null = null;

/** Asked before another window takes the place of this one; false: it stays, and the guard asks the person. */
export function guardLeaving(may: (hash: string) => boolean): () => void {
    guard = may;
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

export function link(
    window: WindowName,
    query: Record<string, string | number | null | undefined> = {},
): string {
    const given = Object.entries(query).filter(
        ([, v]) => v !== null && v !== undefined && v !== '',
    );
    const text = new URLSearchParams(given.map(([k, v]) => [k, String(v)])).toString();
    return `#/${window}${text ? `?${text}` : ''}`;
}

/** Opens a window; `replace`: without a step in the history. */
export function go(
    window: WindowName,
    query: Record<string, string | number | null | undefined> = {},
    replace = false,
): void {
    const to = link(window, query);
    if (replace) {
        history.replaceState(null, '', to);
        current = read();
    } else {
        location.hash = to;
    }
}
