/** Escape a text for use in a regular expression of the tools (PCRE2, .NET). */
export function escapePattern(text: string): string {
    return text.replace(/[\\^$.|?*+()[\]{}#\s-]/g, c => (/\s/.test(c) ? '\\s' : `\\${c}`));
}
