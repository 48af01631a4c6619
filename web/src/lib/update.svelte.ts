// Detects that the server was replaced while the page was open and now serves another page.
import {live} from './feed.svelte.ts';

let changed = $state(false);
let firstRun = '',
    firstVersion = '';

export const update = {
    get isAvailable() {
        return changed;
    },
};

async function checkForNewPage(): Promise<void> {
    const mine =
        document.querySelector<HTMLScriptElement>('script[type="module"]')?.getAttribute('src') ??
        '';
    try {
        const response = await fetch('/', {cache: 'no-store', credentials: 'omit'});
        // The name of a script contains a hash of its content.
        if (response.ok && !(await response.text()).includes(mine)) changed = true;
    } catch {
        // The next connection checks again.
    }
}

/** Check after each restart of the server; call it in a component that lives as long as the page.
 * */
export function followUpdates(): void {
    $effect(() => {
        const {run, version, connections} = live;
        if (!run || !connections) return;
        firstRun ||= run;
        firstVersion ||= version;
        if (version !== firstVersion) changed = true;
        else if (run !== firstRun) void checkForNewPage();
    });
}
