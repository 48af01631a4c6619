// Detects values of `env` that should be masked on the screen.
import {parse, type Node} from './json_text.ts';

/** Whether a name suggests a secret, by the program's rules: API_KEY and authToken do, MAX_TOKENS
 * does not. */
export function namesSecret(name: string): boolean {
    return name
        .split('_')
        .some(word => /(key|token|secret|password)$/i.test(word.replace(/\d+$/, '')));
}

/** Whether the value is a reference such as "env:NAME", which is not secret itself. */
export function isReference(value: string): boolean {
    return value.startsWith('env:');
}

const KEY_LIKE = /^(sk|pk|ghp|gho|github_pat|xox[a-z]|AIza|AKIA|glpat|hf)[-_A-Za-z0-9]{12,}$/;

export function isSecret(name: string, value: string): boolean {
    return (
        value !== '' &&
        !isReference(value) &&
        (namesSecret(name) ||
            KEY_LIKE.test(value) ||
            /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i.test(value))
    );
}

/** Return the ranges of secrets in a text, without their quotes, in order. */
export function secretRanges(text: string): [number, number][] {
    const ranges: [number, number][] = [];
    const visit = (n: Node, inEnv: boolean): void => {
        if (n.type !== 'property') {
            n.children?.forEach(c => visit(c, inEnv));
            return;
        }
        const [key, value] = n.children ?? [];
        if (!key || !value) return;
        if (inEnv && value.type === 'string' && isSecret(String(key.value), String(value.value)))
            ranges.push([value.offset + 1, value.offset + value.length - 1]);
        else visit(value, value.type === 'object' && key.value === 'env');
    };
    const {loose} = parse(text);
    if (loose) visit(loose, false);
    return ranges;
}
