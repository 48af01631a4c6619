// Short messages in the corner: what was done, what could not be done.
export interface Toast {
    id: number;
    kind: 'good' | 'bad' | 'info';
    text: string;
    about: string;
}

let next = 1;
export const toasts = $state<Toast[]>([]);

/** `about`: an earlier one about the same goes. */
export function say(text: string, kind: Toast['kind'] = 'info', about = ''): void {
    const toast = {id: next++, kind, text, about};
    const before = about ? toasts.findIndex(t => t.about === about) : -1;
    if (before >= 0) toasts.splice(before, 1);
    toasts.push(toast);
    if (toasts.length > 5) toasts.shift();
    if (kind !== 'bad') setTimeout(() => dismiss(toast.id), 5000);
}

export function dismiss(id: number): void {
    const at = toasts.findIndex(t => t.id === id);
    if (at >= 0) toasts.splice(at, 1);
}

/** For failed calls: the sentence of the error. */
export function sayError(e: unknown): void {
    if (e instanceof DOMException && e.name === 'AbortError') return;
    say(e instanceof Error ? e.message : String(e), 'bad');
}
