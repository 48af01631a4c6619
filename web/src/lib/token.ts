// The token of the server, if it requires one: read from the fragment of the address (which is
// never sent) and kept for this tab only.
const KEY = 'multiverse-token';

/** Move the token from `#token=...` to the storage of the tab (what follows, `&/tasks`, stays in
 * the address); return whether there was one. */
export function takeToken(): boolean {
    const found = /^#token=([^&]*)(?:&(.*))?$/s.exec(location.hash);
    if (!found) return false;
    let given = found[1] ?? '';
    try {
        given = decodeURIComponent(given);
    } catch {
        // A token with a bare "%": use it undecoded.
    }
    setToken(given);
    history.replaceState(null, '', `#${found[2] ?? ''}`);
    return true;
}

/** Whether the text can be sent in a header. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

export function setToken(token: string): void {
    try {
        sessionStorage.setItem(KEY, token);
    } catch {
        // Without storage the page asks again after a reload.
    }
    current = token;
}

let current: string | null = null;

export function token(): string {
    if (current === null) {
        try {
            current = sessionStorage.getItem(KEY) ?? '';
        } catch {
            current = '';
        }
    }
    return current;
}

export function authorization(): Record<string, string> {
    return isToken(token()) ? {Authorization: `Bearer ${token()}`} : {};
}
