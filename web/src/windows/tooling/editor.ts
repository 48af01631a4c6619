// The JSON editor: CodeMirror in a shadow root (so that its styles are adopted sheets, which the page's policy allows).
// The text is the draft's, not its own: what is typed is told, what is told is shown; undo is the draft's, too.
import {
    acceptCompletion,
    autocompletion,
    closeBrackets,
    closeBracketsKeymap,
    completionKeymap,
    type CompletionContext,
    type CompletionResult,
} from '@codemirror/autocomplete';
import {defaultKeymap, indentWithTab} from '@codemirror/commands';
import {json} from '@codemirror/lang-json';
import {
    bracketMatching,
    codeFolding,
    foldGutter,
    foldKeymap,
    indentOnInput,
    indentUnit,
} from '@codemirror/language';
import {lintGutter, lintKeymap, setDiagnostics, type Diagnostic} from '@codemirror/lint';
import {highlightSelectionMatches, search, searchKeymap} from '@codemirror/search';
import {
    Annotation,
    EditorSelection,
    EditorState,
    StateEffect,
    StateField,
    type Extension,
    type Transaction,
} from '@codemirror/state';
import {
    Decoration,
    EditorView,
    highlightActiveLine,
    highlightActiveLineGutter,
    highlightSpecialChars,
    hoverTooltip,
    keymap,
    lineNumbers,
    type DecorationSet,
    type Tooltip,
} from '@codemirror/view';

import {shown} from '../../lib/text.ts';
import {theme} from './editor_theme.ts';
import {hintAt, suggest, type Hint, type Names} from './hints.ts';
import {changeOf} from './history.ts';
import {secretRanges} from './secrets.ts';

export interface Mark {
    from: number;
    to: number;
    severity: 'error' | 'warning';
    message: string;
}

export interface EditorHost {
    text: string;
    label: string;
    names: () => Names;
    onchange: (text: string, group: string) => void;
    onundo: () => void;
    onredo: () => void;
    /** The cursor is there now (offset in the draft). */
    oncursor: (offset: number) => void;
}

export interface Editor {
    set: (text: string) => void;
    mark: (marks: Mark[]) => void;
    go: (offset: number) => void;
    reveal: (secrets: boolean) => void;
    destroy: () => void;
}

const told = Annotation.define<boolean>(); // a change that comes from the draft
const revealSecrets = StateEffect.define<boolean>();

/** Lines that all end with \r\n keep it; else \r is a character like others, so that nothing is lost. */
function separatorOf(text: string): '\n' | '\r\n' {
    return /\r\n/.test(text) && !/(^|[^\r])\n|\r(?!\n)/.test(text) ? '\r\n' : '\n';
}

/* ---- secrets */

interface Masked {
    isOpen: boolean;
    marks: DecorationSet;
}

function maskOf(state: EditorState, isOpen: boolean): Masked {
    const mark = Decoration.mark({class: 'cm-secret'});
    const ranges = isOpen ? [] : secretRanges(state.doc.toString());
    return {
        isOpen,
        marks: Decoration.set(ranges.filter(([a, b]) => b > a).map(([a, b]) => mark.range(a, b))),
    };
}

const masked = StateField.define<Masked>({
    create: state => maskOf(state, false),
    update: (value, tr) => {
        const asked = tr.effects.find(e => e.is(revealSecrets));
        return asked || tr.docChanged
            ? maskOf(tr.state, asked ? (asked.value as boolean) : value.isOpen)
            : value;
    },
    provide: field => EditorView.decorations.from(field, v => v.marks),
});

/* ---- hints */

function complete(names: () => Names): (c: CompletionContext) => CompletionResult | null {
    return context => {
        const text = context.state.doc.toString();
        const found = suggest(text, context.pos, names());
        const isTyping = /["\w-]$/.test(text.slice(Math.max(0, context.pos - 1), context.pos));
        if (!found || !(context.explicit || isTyping)) return null;
        const behind = found.to - context.pos; // of the token: replaced, but not what is searched for
        return {
            from: found.from,
            filter: true,
            validFor: /^"?[\w.-]*$/,
            options: found.options.map(o => ({
                label: o.insert.startsWith('"') ? `"${o.label}"` : o.label,
                displayLabel: o.label,
                ...(o.about && {info: o.about}),
                type: o.isKey ? 'property' : 'constant',
                apply: (view: EditorView, _c: unknown, from: number, to: number) => {
                    view.dispatch({
                        changes: {from, to: to + behind, insert: o.insert},
                        userEvent: 'input.complete',
                        selection: {
                            anchor:
                                from + o.insert.length - (/(""|\[\]|\{\})$/.test(o.insert) ? 1 : 0),
                        },
                    });
                },
            })),
        };
    };
}

function hintDom(hint: Hint): HTMLElement {
    const put = (parent: HTMLElement, tag: string, text: string): HTMLElement => {
        const e = document.createElement(tag);
        e.textContent = text;
        parent.append(e);
        return e;
    };
    const box = document.createElement('div');
    box.className = 'cm-hint';
    put(put(box, 'p', ''), 'code', shown(hint.pointer));
    put(box, 'p', hint.about);
    put(box, 'p', hint.type);
    if (hint.values.length) {
        const list = put(box, 'ul', '');
        for (const v of hint.values.slice(0, 12))
            put(list, 'li', v.about ? `${shown(v.value)}: ${shown(v.about)}` : shown(v.value));
    }
    return box;
}

function hover(names: () => Names): Extension {
    return hoverTooltip((view, pos): Tooltip | null => {
        const hint = hintAt(view.state.doc.toString(), pos, names());
        return hint && {pos, create: () => ({dom: hintDom(hint)})};
    });
}

/* ---- the editor */

/** Names of groups of changes: what is typed in one go is one step of undo. */
class Groups {
    #n = 0;
    #kind = '';

    next(transactions: readonly Transaction[]): string {
        const kind =
            ['input.type', 'delete'].find(k => transactions.some(t => t.isUserEvent(k))) ?? '';
        if (!kind || kind !== this.#kind) this.break();
        this.#kind = kind;
        return kind ? `${kind} ${this.#n}` : '';
    }

    break(): void {
        this.#n++;
    }
}

export function makeEditor(root: ShadowRoot, host: EditorHost): Editor {
    let separator = separatorOf(host.text);
    let isOpen = false;
    const groups = new Groups();
    const textOf = (state: EditorState): string => state.sliceDoc();
    /** Offsets count \r\n as two, positions as one. */
    const toPos = (text: string, offset: number): number =>
        separator === '\n' ? offset : offset - (text.slice(0, offset).match(/\r\n/g)?.length ?? 0);
    const toOffset = (state: EditorState, pos: number): number =>
        separator === '\n' ? pos : pos + state.doc.lineAt(pos).number - 1;

    const listen = EditorView.updateListener.of(u => {
        const isTold = u.transactions.some(t => t.annotation(told));
        if (u.docChanged && !isTold) host.onchange(textOf(u.state), groups.next(u.transactions));
        else if (u.selectionSet && !u.docChanged) groups.break();
        if (u.docChanged || u.selectionSet)
            host.oncursor(toOffset(u.state, u.state.selection.main.head));
    });
    const run = (fn: () => void) => () => {
        fn();
        return true;
    };
    const extensions = (): Extension => [
        lineNumbers(),
        highlightActiveLineGutter(),
        highlightSpecialChars(),
        foldGutter(),
        codeFolding(),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        highlightSelectionMatches(),
        lintGutter(),
        search({top: true}),
        json(),
        masked,
        theme,
        EditorView.lineWrapping,
        listen,
        hover(host.names),
        EditorState.lineSeparator.of(separator),
        autocompletion({override: [complete(host.names)], icons: false}),
        EditorView.contentAttributes.of({'aria-label': host.label, tabindex: '0'}),
        keymap.of([
            {key: 'Mod-z', run: run(host.onundo), preventDefault: true},
            {key: 'Mod-y', run: run(host.onredo), preventDefault: true},
            {key: 'Mod-Shift-z', run: run(host.onredo), preventDefault: true},
            {key: 'Tab', run: acceptCompletion},
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...searchKeymap,
            ...foldKeymap,
            ...lintKeymap,
            ...defaultKeymap,
            indentWithTab,
        ]),
    ];
    const stateOf = (text: string): EditorState =>
        EditorState.create({doc: text, extensions: extensions()});
    const view = new EditorView({state: stateOf(host.text), parent: root, root});

    function set(text: string): void {
        const before = textOf(view.state),
            change = changeOf(before, text);
        if (!change) return;
        groups.break();
        if (separatorOf(text) !== separator) {
            separator = separatorOf(text);
            view.setState(stateOf(text));
            view.dispatch({effects: revealSecrets.of(isOpen)});
            return;
        }
        const from = toPos(before, change.at),
            to = toPos(before, change.at + change.removed.length);
        const insert = view.state.toText(change.inserted);
        view.dispatch({
            changes: {from, to, insert},
            annotations: told.of(true),
            ...(view.hasFocus && {
                selection: EditorSelection.cursor(from + insert.length),
                scrollIntoView: true,
            }),
        });
        if (textOf(view.state) !== text)
            // a line end was cut in two
            view.dispatch({
                changes: {from: 0, to: view.state.doc.length, insert: view.state.toText(text)},
                annotations: told.of(true),
            });
    }

    return {
        set,
        mark: marks => {
            const text = textOf(view.state),
                most = view.state.doc.length;
            const diagnostics = marks.map((m): Diagnostic => {
                const from = Math.min(toPos(text, m.from), most);
                return {
                    from,
                    to: Math.min(Math.max(from, toPos(text, m.to)), most),
                    severity: m.severity,
                    message: shown(m.message),
                };
            });
            view.dispatch(setDiagnostics(view.state, diagnostics));
        },
        go: offset => {
            const at = Math.min(toPos(textOf(view.state), offset), view.state.doc.length);
            view.dispatch({
                selection: {anchor: at},
                effects: EditorView.scrollIntoView(at, {y: 'center'}),
            });
            view.focus();
        },
        reveal: secrets => {
            isOpen = secrets;
            view.dispatch({effects: revealSecrets.of(secrets)});
        },
        destroy: () => view.destroy(),
    };
}
