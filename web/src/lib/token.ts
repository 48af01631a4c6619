// The token of the server, if it asks for one: from the part of the address that is never sent, kept for this
// tab only.
const KEY = 'multiverse-token';

/** Takes the token out of `#token=...` (further parts, `&/tasks`, stay) and out of the address; true: there was one. */
export function takeToken(): boolean {
    const found = /^#token=([^&]*)(?:&(.*))?$/s.exec(location.hash);
    if (!found) return false;
    let given = found[1] ?? '';
    try {
        given = decodeURIComponent(given);
    } catch {
        // A token with a bare "%": as it stands.
    }
    setToken(given);
    history.replaceState(null, '', `#${found[2] ?? ''}`);
    return true;
}

/** What can be sent in a header at all. */
export const isToken = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

export function setToken(token: string): void {
    try {
        sessionStorage.setItem(KEY, token);
    } catch {
        // A browser that keeps nothing asks again after a reload.
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
