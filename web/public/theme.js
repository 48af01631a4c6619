// Before the first paint: the theme that was chosen (lib/theme.svelte.ts); none, and the system's
// is used.
try {
    var theme = localStorage.getItem('theme');
    if (theme === 'dark' || theme === 'light') document.documentElement.dataset.theme = theme;
} catch (e) {
    // A browser that keeps nothing.
}
