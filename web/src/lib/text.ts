// Formatting of text and numbers for the page.

const CONTROLS =
    /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/;
const LONE_SURROGATES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/;
const INVISIBLE = new RegExp(`${CONTROLS.source}|${LONE_SURROGATES.source}`, 'g');

/** Make invisible characters of foreign text visible: control characters become symbols (␀ ␛),
 * bidirectional and other invisible ones ⟨U+202E⟩. Keep tabs and, with `lines`, line ends. (Svelte
 * escapes markup.) */
export function shown(text: string, lines = false): string {
    return text.replace(INVISIBLE, c => {
        const code = c.charCodeAt(0);
        if (c === '\t' || (lines && c === '\n')) return c;
        if (code < 0x20) return String.fromCharCode(0x2400 + code);
        if (code === 0x7f) return '\u2421';
        return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
    });
}

export function plural(n: number, one: string, many = `${one}s`): string {
    return `${n.toLocaleString()} ${n === 1 ? one : many}`;
}

export function percent(share: number): string {
    const p = share * 100;
    if (p > 0 && p < 0.05) return '< 0.1 %';
    return `${p === 0 || p >= 10 || Number.isInteger(p) ? Math.round(p) : p.toFixed(1)} %`;
}
