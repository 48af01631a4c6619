// How each provider reports an error: status, headers and body, by the name of the fault.
//
//     fault('messages', {fault: 'usage_limited', resetsAt: 1794742430})   // {status, headers, json}
//
//     rate_limited    too many requests; retryAfter seconds (default: not given)
//     usage_limited   a window of the subscription is used up until resetsAt (unix time); for Gemini's API
//                     the quota of the day
//     billing         no credit, no quota in the plan
//     overloaded      no capacity
//     server          an internal error
//     auth            a rejected key
//     model           an unknown model
//     request         an invalid request
//     context         the request is too long
//     stream_overloaded   the same as overloaded, but inside a response that began well
//
// near(wire, {used, resetsAt}) are the headers of a successful response that announce a limit.

const now = () => Math.floor(Date.now() / 1000);
const iso = seconds => new Date(seconds * 1000).toISOString().replace(/\.\d+/, '');

// ---- OpenAI, both interfaces

const openaiError = (message, type, code) => ({error: {message, type, param: null, code}});

const openai = {
    rate_limited: ({retryAfter, model}) => ({
        status: 429,
        headers: retryAfter === undefined ? {} : {
            'retry-after': String(Math.ceil(retryAfter)), 'retry-after-ms': String(retryAfter * 1000),
            'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': `${retryAfter}s`,
        },
        json: openaiError(`Rate limit reached for ${model} on requests per min (RPM): Limit 3, Used 3, Requested 1.`,
            'requests', 'rate_limit_exceeded'),
    }),
    billing: () => ({status: 429, json: openaiError('You exceeded your current quota, please check your plan and ' +
        'billing details.', 'insufficient_quota', 'insufficient_quota')}),
    overloaded: () => ({status: 503, json: openaiError('Our servers are currently overloaded. Please try again ' +
        'later.', 'service_unavailable_error', 'server_is_overloaded')}),
    server: () => ({status: 500, json: openaiError('The server had an error while processing your request.',
        'server_error', null)}),
    auth: () => ({status: 401, json: openaiError('Incorrect API key provided.', 'invalid_request_error',
        'invalid_api_key')}),
    model: ({model}) => ({status: 404, json: openaiError(`The model \`${model}\` does not exist or you do not ` +
        'have access to it.', 'invalid_request_error', 'model_not_found')}),
    request: () => ({status: 400, json: openaiError("Invalid value: 'x'.", 'invalid_request_error',
        'invalid_value')}),
    context: () => ({status: 400, json: openaiError('Your input exceeds the context window of this model.',
        'invalid_request_error', 'context_length_exceeded')}),
};

const codexWindow = (used, resetsAt) => ({
    'x-codex-primary-used-percent': String(used), 'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': String(resetsAt),
});

const responses = {
    ...openai,
    usage_limited: ({resetsAt}) => ({
        status: 429,
        headers: codexWindow('100.0', resetsAt),
        json: {error: {type: 'usage_limit_reached', message: 'The usage limit has been reached',
            plan_type: 'plus', resets_at: resetsAt, resets_in_seconds: resetsAt - now()}},
    }),
    stream_overloaded: () => ({status: 200, events: [
        {type: 'response.created', response: {id: 'resp_1'}},
        {type: 'response.failed', response: {id: 'resp_1', object: 'response', status: 'failed', output: [],
            error: {code: 'server_is_overloaded', message: 'Our servers are currently overloaded.'}}},
    ]}),
};

const chat = {
    ...openai,
    stream_overloaded: () => ({status: 200, events: [{data: openaiError('Our servers are currently overloaded.',
        'service_unavailable_error', 'server_is_overloaded')}]}),
};

// ---- Anthropic

const anthropicError = (type, message) => ({type: 'error', error: {type, message}, request_id: 'req_1'});

const unified = (status, used, resetsAt) => ({
    'anthropic-ratelimit-unified-status': status,
    'anthropic-ratelimit-unified-reset': String(resetsAt),
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-5h-status': status,
    'anthropic-ratelimit-unified-5h-reset': String(resetsAt),
    'anthropic-ratelimit-unified-5h-utilization': String(used),
    'anthropic-ratelimit-unified-7d-status': 'allowed',
    'anthropic-ratelimit-unified-7d-reset': String(resetsAt + 3 * 86_400),
    'anthropic-ratelimit-unified-7d-utilization': '0.4',
});

const messages = {
    rate_limited: ({retryAfter}) => ({
        status: 429,
        headers: retryAfter === undefined ? {} : {
            'retry-after': String(Math.ceil(retryAfter)),
            'anthropic-ratelimit-requests-remaining': '0',
            'anthropic-ratelimit-requests-reset': iso(now() + retryAfter),
        },
        json: anthropicError('rate_limit_error', "This request would exceed your organization's rate limit of 50 " +
            'requests per minute.'),
    }),
    usage_limited: ({resetsAt}) => ({
        status: 429,
        headers: {'retry-after': String(resetsAt - now()), 'x-should-retry': 'false',
            ...unified('rejected', 1, resetsAt)},
        json: anthropicError('rate_limit_error', "This request would exceed your account's rate limit. Please try " +
            'again later.'),
    }),
    billing: () => ({status: 400, json: anthropicError('invalid_request_error', 'Your credit balance is too low ' +
        'to access the Anthropic API.')}),
    overloaded: () => ({status: 529, json: anthropicError('overloaded_error', 'Overloaded')}),
    server: () => ({status: 500, json: anthropicError('api_error', 'Internal server error')}),
    auth: () => ({status: 401, json: anthropicError('authentication_error', 'invalid x-api-key')}),
    model: ({model}) => ({status: 404, json: anthropicError('not_found_error', `model: ${model}`)}),
    request: () => ({status: 400, json: anthropicError('invalid_request_error', 'messages.0: something is wrong')}),
    context: () => ({status: 400, json: anthropicError('invalid_request_error', 'prompt is too long: 300000 tokens ' +
        '> 200000 maximum')}),
    stream_overloaded: () => ({status: 200, events: [anthropicError('overloaded_error', 'Overloaded')]}),
};

// ---- Gemini

const RPC = 'type.googleapis.com/google.rpc';

const geminiError = (code, status, message, details) =>
    ({error: {code, message, status, ...(details && {details})}});

/** "8h12m33s", as Google writes it. */
function duration(seconds) {
    const parts = [[Math.floor(seconds / 3600), 'h'], [Math.floor(seconds / 60) % 60, 'm'], [seconds % 60, 's']];
    return parts.filter(([n, unit]) => n > 0 || unit === 's').map(([n, unit]) => `${n}${unit}`).join('');
}

function quota(model, {per, limit, seconds}) {
    const metric = 'generativelanguage.googleapis.com/generate_content_free_tier_requests';
    const hint = seconds === undefined ? '' : `\nPlease retry in ${duration(seconds)}.`;
    return {status: 429, json: geminiError(429, 'RESOURCE_EXHAUSTED',
        'You exceeded your current quota, please check your plan and billing details.\n' +
        `* Quota exceeded for metric: ${metric}, limit: ${limit}, model: ${model}${hint}`, [
            {'@type': `${RPC}.QuotaFailure`, violations: [{quotaMetric: metric, quotaValue: String(limit),
                quotaId: `GenerateRequestsPer${per}PerProjectPerModel-FreeTier`,
                quotaDimensions: {location: 'global', model}}]},
            ...(seconds === undefined ? [] : [{'@type': `${RPC}.RetryInfo`, retryDelay: `${seconds}s`}]),
        ])};
}

const gemini = {
    rate_limited: ({retryAfter, model}) => quota(model, {per: 'Minute', limit: 10, seconds: retryAfter}),
    usage_limited: ({resetsAt, model}) =>
        quota(model, {per: 'Day', limit: 250, seconds: resetsAt === undefined ? undefined : resetsAt - now()}),
    billing: ({model}) => quota(model, {per: 'Minute', limit: 0}),
    overloaded: () => ({status: 503, json: geminiError(503, 'UNAVAILABLE', 'The model is overloaded. Please try ' +
        'again later.')}),
    server: () => ({status: 500, json: geminiError(500, 'INTERNAL', 'An internal error has occurred.')}),
    auth: () => ({status: 400, json: geminiError(400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid ' +
        'API key.', [{'@type': `${RPC}.ErrorInfo`, reason: 'API_KEY_INVALID', domain: 'googleapis.com'}])}),
    model: ({model}) => ({status: 404, json: geminiError(404, 'NOT_FOUND', `models/${model} is not found for API ` +
        'version v1beta, or is not supported for generateContent.')}),
    request: () => ({status: 400, json: geminiError(400, 'INVALID_ARGUMENT', 'Request contains an invalid argument.')}),
    context: () => ({status: 400, json: geminiError(400, 'INVALID_ARGUMENT', 'The input token count exceeds the ' +
        'maximum number of tokens allowed.')}),
};

const faults = {responses, chat, messages, gemini};

/** The names of the faults of this interface. */
export const faultNames = wire => Object.keys(faults[wire]);

/** The response {status, headers, json | events}. */
export function fault(wire, options) {
    const make = faults[wire][options.fault];
    if (!make)
        throw new Error(`no fault ${options.fault} at ${wire}: ${faultNames(wire).join(', ')}`);
    return {headers: {}, ...make({model: 'the-model', ...options})};
}

/** Headers of a successful response: this much (0 to 1) is used until resetsAt. */
export function near(wire, {used, resetsAt}) {
    if (wire === 'messages')
        return {...unified('allowed_warning', used, resetsAt),
            'anthropic-ratelimit-unified-5h-surpassed-threshold': '0.9'};
    if (wire === 'responses')
        return codexWindow((used * 100).toFixed(1), resetsAt);
    throw new Error(`${wire} has no headers before a limit is reached`);
}
