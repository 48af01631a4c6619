// An editor whose console is what a test puts into it: the wire of docs/spec/10-bridge.md, section 3, with read_console
// by the rules of docs/spec/15-editor-tools.md.
//
//     const editor = await openLogEditor(t, server);
//     editor.log({type: 'error', message: 'wrong', stack_trace: 'A ()\nB ()', file: 'Assets/A.cs', line: 3});
import WebSocket from 'ws';

import {atEnd} from './bridge.mjs';
import {until} from './lib.mjs';

const SCENE = {scene_name: 'Logs', scene_path: 'Assets/Scenes/Logs.unity', root_game_objects: [], total_game_objects: 0,
    returned_game_objects: 0, truncated: false};

export async function openLogEditor(t, server) {
    const editor = new LogEditor(server);
    atEnd(t, () => editor.close());
    await until(() => editor.isConnected, 'the editor is connected');
    return editor;
}

class LogEditor {
    entries = []; // oldest first
    isConnected = false;
    #seq = 0;

    constructor(server) {
        this.socket = new WebSocket(`ws://127.0.0.1:${server.port}/unity`);
        this.socket.on('open', () => this.#send({type: 'hello', plugin_version: '1.0.0', editor_instance_id: 'log-editor',
            plugin_session_id: 's', connect_attempt_seq: 1, project_path: '/projects/Logs', state: 'ready', editor: 'unity',
            unity_version: '6000.0.30f1', active_scene: SCENE.scene_path, scene_dirty: false, scene_seq: 1, console_seq: 0}));
        this.socket.on('message', data => this.#take(JSON.parse(data)));
        this.socket.on('error', () => {});
    }

    async close() {
        this.socket.close();
    }

    /** One entry or several, of which the server is told at once. */
    log(...entries) {
        for (const entry of entries)
            this.entries.push({serial: this.entries.length + 1, time: new Date().toISOString(), ...entry});
        this.#send({type: 'editor_status', state: 'ready', seq: ++this.#seq, console_seq: this.entries.length});
    }

    #send(message) {
        this.socket.send(JSON.stringify({protocol_version: 1, ...message}));
    }

    #take(m) {
        if (m.type === 'capability') {
            this.#send({type: 'capability', tools: m.tools.filter(({name}) => ['read_console', 'get_scene_hierarchy'].includes(name))});
            this.#send({type: 'editor_status', state: 'ready', seq: ++this.#seq});
            this.isConnected = true;
        } else if (m.type === 'execute') {
            this.#send({type: 'result', request_id: m.request_id, ...this.#run(m.tool_name, m.params)});
        }
    }

    #run(tool, params) {
        if (tool === 'get_scene_hierarchy')
            return {status: 'ok', result: SCENE};
        try {
            return {status: 'ok', result: this.#read(params)};
        } catch (error) {
            return {status: 'error', error: {code: 'ERR_INVALID_PARAMS', message: `message_pattern: ${error.message}`}};
        }
    }

    #read({max_entries = 10, message_pattern, stack_trace_lines = 1, offset = 0, since = '0'}) {
        const pattern = new RegExp(message_pattern ?? '', 'iu');
        const all = this.entries.filter(e => e.serial > Number(since) && pattern.test(e.message)).reverse();
        const type_summary = {log: 0, warning: 0, error: 0, assert: 0, exception: 0};
        for (const {type} of all)
            type_summary[type]++;
        const entries = all.slice(offset, offset + max_entries).map(({serial, stack_trace, ...rest}) => ({...rest,
            ...(stack_trace ? {stack_trace: stack_trace.split('\n').slice(0, stack_trace_lines).join('\n')} : {})}));
        const end = offset + entries.length, truncated = end < all.length;
        return {entries, count: entries.length, total_count: all.length, truncated, type_summary,
            cursor: String(this.entries.length), ...(truncated ? {next_offset: end} : {})};
    }
}
