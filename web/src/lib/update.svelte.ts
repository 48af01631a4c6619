// Whether the server has another page by now: it was replaced while this one was open.
import {live} from './feed.svelte.ts';

let changed = $state(false);
let firstRun = '',
    firstVersion = '';

export const update = {
    get isThere() {
        return changed;
    },
};

async function look(): Promise<void> {
    const mine =
        document.querySelector<HTMLScriptElement>('script[type="module"]')?.getAttribute('src') ??
        '';
    try {
        const answer = await fetch('/', {cache: 'no-store', credentials: 'omit'});
        if (answer.ok && !(await answer.text()).includes(mine)) changed = true; // names of scripts change with what is in them
    } catch {
        // The next connection looks again.
    }
}

/** Looks with each new run of the server; of the component that lives as long as the page. */
export function followUpdates(): void {
    $effect(() => {
        const {run, version, connections} = live;
        if (!run || !connections) return;
        firstRun ||= run;
        firstVersion ||= version;
        if (version !== firstVersion) changed = true;
        else if (run !== firstRun) void look();
    });
}
