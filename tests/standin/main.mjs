// The stand-in as a program, to try agents by hand: tools/node.sh tests/standin/main.mjs [PORT]
//
// It prints {"url"} and then one line of JSON for each request. It reads lines of JSON that set the
// replies of an account from now on, in the form of standin.mjs:
//
//     {"account": "a", "answers": {"fault": "usage_limited", "resetsAt": 1794742430}}
//     {"account": "c", "answers": [{"fault": "overloaded", "times": 2}, "fine"]}
import readline from 'node:readline';

import {Standin} from './standin.mjs';

const standin = await new Standin().listen(Number(process.argv[2] ?? 0));
const print = object => console.log(JSON.stringify(object));
standin.onAnswer = ({account, wire, model, n}, status) => print({account, wire: wire.name, model, n, status});
print({url: standin.url});
for await (const line of readline.createInterface({input: process.stdin})) {
    try {
        const {account, answers} = JSON.parse(line);
        print({account, url: standin.account(account).answers(answers).url});
    } catch (error) {
        print({error: error.message});
    }
}
standin.close();
