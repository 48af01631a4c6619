// Keys that work everywhere on the page, but never while somebody types. Single letters can be turned off: some
// speak to their computer, and every word would be a command.
import {go, WINDOWS} from './route.svelte.ts';

const CHORD_MS = 1500; // between "g" and the letter of the window

function read(): boolean {
    try {
        return localStorage.getItem('letter-keys') !== 'off';
    } catch {
        return true;
    }
}

let letters = $state(read());

export const keys = {
    get letters() {
        return letters;
    },
};

export function setLetterKeys(on: boolean): void {
    letters = on;
    try {
        localStorage.setItem('letter-keys', on ? 'on' : 'off');
    } catch {
        // They are on again after a reload.
    }
}

/** Whether keys belong to what has the focus: fields, menus, dialogs. Looks into shadow roots, too. */
export function isTyping(e: KeyboardEvent): boolean {
    const target = e.composedPath()[0];
    if (!(target instanceof Element)) return false;
    if (target instanceof HTMLElement && target.isContentEditable) return true;
    return (
        target.closest(
            'input:not([type="checkbox"]):not([type="radio"]):not([type="range"]), textarea, select, dialog, [role="menu"], [role="textbox"], [role="combobox"]',
        ) !== null
    );
}

/** Listens until the page ends. `help`: shows the list. */
export function followKeys(help: () => void): () => void {
    let chordSince = -Infinity;
    const listen = (e: KeyboardEvent) => {
        if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.isComposing || isTyping(e)) return;
        if (e.altKey) {
            const window = /^Digit[1-9]$/.test(e.code)
                ? WINDOWS[Number(e.code.slice(5)) - 1]
                : undefined;
            if (window && !e.shiftKey) {
                e.preventDefault();
                go(window.name);
            }
            return;
        }
        if (!letters || e.repeat) return;
        if (e.key === '?') {
            e.preventDefault();
            help();
        } else if (performance.now() - chordSince < CHORD_MS) {
            chordSince = -Infinity;
            const window = WINDOWS.find(w => w.key === e.key);
            if (window) {
                e.preventDefault();
                go(window.name);
            }
        } else if (e.key === 'g') {
            chordSince = performance.now();
        }
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
}

/** Which of `count` tabs a key leads to from the one at `at`; null: it is no key of tabs, or leads nowhere. */
export function nextTab(key: string, at: number, count: number): number | null {
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1}[key];
    const next = to === undefined ? at : (to + count) % count;
    return next === at ? null : next;
}
