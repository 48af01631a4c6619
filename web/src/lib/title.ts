// The title of the browser tab: most important part first, because tabs are narrow.
import type {EditorState} from './types.ts';
import {shown} from './text.ts';

interface TitleState {
    connection: string;
    project: string;
    editor: EditorState | null;
}

/** "compiling · Activity · my-game", "* Editor · my-game", "offline · Tasks". */
export function pageTitle(window: string, live: TitleState): string {
    const parts = [window.charAt(0).toUpperCase() + window.slice(1)];
    const folder = live.project.split('/').filter(Boolean).at(-1);
    if (folder) parts.push(shown(folder));
    const editor = live.editor;
    if (live.connection === 'lost') parts.unshift('offline');
    else if (live.connection === 'token') parts.unshift('token needed');
    else if (
        editor &&
        editor.connected &&
        (editor.editor_state === 'compiling' || editor.editor_state === 'reloading')
    )
        parts.unshift(editor.editor_state);
    else if (editor?.job) parts.unshift(editor.job.tool);
    const title = `${parts.join(' · ')} - Multiverse`;
    return editor?.scene_dirty && live.connection === 'open' ? `* ${title}` : title;
}
