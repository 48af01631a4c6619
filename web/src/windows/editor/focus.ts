// Focus after asynchronous actions.

/** Return a function that returns false once the person has moved the focus. */
export function watchFocus(): () => boolean {
    const before = document.activeElement;
    return () => [before, document.body, null].includes(document.activeElement);
}
