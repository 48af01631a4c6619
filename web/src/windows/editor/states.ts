// What the editor is doing, and what waits for it, in a sentence.
import type {EditorState} from '../../lib/types.ts';
import {plural} from '../../lib/text.ts';

const REASONS: Record<string, string> = {
    compiling: 'The editor is compiling scripts',
    reloading: 'The editor is reloading its scripts',
};

export function isBusy(e: EditorState): boolean {
    return e.editor_state in REASONS;
}

/** null: nothing waits for an editor that is there. */
export function waitText(e: EditorState): string | null {
    const why = REASONS[e.editor_state];
    if (!why) return null;
    const running = e.queue.running ? [`${e.queue.running.tool} is running`] : [];
    const waiting =
        e.queue.waiting > 0
            ? [
                  `${plural(e.queue.waiting, 'call')} ${e.queue.waiting === 1 ? 'waits' : 'wait'} for it`,
              ]
            : [];
    const rest = [...running, ...waiting].join(', ');
    return `${why}. ${rest ? `${rest}.` : 'Calls wait until it is ready.'}`;
}
