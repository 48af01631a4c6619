// Converts between places in a text (lines and columns from 1, columns in characters, as the server
// counts them) and offsets in UTF-16 units (as JavaScript does). A line ends with \n; \r before it
// is part of the line.

export interface Place {
    line: number;
    column: number;
}

export function placeOf(text: string, offset: number): Place {
    const before = text.slice(0, offset);
    const from = before.lastIndexOf('\n') + 1;
    let line = 1;
    for (let i = before.indexOf('\n'); i >= 0; i = before.indexOf('\n', i + 1)) line++;
    return {line, column: [...before.slice(from)].length + 1};
}

/** Return the offset nearest to the place. */
export function offsetOf(text: string, place: Place): number {
    let from = 0;
    for (let line = 1; line < place.line; line++) {
        const next = text.indexOf('\n', from);
        if (next < 0) return text.length;
        from = next + 1;
    }
    const next = text.indexOf('\n', from);
    const line = text.slice(from, next < 0 ? undefined : next);
    return from + [...line].slice(0, Math.max(0, place.column - 1)).join('').length;
}
