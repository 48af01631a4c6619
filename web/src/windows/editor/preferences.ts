// Preferences of the editor window, stored in the browser: open component types, sizes.
const KEY = 'editor-components';

function readTypes(): Record<string, boolean> {
    try {
        return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, boolean>;
    } catch {
        return {};
    }
}

export function isTypeOpen(type: string, fallback: boolean): boolean {
    return readTypes()[type] ?? fallback;
}

export function saveTypeOpen(type: string, open: boolean): void {
    const entries = Object.entries(readTypes())
        .filter(([t]) => t !== type)
        .slice(-199);
    try {
        localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...entries, [type, open]])));
    } catch {
        // Without storage the state is lost on reload.
    }
}

export function readNumber(key: string, fallback: number): number {
    try {
        const n = Number(localStorage.getItem(key) ?? NaN);
        return Number.isFinite(n) ? n : fallback;
    } catch {
        return fallback;
    }
}

export function saveNumber(key: string, n: number): void {
    try {
        localStorage.setItem(key, String(n));
    } catch {
        // Without storage the number is lost on reload.
    }
}
