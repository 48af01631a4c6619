import {svelte} from '@sveltejs/vite-plugin-svelte';
import {defineConfig} from 'vite';

// What is built is served under a strict policy: no inline script, no inline style, no data:
// script.
export default defineConfig({
    base: './',
    plugins: [svelte({compilerOptions: {runes: true}, emitCss: true})],
    build: {
        target: 'es2022',
        outDir: 'dist',
        assetsInlineLimit: 0,
        modulePreload: {polyfill: false},
        reportCompressedSize: false,
    },
});
