/* The child `multiverse agent-mock`: an agent that plays a script instead of asking a model.
 *
 * For tests and for trying a configuration out. The candidate:
 *
 *     {"tool": "mock", "toolSpecific": {"script": "plan.json"}}      // relative to the repo
 *     {"tool": "mock", "toolSpecific": {"script": [{"say": "done"}], "state": "/tmp/s.json"}}
 *
 * A script is a list of steps, or {"steps": [...]}. Each call plays one step: the first that is
 * not used up and whose `when` is true. A step is used up after one call, or after `repeat` calls
 * (true: never). How often each was played stands in the file `state`, locked while it is
 * changed, so that processes can share it; by default it is in the folder of the run, one for
 * each candidate. Nothing left to play is a failure. Without a script every call says "ok".
 *
 *     {"when": {"prompt_has": "plan_task"}, "say": "{...}"}    also a list: all of them
 *     {"say": TEXT}  {"say_file": PATH}  {"say_env": NAME}     the last words; ends well
 *     {"fail": "rate_limited", "after_ms": 60000}              ends with this outcome (outcome.h);
 *         "until": "2026-11-16T03:00:00Z" or unix seconds, "message": TEXT
 *     {"exit": 7}                                              ends without a word
 *     {"write": {"Assets/A.cs": TEXT}}                         files in the repo
 *     {"call": {"tool": "save_scene", "arguments": {}}}        of the MCP server of this call;
 *         also a list; one that fails ends the step as a failure (incomplete)
 *     {"sleep_ms": 100}  {"warn": {"used": 0.92, "resets_at": UNIX_SECONDS}}
 *     {"usage": {"input_tokens": 10, "output_tokens": 5}}      else a guess by length
 *
 * In one step they happen in this order: warn, sleep_ms, write, call, and the end: exit, fail or
 * one of the three that say. On standard output stand events, one JSON object a line:
 *
 *     {"type":"mock.started","model"} {"type":"mock.step","text"} {"type":"mock.tool","text"}
 *     {"type":"mock.warning","used","resets_at"}
 *     {"type":"mock.completed","text","usage":{"input_tokens","output_tokens"}}
 *     {"type":"mock.failed","outcome","message","until"}       until: RFC 3339, where there is one
 *
 * What it plays comes as one JSON object on standard input (provider_mock.c): prompt, model,
 * script, state, self, url, token_file.
 */
#pragma once

/* Reads standard input, plays; the exit code: 0 said, 1 failed, 2 the script is wrong. */
int mock_main(void);
