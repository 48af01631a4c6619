// Regular expressions for the tools (PCRE2, .NET): a text as it is typed.
export function escapePattern(text: string): string {
    return text.replace(/[\\^$.|?*+()[\]{}#\s-]/g, c => (/\s/.test(c) ? '\\s' : `\\${c}`));
}
