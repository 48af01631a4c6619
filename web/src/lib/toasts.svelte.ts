// Short messages in the corner of the page: results and errors of actions.
export interface Toast {
    id: number;
    kind: 'good' | 'bad' | 'info';
    text: string;
    about: string;
}

let next = 1;
export const toasts = $state<Toast[]>([]);

/** Show a message. It replaces an earlier one with the same `about`. */
export function showToast(text: string, kind: Toast['kind'] = 'info', about = ''): void {
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

/** Show the message of an error; ignore aborted requests. */
export function showError(e: unknown): void {
    if (e instanceof DOMException && e.name === 'AbortError') return;
    showToast(e instanceof Error ? e.message : String(e), 'bad');
}
