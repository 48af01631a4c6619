/* The child `multiverse agent-chat`: one question to a server of OpenAI's chat completions.
 *
 * Standard input is one JSON object:
 *
 *     {"model": "gpt-5.2", "system": TEXT, "prompt": TEXT, "base_url": "https://api.openai.com/v1",
 *      "temperature": 0.2, "max_tokens": 4000, "reasoning_effort": "low", "stall_s": 300}
 *
 * model and prompt are required. The key is OPENAI_API_KEY of the environment. The answer is
 * streamed; on standard output stand events, one JSON object a line, the last one of them is its
 * end:
 *
 *     {"type":"chat.started","model"} {"type":"chat.delta","text"}
 *     {"type":"chat.completed","text","usage":{"input_tokens","output_tokens"},"finish_reason"}
 *     {"type":"chat.failed","status":429,"error":{"type","code","message"},
 *         "retry_after_ms":3000,"headers":{"x-ratelimit-reset-requests":"6m0s"}}
 *
 * status is that of HTTP, or 0 where there was none: not reached, cut, nothing came for stall_s.
 * An error inside the stream has the status its code says, else 200. headers are x-ratelimit-*
 * and retry-after*. Nothing is tried twice. Only http and https, no redirects, certificates are
 * checked; proxies and authorities are those of curl. Everything that comes is bounded.
 */
#pragma once

#define CHAT_CONNECT_S 20L
#define CHAT_STALL_S   300L

/* The exit code: 0 completed, 1 failed, 2 the request on standard input is wrong. */
int chat_main(void);
