// Works on expressions beside the page: whoever waits too long ends it and starts a new one.
import {expression, Matches, type Query} from './search.ts';

export interface Ask {
    id: number;
    query: Query;
    first: number; // number of the first line
    lines: string[];
}

export interface Answer {
    id: number;
    line: number[];
    start: number[];
    end: number[];
}

addEventListener('message', (e: MessageEvent<Ask>) => {
    const {id, query, first, lines} = e.data;
    const re = expression(query),
        found = new Matches();
    lines.forEach((text, i) => found.find(re, text, first + i));
    postMessage({id, line: found.line, start: found.start, end: found.end} satisfies Answer);
});
