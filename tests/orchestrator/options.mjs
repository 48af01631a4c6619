// The options of the scripts here: an error is one line, and the exit code is 2.
import {parseArgs} from 'node:util';

function refuse(text) {
    console.error(text);
    process.exit(2);
}

/** Read options of `kinds` ({name: [default, check]}) as texts and numbers; a check is a list of
 * texts, or 'number', or null. */
export function readOptions(kinds) {
    const wanted = Object.fromEntries(Object.entries(kinds).map(([name, [value]]) => [name,
        typeof value === 'boolean' ? {type: 'boolean', default: value} : {type: 'string', default: String(value)}]));
    let values;
    try {
        ({values} = parseArgs({options: wanted}));
    } catch (error) {
        refuse(`${error.message.split('\n')[0]} (there are: --${Object.keys(kinds).join(', --')})`);
    }
    for (const [name, [, check]] of Object.entries(kinds)) {
        const value = values[name];
        if (Array.isArray(check) && !check.includes(value))
            refuse(`--${name} must be one of ${check.join(', ')}, not ${JSON.stringify(value)}`);
        if (check === 'number') {
            if (!/^[1-9][0-9]{0,8}$/.test(value))
                refuse(`--${name} must be a positive whole number, not ${JSON.stringify(value)}`);
            values[name] = Number(value);
        }
    }
    return values;
}
