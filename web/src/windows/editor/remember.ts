// Which kinds of components a person keeps open: remembered by type, in this browser.
const KEY = 'editor-components';

function read(): Record<string, boolean> {
    try {
        return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, boolean>;
    } catch {
        return {};
    }
}

export function isOpenType(type: string, otherwise: boolean): boolean {
    return read()[type] ?? otherwise;
}

export function rememberType(type: string, open: boolean): void {
    const entries = Object.entries(read())
        .filter(([t]) => t !== type)
        .slice(-199);
    try {
        localStorage.setItem(KEY, JSON.stringify(Object.fromEntries([...entries, [type, open]])));
    } catch {
        // It begins as it was after a reload.
    }
}

export function rememberedNumber(key: string, otherwise: number): number {
    try {
        const n = Number(localStorage.getItem(key) ?? NaN);
        return Number.isFinite(n) ? n : otherwise;
    } catch {
        return otherwise;
    }
}

export function rememberNumber(key: string, n: number): void {
    try {
        localStorage.setItem(key, String(n));
    } catch {
        // As above.
    }
}
