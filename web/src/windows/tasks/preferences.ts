// Switches of the task window, stored in the browser.
export function readSwitch(name: string, fallback: boolean): boolean {
    try {
        const text = localStorage.getItem(`tasks-${name}`);
        return text === null ? fallback : text === 'true';
    } catch {
        return fallback;
    }
}

export function saveSwitch(name: string, value: boolean): void {
    try {
        localStorage.setItem(`tasks-${name}`, String(value));
    } catch {
        // Without storage the switch is reset on reload.
    }
}
