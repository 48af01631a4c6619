// Splits YAML with several documents, one per task. The server parses them.
export interface YamlDocument {
    text: string;
    line: number; // number of its first line in the whole text, from 1
}

/** Return the documents. They start at "---" and end at "..." or the next start; empty ones are
 * skipped. */
export function splitDocuments(text: string): YamlDocument[] {
    const out: YamlDocument[] = [];
    let lines: string[] = [],
        first = 1;
    const closeDocument = (next: number) => {
        if (lines.some(l => !/^\s*(#.*)?$/.test(l) && !/^%/.test(l)))
            out.push({text: lines.join('\n') + '\n', line: first});
        lines = [];
        first = next;
    };
    const all = text.split(/\r\n|\r|\n/);
    all.forEach((line, i) => {
        const begin = /^---(?:\s(.*))?$/.exec(line);
        if (begin) {
            closeDocument(i + 1);
            lines.push(begin[1] ? `    ${begin[1]}` : ''); // keeps line and column numbers
        } else if (/^\.\.\.\s*$/.test(line)) {
            closeDocument(i + 2);
        } else {
            lines.push(line);
        }
    });
    closeDocument(all.length + 1);
    return out;
}
