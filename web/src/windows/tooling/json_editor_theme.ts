// The theme of the JSON editor, made of the page's colours: app.css does not apply in its shadow
// root.
import {HighlightStyle, syntaxHighlighting} from '@codemirror/language';
import type {Extension} from '@codemirror/state';
import {EditorView} from '@codemirror/view';
import {tags} from '@lezer/highlight';

const colours = HighlightStyle.define([
    {tag: tags.propertyName, color: 'var(--accent)'},
    {tag: tags.string, color: 'var(--good)'},
    {tag: tags.number, color: 'var(--warn)'},
    {tag: [tags.bool, tags.null], color: 'var(--warn)', fontWeight: '600'},
    {tag: tags.invalid, color: 'var(--bad)'},
]);

const control = {
    font: '13px var(--sans)',
    color: 'var(--text)',
    background: 'var(--panel)',
    border: '1px solid var(--line-strong)',
    borderRadius: '4px',
    padding: '2px 8px',
    minHeight: '26px',
    margin: '2px 4px 2px 0',
};

const baseTheme = EditorView.theme({
    '&': {height: '100%', background: 'var(--panel)', color: 'var(--text)', fontSize: '13px'},
    '&.cm-focused': {outline: 'none'},
    '.cm-scroller': {fontFamily: 'var(--mono)', lineHeight: '1.55', overflow: 'auto'},
    '.cm-content': {caretColor: 'var(--text)', padding: '8px 0'},
    '.cm-cursor, .cm-dropCursor': {borderLeftColor: 'var(--text)'},
    '.cm-content ::selection': {background: 'var(--accent-soft)'},
    '.cm-selectionBackground': {background: 'var(--accent-soft) !important'},
    '.cm-gutters': {
        background: 'var(--bg)',
        color: 'var(--dim)',
        borderRight: '1px solid var(--line)',
    },
    '.cm-activeLine': {background: 'color-mix(in srgb, var(--hover) 45%, transparent)'},
    '.cm-activeLineGutter': {background: 'var(--hover)', color: 'var(--text)'},
    '.cm-foldPlaceholder': {
        background: 'var(--raised)',
        border: '1px solid var(--line)',
        color: 'var(--dim)',
        padding: '0 6px',
    },
    '.cm-foldGutter span': {cursor: 'pointer', padding: '0 3px'},
    '&.cm-focused .cm-matchingBracket': {
        background: 'var(--accent-soft)',
        outline: '1px solid var(--accent)',
    },
    '&.cm-focused .cm-nonmatchingBracket': {
        background: 'var(--bad-soft)',
        outline: '1px solid var(--bad)',
    },
    '.cm-searchMatch': {background: 'var(--warn-soft)', outline: '1px solid var(--warn)'},
    '.cm-searchMatch-selected': {
        background: 'var(--accent-soft)',
        outline: '2px solid var(--accent)',
    },
    '.cm-lintRange-error': {
        backgroundImage: 'none',
        textDecoration: 'underline wavy var(--bad)',
        textDecorationSkipInk: 'none',
    },
    '.cm-lintRange-warning': {
        backgroundImage: 'none',
        textDecoration: 'underline wavy var(--warn)',
        textDecorationSkipInk: 'none',
    },
    '.cm-secret': {WebkitTextSecurity: 'disc'},
    '.cm-tooltip': {
        background: 'var(--panel)',
        color: 'var(--text)',
        border: '1px solid var(--line-strong)',
        borderRadius: '6px',
        boxShadow: 'var(--shadow)',
        maxWidth: 'min(480px, calc(100vw - 24px))',
        overflow: 'hidden',
    },
    '.cm-tooltip-lint': {font: '13px/1.4 var(--sans)'},
    '.cm-tooltip-autocomplete > ul': {fontFamily: 'var(--mono)', maxHeight: '240px'},
    '.cm-tooltip-autocomplete > ul > li': {
        padding: '4px 8px !important',
        display: 'flex',
        gap: '12px',
        justifyContent: 'space-between',
    },
    '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
        background: 'var(--accent) !important',
        color: 'var(--accent-text) !important',
    },
    '.cm-completionDetail': {
        font: '12px var(--sans)',
        fontStyle: 'normal',
        opacity: '1',
        overflow: 'hidden',
        textOverflow: 'ellipsis',
        marginLeft: '0',
    },
    '.cm-completionInfo': {font: '13px/1.4 var(--sans)', padding: '6px 10px', maxWidth: '320px'},
    // It would cover the list.
    '.cm-completionInfo-left-narrow, .cm-completionInfo-right-narrow': {display: 'none'},
    '.cm-hint': {font: '13px/1.4 var(--sans)', padding: '6px 10px'},
    '.cm-hint code': {fontFamily: 'var(--mono)', fontSize: '12px'},
    '.cm-hint p': {margin: '0 0 4px'},
    '.cm-hint ul': {margin: '4px 0 0', padding: '0 0 0 18px'},
    '.cm-panels': {background: 'var(--raised)', color: 'var(--text)', borderColor: 'var(--line)'},
    '.cm-panels.cm-panels-top': {borderBottom: '1px solid var(--line)'},
    '.cm-panel.cm-search': {padding: '6px 30px 6px 8px', font: '13px var(--sans)'},
    '.cm-panel.cm-search input[type="checkbox"]': {
        margin: '0 4px 0 8px',
        accentColor: 'var(--accent)',
    },
    '.cm-panel.cm-search label': {
        fontSize: '13px',
        display: 'inline-flex',
        alignItems: 'center',
        minHeight: '26px',
    },
    '.cm-textfield': control,
    '.cm-textfield::placeholder': {color: 'var(--dim)', opacity: '1'},
    '.cm-button': {...control, backgroundImage: 'none', cursor: 'pointer'},
    '.cm-button:active': {backgroundImage: 'none', background: 'var(--hover)'},
    '.cm-panel.cm-search [name="close"]': {
        top: '4px',
        right: '4px',
        width: '26px',
        height: '26px',
        color: 'var(--text)',
        cursor: 'pointer',
    },
    ':focus-visible': {outline: '2px solid var(--accent)', outlineOffset: '1px'},
    '.cm-content:focus-visible': {outline: 'none'},
});

export const theme: Extension = [baseTheme, syntaxHighlighting(colours)];
