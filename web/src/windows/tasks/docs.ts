// YAML with several documents, each of which is a task. The server reads it; here it is only cut.

export interface Doc {
    text: string;
    line: number; // of its first line in the whole, from 1
}

/** Documents begin at "---" and end at "..." or the next one; those without a word in them are none. */
export function documents(text: string): Doc[] {
    const out: Doc[] = [];
    let lines: string[] = [],
        first = 1;
    const close = (next: number) => {
        if (lines.some(l => !/^\s*(#.*)?$/.test(l) && !/^%/.test(l)))
            out.push({text: lines.join('\n') + '\n', line: first});
        lines = [];
        first = next;
    };
    const all = text.split(/\r\n|\r|\n/);
    all.forEach((line, i) => {
        const begin = /^---(?:\s(.*))?$/.exec(line);
        if (begin) {
            close(i + 1);
            lines.push(begin[1] ? `    ${begin[1]}` : ''); // keeps lines and columns as they are
        } else if (/^\.\.\.\s*$/.test(line)) {
            close(i + 2);
        } else {
            lines.push(line);
        }
    });
    close(all.length + 1);
    return out;
}
