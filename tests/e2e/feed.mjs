// The feed of the console (/api/feed), read as the page reads it: with fetch(), event by event.
//
//     const feed = await openFeed(t, server);
//     const {file} = await feed.last('tooling');                 // the newest of its kind, now or soon
//     await feed.next('tooling', e => e.file > file);            // the first that is so, from now on
//     feed.all                                                   // [{event, data}, ...], all that came
import {atEnd} from './bridge.mjs';
import {LIMIT_MS, within} from './lib.mjs';

class Feed {
    constructor() {
        this.all = [];
        this.waiting = [];
        this.isOver = false;
    }

    take(event, data) {
        const entry = {event, data: JSON.parse(data)};
        this.all.push(entry);
        this.waiting = this.waiting.filter(w => !w.look(entry));
    }

    over() {
        this.isOver = true;
        for (const w of this.waiting)
            w.fail(new Error('the feed has ended'));
        this.waiting = [];
    }

    /** The first event of this name that comes from now on and fits. */
    next(event, fits = () => true, ms = LIMIT_MS) {
        if (this.isOver)
            return Promise.reject(new Error('the feed has ended'));
        return within(new Promise((resolve, fail) => this.waiting.push({fail, look: entry => {
            const is = entry.event === event && fits(entry.data);
            if (is)
                resolve(entry.data);
            return is;
        }})), `the event ${event}`, ms);
    }

    /** The newest of this name, if it fits; else the first that does. */
    last(event, fits = () => true, ms = LIMIT_MS) {
        const data = this.all.findLast(entry => entry.event === event)?.data;
        return data !== undefined && fits(data) ? Promise.resolve(data) : this.next(event, fits, ms);
    }
}

/** A stream until the test ends, or close(); `query`: where an earlier one ended ("run=...&activity=7"). */
export async function openFeed(t, server, query = '') {
    const feed = new Feed(), stop = new AbortController();
    const answer = await server.fetch(`/api/feed${query && `?${query}`}`, {signal: stop.signal});
    feed.status = answer.status;
    feed.headers = answer.headers;
    feed.close = () => stop.abort();
    atEnd(t, feed.close);
    (async () => {
        let rest = '';
        const decoder = new TextDecoder();
        for await (const bytes of answer.body) {
            rest += decoder.decode(bytes, {stream: true});
            const blocks = rest.split('\n\n');
            rest = blocks.pop();
            for (const block of blocks) {
                const lines = block.split('\n');
                const event = lines.find(line => line.startsWith('event:'))?.slice(6).trim();
                if (event)
                    feed.take(event, lines.filter(l => l.startsWith('data:')).map(l => l.slice(5)).join('\n'));
            }
        }
    })().catch(() => {}).finally(() => feed.over());
    return feed;
}
