// Focus after asynchronous actions.

/** Return a function that tells whether the focus may still be moved: not if the person has moved
 * it. */
export function watchFocus(): () => boolean {
    const before = document.activeElement;
    return () => [before, document.body, null].includes(document.activeElement);
}
