// Dark, light, or what the system says. public/theme.js sets it before the page is drawn.
export type Theme = 'auto' | 'dark' | 'light';
export const THEMES: {name: Theme; title: string}[] = [
    {name: 'auto', title: 'As the system'},
    {name: 'dark', title: 'Dark'},
    {name: 'light', title: 'Light'},
];

function read(): Theme {
    try {
        const kept = localStorage.getItem('theme');
        return kept === 'dark' || kept === 'light' ? kept : 'auto';
    } catch {
        return 'auto';
    }
}

let current = $state<Theme>(read());

function show(): void {
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
    show();
    try {
        localStorage.setItem('theme', to);
    } catch {
        // It is the system's again after a reload.
    }
}

addEventListener('storage', e => {
    // another tab
    if (e.key === 'theme') {
        current = read();
        show();
    }
});
