// Limits the streams of all pages in one browser. A browser opens at most six connections to a
// server and a stream occupies one, so six open pages would block every other request. Each stream
// holds one of SLOTS locks, and a hidden page releases its lock when a visible page needs one.
const SLOTS = 4;
const RETRY_MS = 500;
let hasYielded = false; // the page that asked for the slot gets it first
const channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('multiverse-feed') : null;

/** Wait for a slot and run `work` while holding it. `release` is called when a visible page needs
 * the slot. */
export async function withSlot(work: () => Promise<void>, release: () => void): Promise<void> {
    if (!navigator.locks || !channel) return work();
    const yieldToOthers = () => {
        if (!document.hidden) return;
        hasYielded = true;
        release();
    };
    for (;;) {
        if (hasYielded && document.hidden) await waitForRetry();
        hasYielded = false;
        for (let i = 0; i < SLOTS; i++) {
            let isDone = false;
            await navigator.locks.request(
                `multiverse-feed-${i}`,
                {ifAvailable: true},
                async lock => {
                    if (!lock) return;
                    isDone = true;
                    channel.addEventListener('message', yieldToOthers);
                    try {
                        await work();
                    } finally {
                        channel.removeEventListener('message', yieldToOthers);
                    }
                },
            );
            if (isDone) return;
        }
        if (!document.hidden) channel.postMessage('slot needed');
        await waitForRetry();
    }
}

/** Wait RETRY_MS; a hidden page waits longer, or until it becomes visible. */
function waitForRetry(): Promise<void> {
    return new Promise(done => {
        const timer = setTimeout(end, document.hidden ? 8 * RETRY_MS : RETRY_MS);
        function end(): void {
            clearTimeout(timer);
            document.removeEventListener('visibilitychange', end);
            done();
        }
        document.addEventListener('visibilitychange', end);
    });
}
