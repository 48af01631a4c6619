// Keys that work everywhere on the page, except while a person types. Single letters can be turned
// off, because speech input would trigger them (WCAG 2.1.4).
import {goTo, WINDOWS} from './route.svelte.ts';

const USES_KEYS =
    'input:not([type="checkbox"]):not([type="radio"]):not([type="range"]), textarea, select, ' +
    'dialog, [role="menu"], [role="textbox"], [role="combobox"]';
const CHORD_MS = 1500; // between "g" and the letter of the window

function readLetterKeys(): boolean {
    try {
        return localStorage.getItem('letter-keys') !== 'off';
    } catch {
        return true;
    }
}

let letters = $state(readLetterKeys());

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
        // Without storage they are on again after a reload.
    }
}

/** Return whether the focused element (field, menu, dialog) uses keys itself, also in a shadow
 * root. */
export function isTyping(e: KeyboardEvent): boolean {
    const target = e.composedPath()[0];
    if (!(target instanceof Element)) return false;
    if (target instanceof HTMLElement && target.isContentEditable) return true;
    return target.closest(USES_KEYS) !== null;
}

/** Listen to the keys of the page; return a function that stops. */
export function followKeys(showHelp: () => void): () => void {
    let chordSince = -Infinity;
    const onKeydown = (e: KeyboardEvent) => {
        if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.isComposing || isTyping(e)) return;
        if (e.altKey) {
            const window = /^Digit[1-9]$/.test(e.code)
                ? WINDOWS[Number(e.code.slice(5)) - 1]
                : undefined;
            if (window && !e.shiftKey) {
                e.preventDefault();
                goTo(window.name);
            }
            return;
        }
        if (!letters || e.repeat) return;
        if (e.key === '?') {
            e.preventDefault();
            showHelp();
        } else if (performance.now() - chordSince < CHORD_MS) {
            chordSince = -Infinity;
            const window = WINDOWS.find(w => w.key === e.key);
            if (window) {
                e.preventDefault();
                goTo(window.name);
            }
        } else if (e.key === 'g') {
            chordSince = performance.now();
        }
    };
    addEventListener('keydown', onKeydown);
    return () => removeEventListener('keydown', onKeydown);
}

/** Return the index of the tab that a key moves to from `at`, or null. */
export function nextTab(key: string, at: number, count: number): number | null {
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1}[key];
    const next = to === undefined ? at : (to + count) % count;
    return next === at ? null : next;
}
