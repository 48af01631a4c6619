// How many pages of one browser may have a stream at once: a browser opens six connections to a server, and a stream
// takes one for good. With six pages open nothing else would get through, in none of them. So streams take turns:
// each holds one of SLOTS locks, and a page that nobody looks at lets go of its own when one that is looked at
// wants it.
const SLOTS = 4;
const AGAIN_MS = 500;

let hasYielded = false; // then the one that asked comes first
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('multiverse-feed') : null;

/** Runs `work` while it holds a slot; waits for one before. letGo() is called when another page needs it more. */
export async function withSlot(work: () => Promise<void>, letGo: () => void): Promise<void> {
    if (!navigator.locks || !channel) return work();
    const yieldToOthers = () => {
        if (!document.hidden) return;
        hasYielded = true;
        letGo();
    };
    for (;;) {
        if (hasYielded && document.hidden) await turn();
        hasYielded = false;
        for (let i = 0; i < SLOTS; i++) {
            let had = false;
            await navigator.locks.request(
                `multiverse-feed-${i}`,
                {ifAvailable: true},
                async lock => {
                    if (!lock) return;
                    had = true;
                    channel.addEventListener('message', yieldToOthers);
                    try {
                        await work();
                    } finally {
                        channel.removeEventListener('message', yieldToOthers);
                    }
                },
            );
            if (had) return;
        }
        if (!document.hidden) channel.postMessage('a slot, please');
        await turn();
    }
}

/** A moment later; for a page that nobody looks at a longer one, or when somebody does. */
function turn(): Promise<void> {
    return new Promise(done => {
        const timer = setTimeout(end, document.hidden ? 8 * AGAIN_MS : AGAIN_MS);
        function end(): void {
            clearTimeout(timer);
            document.removeEventListener('visibilitychange', end);
            done();
        }
        document.addEventListener('visibilitychange', end);
    });
}
