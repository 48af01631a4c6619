// The token of the server, if it asks for one: from the part of the address that is never sent, kept for this
// tab only.
const KEY = 'multiverse-token';

/** Takes the token out of `#token=...` (further parts, `&/tasks`, stay) and out of the address. */
export function takeToken(): void {
    const found = /^#token=([^&]*)(?:&(.*))?$/.exec(location.hash);
    if (!found)
        return;
    setToken(decodeURIComponent(found[1] ?? ''));
    history.replaceState(null, '', `#${found[2] ?? ''}`);
}

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
    return token() ? {Authorization: `Bearer ${token()}`} : {};
}
