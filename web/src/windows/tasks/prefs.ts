// Switches of a person that outlive the page.
export function kept(name: string, otherwise: boolean): boolean {
    try {
        const text = localStorage.getItem(`tasks-${name}`);
        return text === null ? otherwise : text === 'true';
    } catch {
        return otherwise;
    }
}

export function keep(name: string, value: boolean): void {
    try {
        localStorage.setItem(`tasks-${name}`, String(value));
    } catch {
        // It is as before after a reload.
    }
}
