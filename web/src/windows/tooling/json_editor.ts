// The JSON editor: CodeMirror in a shadow root, where its styles are adopted sheets, which the
// page's policy allows. The draft owns the text and the undo history: typing changes the draft, and
// the editor shows it.
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
import {theme} from './json_editor_theme.ts';
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
    /** The cursor moved to this offset of the draft. */
    oncursor: (offset: number) => void;
}

export interface Editor {
    setText: (text: string) => void;
    setMarks: (marks: Mark[]) => void;
    goTo: (offset: number) => void;
    revealSecrets: (isVisible: boolean) => void;
    destroy: () => void;
}

const fromDraft = Annotation.define<boolean>(); // marks a change made by the draft
const revealEffect = StateEffect.define<boolean>();

/** Use \r\n as separator only if all lines end with it; otherwise \r stays an ordinary character.
 * */
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
        const reveal = tr.effects.find(e => e.is(revealEffect));
        return reveal || tr.docChanged
            ? maskOf(tr.state, reveal ? (reveal.value as boolean) : value.isOpen)
            : value;
    },
    provide: field => EditorView.decorations.from(field, v => v.marks),
});

/* ---- hints */

function completionSource(names: () => Names): (c: CompletionContext) => CompletionResult | null {
    return context => {
        const text = context.state.doc.toString();
        const found = suggest(text, context.pos, names());
        const isTyping = /["\w-]$/.test(text.slice(Math.max(0, context.pos - 1), context.pos));
        if (!found || !(context.explicit || isTyping)) return null;
        // Rest of the token: replaced, but not part of the search
        const tail = found.to - context.pos;
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
                        changes: {from, to: to + tail, insert: o.insert},
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

function renderHint(hint: Hint): HTMLElement {
    const append = (parent: HTMLElement, tag: string, text: string): HTMLElement => {
        const e = document.createElement(tag);
        e.textContent = text;
        parent.append(e);
        return e;
    };
    const box = document.createElement('div');
    box.className = 'cm-hint';
    append(append(box, 'p', ''), 'code', shown(hint.pointer));
    append(box, 'p', hint.about);
    append(box, 'p', hint.type);
    if (hint.values.length) {
        const list = append(box, 'ul', '');
        for (const v of hint.values.slice(0, 12))
            append(list, 'li', v.about ? `${shown(v.value)}: ${shown(v.about)}` : shown(v.value));
    }
    return box;
}

function hoverHints(names: () => Names): Extension {
    return hoverTooltip((view, pos): Tooltip | null => {
        const hint = hintAt(view.state.doc.toString(), pos, names());
        return hint && {pos, create: () => ({dom: renderHint(hint)})};
    });
}

/* ---- the editor */

/** Names groups of changes: consecutive typing becomes one undo step. */
class UndoGroups {
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
    const groups = new UndoGroups();
    const textOf = (state: EditorState): string => state.sliceDoc();
    /** An offset counts \r\n as two characters, a position of CodeMirror as one. */
    const toPos = (text: string, offset: number): number =>
        separator === '\n' ? offset : offset - (text.slice(0, offset).match(/\r\n/g)?.length ?? 0);
    const toOffset = (state: EditorState, pos: number): number =>
        separator === '\n' ? pos : pos + state.doc.lineAt(pos).number - 1;

    const updateListener = EditorView.updateListener.of(u => {
        const isFromDraft = u.transactions.some(t => t.annotation(fromDraft));
        if (u.docChanged && !isFromDraft)
            host.onchange(textOf(u.state), groups.next(u.transactions));
        else if (u.selectionSet && !u.docChanged) groups.break();
        if (u.docChanged || u.selectionSet)
            host.oncursor(toOffset(u.state, u.state.selection.main.head));
    });
    const command = (fn: () => void) => () => {
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
        updateListener,
        hoverHints(host.names),
        EditorState.lineSeparator.of(separator),
        autocompletion({override: [completionSource(host.names)], icons: false}),
        EditorView.contentAttributes.of({'aria-label': host.label, tabindex: '0'}),
        keymap.of([
            {key: 'Mod-z', run: command(host.onundo), preventDefault: true},
            {key: 'Mod-y', run: command(host.onredo), preventDefault: true},
            {key: 'Mod-Shift-z', run: command(host.onredo), preventDefault: true},
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

    function setText(text: string): void {
        const before = textOf(view.state),
            change = changeOf(before, text);
        if (!change) return;
        groups.break();
        if (separatorOf(text) !== separator) {
            separator = separatorOf(text);
            view.setState(stateOf(text));
            view.dispatch({effects: revealEffect.of(isOpen)});
            return;
        }
        const from = toPos(before, change.at),
            to = toPos(before, change.at + change.removed.length);
        const insert = view.state.toText(change.inserted);
        view.dispatch({
            changes: {from, to, insert},
            annotations: fromDraft.of(true),
            ...(view.hasFocus && {
                selection: EditorSelection.cursor(from + insert.length),
                scrollIntoView: true,
            }),
        });
        if (textOf(view.state) !== text)
            // the change split a line end
            view.dispatch({
                changes: {from: 0, to: view.state.doc.length, insert: view.state.toText(text)},
                annotations: fromDraft.of(true),
            });
    }

    return {
        setText,
        setMarks: marks => {
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
        goTo: offset => {
            const at = Math.min(toPos(textOf(view.state), offset), view.state.doc.length);
            view.dispatch({
                selection: {anchor: at},
                effects: EditorView.scrollIntoView(at, {y: 'center'}),
            });
            view.focus();
        },
        revealSecrets: isVisible => {
            isOpen = isVisible;
            view.dispatch({effects: revealEffect.of(isVisible)});
        },
        destroy: () => view.destroy(),
    };
}
