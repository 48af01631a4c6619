// A proposed plan. Before it is added, a person can rename and exclude tasks.
export interface PlannedTask {
    name: string; // proposed name
    title: string;
    needs: string[];
    yaml: string;
    to: string; // chosen name
    isExcluded: boolean;
}

export function createPlan(
    tasks: readonly {name: string; title: string; needs: string[]; yaml: string}[],
): PlannedTask[] {
    return tasks.map(t => ({...t, to: t.name, isExcluded: false}));
}

const NAME_BYTES = 128;

/** Return the error of a task name, or ''. */
export function nameError(name: string): string {
    if (!name) return 'Enter a name.';
    if (name !== name.trim()) return 'Remove the spaces around the name.';
    // eslint-disable-next-line no-control-regex
    if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name))
        return 'Use printable characters on one line.';
    return new TextEncoder().encode(name).length > NAME_BYTES
        ? `Use at most ${NAME_BYTES} bytes.`
        : '';
}

/** Return the error of a planned task, or ''. `isTaken` reports names of existing tasks. */
export function taskError(
    all: readonly PlannedTask[],
    one: PlannedTask,
    isTaken: (name: string) => boolean,
): string {
    if (one.isExcluded) return '';
    const own = nameError(one.to);
    if (own) return own;
    if (all.some(o => o !== one && !o.isExcluded && o.to === one.to))
        return 'Another task of the plan has this name.';
    return isTaken(one.to) ? 'A task with this name exists.' : '';
}

/** Return the tasks to add, with their chosen names and without dependencies on excluded tasks. */
export function includedTasks(
    all: readonly PlannedTask[],
): {yaml: string; name: string; needs: string[]}[] {
    const names = new Map(all.map(t => [t.name, t]));
    return all
        .filter(t => !t.isExcluded)
        .map(t => ({
            yaml: t.yaml,
            name: t.to,
            needs: t.needs.flatMap(n => {
                const other = names.get(n);
                return other ? (other.isExcluded ? [] : [other.to]) : [n];
            }),
        }));
}

/** Describe the effects of excluded tasks, one sentence each. */
export function exclusionNotes(all: readonly PlannedTask[]): string[] {
    const excluded = new Set(all.filter(t => t.isExcluded).map(t => t.name));
    return all
        .filter(t => !t.isExcluded)
        .flatMap(t => {
            const lost = t.needs.filter(n => excluded.has(n));
            return lost.length ? [`${t.to} will not wait for ${lost.join(' and ')}.`] : [];
        });
}
