/* The child `multiverse agent-chat`: one request to a server of OpenAI's chat completions.
 *
 * Standard input is one JSON object:
 *
 *     {"model": "gpt-5.2", "system": TEXT, "prompt": TEXT, "base_url": "https://api.openai.com/v1",
 *      "temperature": 0.2, "max_tokens": 4000, "reasoning_effort": "low", "stall_s": 300}
 *
 * model and prompt are required. The key is OPENAI_API_KEY of the environment. The answer is
 * streamed: standard output has one JSON object per line, and the last one is the end:
 *
 *     {"type":"chat.started","model"} {"type":"chat.delta","text"}
 *     {"type":"chat.completed","text","usage":{"input_tokens","output_tokens"},"finish_reason"}
 *     {"type":"chat.failed","status":429,"error":{"type","code","message"},
 *         "retry_after_ms":3000,"headers":{"x-ratelimit-reset-requests":"6m0s"}}
 *
 * status is the HTTP status, or 0 if there was none: no connection, a broken one, or nothing
 * received for stall_s. An error inside the stream has the status of its code, else 200. headers
 * are x-ratelimit-* and retry-after*. Requests are not retried and redirects are not followed; only
 * http and https are allowed. Certificates are checked; proxies and authorities are curl's. All
 * input is bounded.
 */
#pragma once

#define CHAT_CONNECT_S 20L
#define CHAT_STALL_S   300L

/* Return the exit code: 0 completed, 1 failed, 2 invalid request on standard input. */
int chat_main(void);
