// Dark, light or the system's theme. public/theme.js applies it before the first paint.
export type Theme = 'auto' | 'dark' | 'light';
export const THEMES: {name: Theme; title: string}[] = [
    {name: 'auto', title: 'System'},
    {name: 'dark', title: 'Dark'},
    {name: 'light', title: 'Light'},
];

function readTheme(): Theme {
    try {
        const saved = localStorage.getItem('theme');
        return saved === 'dark' || saved === 'light' ? saved : 'auto';
    } catch {
        return 'auto';
    }
}

let current = $state<Theme>(readTheme());

function applyTheme(): void {
    if (current === 'auto') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = current;
}

export const theme = {
    get name() {
        return current;
    },
};

export function setTheme(to: Theme): void {
    current = to;
    applyTheme();
    try {
        localStorage.setItem('theme', to);
    } catch {
        // Without storage it is the system's theme again after a reload.
    }
}

addEventListener('storage', e => {
    // changed in another tab
    if (e.key === 'theme') {
        current = readTheme();
        applyTheme();
    }
});
