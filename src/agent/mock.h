/* The child `multiverse agent-mock`: an agent that plays a script instead of asking a model, for
 * tests and for trying a configuration. The candidate:
 *
 *     {"tool": "mock", "toolSpecific": {"script": "plan.json"}}      // relative to the repo
 *     {"tool": "mock", "toolSpecific": {"script": [{"say": "done"}], "state": "/tmp/s.json"}}
 *
 * A script is a list of steps, or {"steps": [...]}. Each call plays the first step that is not used
 * up and whose `when` is true. A step is used up after one call, or after `repeat` calls (true:
 * never). The file `state` counts the calls of each step; it is locked while it changes, so that
 * processes can share it. By default it is in the folder of the run, one for each candidate. A call
 * fails if no step is left. Without a script every call says "ok".
 *
 *     {"when": {"prompt_has": "plan_task"}, "say": "{...}"}    or a list: all of them
 *     {"say": TEXT}  {"say_file": PATH}  {"say_env": NAME}     the last message; completes
 *     {"fail": "rate_limited", "after_ms": 60000}              fails with this outcome (outcome.h);
 *         "until": "2026-11-16T03:00:00Z" or unix seconds, "message": TEXT
 *     {"exit": 7}                                              exits without an event
 *     {"write": {"Assets/A.cs": TEXT}}                         files in the repo
 *     {"call": {"tool": "save_scene", "arguments": {}}}        to the MCP server of this call; or a
 *         list; if a call fails, the step fails (incomplete)
 *     {"sleep_ms": 100}  {"warn": {"used": 0.92, "resets_at": UNIX_SECONDS}}
 *     {"usage": {"input_tokens": 10, "output_tokens": 5}}      default: a guess by length
 *
 * A step is played in this order: warn, sleep_ms, write, call, and the end: exit, fail, or one of
 * say, say_file, say_env. Standard output has one JSON object per line:
 *
 *     {"type":"mock.started","model"} {"type":"mock.step","text"} {"type":"mock.tool","text"}
 *     {"type":"mock.warning","used","resets_at"}
 *     {"type":"mock.completed","text","usage":{"input_tokens","output_tokens"}}
 *     {"type":"mock.failed","outcome","message","until"}       until: RFC 3339, if known
 *
 * Standard input is one JSON object (provider_mock.c): prompt, model, script, state, self, url,
 * token_file.
 */
#pragma once

/* Return the exit code: 0 completed, 1 failed, 2 invalid script. */
int mock_main(void);
