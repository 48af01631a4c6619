// A model's answers to the three questions of a run (src/agent/question.h).
//
//     account.answers(meta({workers: ['write the file']}))     // a plan, one worker run, done
//
// A function of the request, for the stand-in; or a script for the mock agent.

export const plan = (criteria = ['it works']) => JSON.stringify({
    type: 'plan_task', task_id: 'T-1',
    acceptance_criteria: criteria.map((description, i) => ({id: `AC-${i + 1}`, description})),
});

export const work = (prompt, more = {}) => JSON.stringify({
    type: 'next_action', decision: {action: 'run_worker', reason: 'there is work'},
    worker_call: {prompt, ...more},
});

export const complete = () => JSON.stringify({
    type: 'next_action', decision: {action: 'mark_complete', reason: 'all is done'},
});

/** All criteria passed, or as in the list: [true, false]. */
export const assess = (passed = [true]) => JSON.stringify({
    type: 'completion_assessment', all_criteria_satisfied: passed.every(Boolean), summary: 'looked at it',
    by_criterion: passed.map((ok, i) => ({id: `AC-${i + 1}`, status: ok ? 'passed' : 'failed'})),
});

const QUESTIONS = ['plan_task', 'next_action', 'completion_assessment'];

/** Which question the text asks: a prompt names only its own. null: none, it is work. */
export function question(text) {
    const at = QUESTIONS.map(name => text.lastIndexOf(name));
    const last = Math.max(...at);
    return last < 0 ? null : QUESTIONS[at.indexOf(last)];
}

/** Plan, run each of the workers' prompts, mark complete, and assess everything as passed; `worker`
 * is the reply to work. */
export function meta({criteria = ['it works'], workers = [], worker = 'done'} = {}) {
    const left = [...workers];
    return request => {
        switch (question(request.texts)) {
        case 'plan_task':
            return plan(criteria);
        case 'next_action':
            return left.length ? work(left.shift()) : complete();
        case 'completion_assessment':
            return assess(criteria.map(() => true));
        default:
            return worker;
        }
    };
}

/** The condition of a mock's step: the prompt contains this text. */
export const whenAsked = text => ({when: {prompt_has: text}});

/** The same as a script of the mock agent: toolSpecific.script. */
export function metaScript({criteria = ['it works'], workers = []} = {}) {
    return [
        {...whenAsked('plan_task'), say: plan(criteria), repeat: true},
        ...workers.map(prompt => ({...whenAsked('next_action'), say: work(prompt)})),
        {...whenAsked('next_action'), say: complete(), repeat: true},
        {...whenAsked('completion_assessment'), say: assess(criteria.map(() => true)), repeat: true},
    ];
}
