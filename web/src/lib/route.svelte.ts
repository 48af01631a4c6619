// Where the page is: `#/window?key=value`. The address is the truth, so that every view can be linked to.

export type WindowName = 'editor' | 'activity' | 'tasks' | 'tooling';
export const WINDOWS: {name: WindowName; title: string}[] = [
    {name: 'editor', title: 'Editor'},
    {name: 'activity', title: 'Activity'},
    {name: 'tasks', title: 'Tasks'},
    {name: 'tooling', title: 'Tooling'},
];

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

let current = $state<Route>(read());
addEventListener('hashchange', () => { current = read(); });

export const route = {
    get window() { return current.window; },
    get query() { return current.query; },
};

export function link(window: WindowName, query: Record<string, string | number | null | undefined> = {}): string {
    const given = Object.entries(query).filter(([, v]) => v !== null && v !== undefined && v !== '');
    const text = new URLSearchParams(given.map(([k, v]) => [k, String(v)])).toString();
    return `#/${window}${text ? `?${text}` : ''}`;
}

/** Opens a window; `replace`: without a step in the history. */
export function go(window: WindowName, query: Record<string, string | number | null | undefined> = {}, replace = false): void {
    const to = link(window, query);
    if (replace) {
        history.replaceState(null, '', to);
        current = read();
    } else {
        location.hash = to;
    }
}
