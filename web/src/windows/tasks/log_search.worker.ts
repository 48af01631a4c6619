// Runs regular expressions in a worker, which can be terminated if one takes too long.
import {compileQuery, Matches, type Query} from './matches.ts';

export interface SearchRequest {
    id: number;
    query: Query;
    first: number; // number of the first line
    lines: string[];
}

export interface SearchResult {
    id: number;
    line: number[];
    start: number[];
    end: number[];
}

addEventListener('message', (e: MessageEvent<SearchRequest>) => {
    const {id, query, first, lines} = e.data;
    const re = compileQuery(query),
        found = new Matches();
    lines.forEach((text, i) => found.addFrom(re, text, first + i));
    postMessage({id, line: found.line, start: found.start, end: found.end} satisfies SearchResult);
});
