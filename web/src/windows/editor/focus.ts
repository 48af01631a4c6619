// Who may have the focus when something is done that was asked for a while ago.

/** Remembers who has it now; answers whether it may be moved still: not once somebody has gone on to something else. */
export function holdFocus(): () => boolean {
    const before = document.activeElement;
    return () => [before, document.body, null].includes(document.activeElement);
}
