// A plan that a person looks through before it is added: names can be changed, tasks left out.

export interface Planned {
    name: string; // as planned
    title: string;
    needs: string[];
    yaml: string;
    to: string; // the name it gets
    out: boolean;
}

export function plan(
    tasks: readonly {name: string; title: string; needs: string[]; yaml: string}[],
): Planned[] {
    return tasks.map(t => ({...t, to: t.name, out: false}));
}

const NAME_BYTES = 128;

/** What is wrong with a name by itself; '': nothing. */
export function nameFault(name: string): string {
    if (!name) return 'A task needs a name.';
    if (name !== name.trim()) return 'A name has no blanks at its ends.';
    // eslint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name))
        return 'A name is one line of characters that can be printed.';
    return new TextEncoder().encode(name).length > NAME_BYTES
        ? `A name has at most ${NAME_BYTES} bytes.`
        : '';
}

export function faultOf(
    all: readonly Planned[],
    one: Planned,
    taken: (name: string) => boolean,
): string {
    if (one.out) return '';
    const own = nameFault(one.to);
    if (own) return own;
    if (all.some(o => o !== one && !o.out && o.to === one.to))
        return 'Another task of this plan has this name.';
    return taken(one.to) ? 'There is a task of this name already.' : '';
}

/** What is added: names as they are now; those that are left out are needed by nobody. */
export function chosen(all: readonly Planned[]): {yaml: string; name: string; needs: string[]}[] {
    const names = new Map(all.map(t => [t.name, t]));
    return all
        .filter(t => !t.out)
        .map(t => ({
            yaml: t.yaml,
            name: t.to,
            needs: t.needs.flatMap(n => {
                const other = names.get(n);
                return other ? (other.out ? [] : [other.to]) : [n];
            }),
        }));
}

/** Sentences about what leaving out does. */
export function consequences(all: readonly Planned[]): string[] {
    const out = new Set(all.filter(t => t.out).map(t => t.name));
    return all
        .filter(t => !t.out)
        .flatMap(t => {
            const lost = t.needs.filter(n => out.has(n));
            return lost.length ? [`${t.to} does not wait for ${lost.join(' and ')} then.`] : [];
        });
}
