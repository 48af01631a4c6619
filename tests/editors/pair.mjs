// Two editors that get the same calls, on equal copies of a project; records the differences in
// their answers.
//
//     const pair = new Pair(first, second);                  // {name, client, folder} each
//     const [answer] = await pair.all([['undo', {}]]);       // the first one's; both have answered
//     pair.found                                             // [{phase, tool, args, path, a, b}]
import {answerOf, differences, thrown} from './answers.mjs';
import {known} from './differences.mjs';

const AT_ONCE = 24; // calls in the queue of each server
const CHANGING = new Set(['manage_component', 'undo', 'redo', 'open_scene']);

export class Pair {
    constructor(first, second) {
        this.sides = [first, second];
        this.found = [];
        this.expected = new Map(); // id of a known difference -> how often it was seen
        this.calls = 0;
        this.outcomes = new Map(); // 'tool: code' of the first one -> how often
        this.differing = 0;
        this.skipped = 0; // answers that follow from an earlier difference
        this.isApart = false; // one has changed something that the other has not
        this.phase = '';
        this.onAnswer = () => {}; // each call with both answers
        this.scene = '';
    }

    async ask(side, [tool, args]) {
        try {
            return answerOf(await side.client.call(tool, args), side.folder);
        } catch (error) {
            return thrown(error, side.folder);
        }
    }

    /** Make the same calls to both, in this order; return the answers of the first one. */
    async all(calls) {
        const answers = [];
        for (let at = 0; at < calls.length; at += AT_ONCE) {
            const some = calls.slice(at, at + AT_ONCE);
            const [mine, theirs] = await Promise.all(this.sides.map(side =>
                Promise.all(some.map(call => this.ask(side, call)))));
            some.forEach((call, i) => this.compare(call, mine[i], theirs[i]));
            answers.push(...mine);
        }
        return answers;
    }

    async one(tool, args = {}) {
        return (await this.all([[tool, args]]))[0];
    }

    compare([tool, args], a, b) {
        if (tool === 'manage_component')
            this.edit = args; // the last one
        const context = {phase: this.phase, scene: this.scene, folder: this.sides[0].folder, tool, args,
            edit: this.edit, answers: [a, b]};
        const outcome = `${tool}: ${outcomeOf(a)}`;
        this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
        this.calls++;
        this.onAnswer(context);
        if (this.isApart) {
            this.skipped++;
            this.isApart = !(tool === 'open_scene' && args.discard_changes && a.ok && b.ok);
            return;
        }
        const list = differences(a, b);
        this.isApart = list.length > 0 && CHANGING.has(tool) && Boolean(a.ok ?? b.ok);
        this.note(context, list);
    }

    /** Record the differences that are not in the table of known ones. */
    note(context, list) {
        const fresh = [];
        for (const difference of list) {
            const why = known({...context, ...difference});
            if (why)
                this.expected.set(why.id, (this.expected.get(why.id) ?? 0) + 1);
            else
                fresh.push({...context, ...difference});
        }
        this.found.push(...fresh);
        this.differing += fresh.length > 0;
    }
}

const outcomeOf = ({ok, error}) => ok ? 'ok' : error?.details?.plugin_error_code ?? error?.code ??
    'no answer';

const short = (value, room = 300) => {
    const text = value === undefined ? 'nothing' : JSON.stringify(value);
    return text.length > room ? `${text.slice(0, room)}... (${text.length})` : text;
};

/** The differences for a person: each place with its call, places of one kind together. */
export function report(pair, {most = 40} = {}) {
    const [first, second] = pair.sides.map(side => side.name), width = Math.max(first.length, second.length);
    const kinds = new Map();
    for (const one of pair.found) {
        const where = one.path.replace(/\[\d+\]/g, '[]').slice(0, 120);
        const key = `${one.phase} ${one.tool} ${where} ${one.answers.map(outcomeOf)}`;
        kinds.set(key, [...kinds.get(key) ?? [], one]);
    }
    const lines = [];
    for (const list of [...kinds.values()].slice(0, most)) {
        const [{phase, scene, tool, args, path, a, b}] = list;
        const others = list.length > 1 ? `, and ${list.length - 1} like it` : '';
        lines.push(`${phase}: ${tool} ${short(args, 600)} (${scene})${others}`,
            `    at ${path || 'all of it'}`, `    ${first.padEnd(width)}  ${short(a)}`,
            `    ${second.padEnd(width)}  ${short(b)}`);
    }
    if (kinds.size > most)
        lines.push(`... and ${kinds.size - most} more kinds`);
    for (const [id, count] of [...pair.expected].sort())
        lines.push(`known: ${id}: ${count}`);
    return [...lines, `${pair.calls} calls, ${pair.skipped} not compared after a difference, ${pair.differing} ` +
        `answered differently, in ${pair.found.length} places of ${kinds.size} kinds`].join('\n');
}
