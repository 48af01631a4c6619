// The time of the server, for countdowns and ages: one tick per second while the page is visible.
let skew = 0; // server time minus browser time
let now = $state(Date.now());

export function setServerTime(ms: number): void {
    skew = ms - Date.now();
    now = Date.now() + skew;
}

setInterval(() => {
    if (!document.hidden) now = Date.now() + skew;
}, 1000);
document.addEventListener('visibilitychange', () => {
    now = Date.now() + skew;
});

export const clock = {
    get now() {
        return now;
    },
};

/** Format a duration with at most two units: "1 h 2 min", "4 min 10 s", "80 ms". */
export function span(ms: number): string {
    if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`;
    const s = Math.round(ms / 1000);
    if (s < 60) return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${s} s`;
    const units: [string, number][] = [
        ['d', 86400],
        ['h', 3600],
        ['min', 60],
        ['s', 1],
    ];
    const first = units.findIndex(([, n]) => s >= n);
    const [unit, n] = units[first]!;
    const next = units[first + 1];
    const rest = next ? Math.floor((s % n) / next[1]) : 0;
    return `${Math.floor(s / n)} ${unit}${rest && next ? ` ${rest} ${next[0]}` : ''}`;
}

/** Return the time left as "4:05" or "1:02:03"; "" when it is over. */
export function countdown(until: number, at: number): string {
    const s = Math.ceil((until - at) / 1000);
    if (s <= 0) return '';
    const twoDigits = (n: number) => String(n).padStart(2, '0');
    return s >= 3600
        ? `${Math.floor(s / 3600)}:${twoDigits(Math.floor(s / 60) % 60)}:${twoDigits(s % 60)}`
        : `${Math.floor(s / 60)}:${twoDigits(s % 60)}`;
}

/** Format a time relative to `at`: "3 min ago", "in 4 min", "now". */
export function ago(then: number, at: number): string {
    const d = at - then;
    if (Math.abs(d) < 1500) return 'now';
    return d > 0 ? `${span(d)} ago` : `in ${span(-d)}`;
}

export function timeOfDay(ms: number): string {
    return new Date(ms).toLocaleTimeString(undefined, {hour12: false});
}

export function dateTime(ms: number): string {
    return new Date(ms).toLocaleString(undefined, {hour12: false});
}
