// Labels of states, with their colour and icon.
import type {IconName} from '../parts/icons.ts';
import type {EditorState, Entry} from './types.ts';

export interface StateLabel {
    text: string;
    kind: 'good' | 'warn' | 'accent' | '';
    icon: IconName;
}

/** Return "Game" for "Assets/Scenes/Game.unity". */
export function sceneName(path: string | null): string {
    return (
        path
            ?.split('/')
            .at(-1)
            ?.replace(/\.unity$/, '') ?? ''
    );
}

export function editorLabel(editor: EditorState | null): StateLabel {
    if (!editor) return {text: 'unknown', kind: '', icon: 'editor'};
    if (!editor.connected) return {text: 'not connected', kind: 'warn', icon: 'unlink'};
    const name = editor.editor === 'unity' ? 'Unity' : 'Headless';
    if (editor.editor_state === 'compiling' || editor.editor_state === 'reloading')
        return {text: `${name} ${editor.editor_state}`, kind: 'warn', icon: 'refresh'};
    if (editor.is_playing)
        return {
            text: `${name} ${editor.is_paused ? 'paused' : 'playing'}`,
            kind: 'accent',
            icon: editor.is_paused ? 'pause' : 'play',
        };
    if (editor.editor_state === 'ready')
        return {text: `${name} ready`, kind: 'good', icon: 'check'};
    return {text: name, kind: '', icon: 'editor'};
}

/** Return the progress of a job from 0 to 1, or null if it is unknown. */
export function progressShare(progress: Entry['progress']): number | null {
    return progress && progress.total > 0
        ? Math.max(0, Math.min(1, progress.done / progress.total))
        : null;
}
