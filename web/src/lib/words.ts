// States in words, and which colour and icon go with them.
import type {IconName} from '../parts/icons.ts';
import type {EditorState, Entry} from './types.ts';

export interface Words {
    text: string;
    kind: 'good' | 'warn' | 'accent' | '';
    icon: IconName;
}

/** "Assets/Scenes/Game.unity" is "Game". */
export function sceneName(path: string | null): string {
    return (
        path
            ?.split('/')
            .at(-1)
            ?.replace(/\.unity$/, '') ?? ''
    );
}

export function editorWords(editor: EditorState | null): Words {
    if (!editor) return {text: 'not known yet', kind: '', icon: 'editor'};
    if (!editor.connected) return {text: 'no editor', kind: 'warn', icon: 'unlink'};
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

/** How far a job is: 0 to 1, null where that is not known. */
export function share(progress: Entry['progress']): number | null {
    return progress && progress.total > 0
        ? Math.max(0, Math.min(1, progress.done / progress.total))
        : null;
}
