#include "agent/codex_session_log.h"

#include "agent_fixture.h"

#define ID "01a1de78-0000-7000-8000-000000000000"

static struct buf out;

static int teardown(void **state)
{
    buf_done(&out);
    return teardown_agent(state);
}

TEST_FIXTURE(setup_agent, teardown);

TEST(file_of_the_session_is_read)
{
    put("s/2026/11/16/rollout-2026-11-16T03-00-00-" ID ".jsonl", "{\"a\":1}\n{\"b\":2}\n");
    put("s/2026/11/16/rollout-2026-11-16T03-00-00-other-id.jsonl", "no");
    put("s/2026/11/16/notes-" ID ".jsonl", "no");
    assert_true(codex_session_log_read("s", ID, 1000, &out));
    CHECK_CSTR(buf_str(&out), "{\"a\":1}\n{\"b\":2}\n");
}

TEST(last_lines_of_a_long_file_are_read)
{
    put("s/2026/11/16/rollout-x-" ID ".jsonl", "{\"aaaaaa\":1}\n{\"b\":2}\n{\"c\":3}\n");
    assert_true(codex_session_log_read("s", ID, 20, &out));
    CHECK_CSTR(str_trim(buf_str(&out)), "{\"b\":2}\n{\"c\":3}");
}

TEST(file_of_yesterday_is_found_and_an_old_one_is_not)
{
    put("s/2026/12/01/rollout-x-11111111-other.jsonl", "");
    put("s/2026/11/30/rollout-x-" ID ".jsonl", "yesterday");
    assert_true(codex_session_log_read("s", ID, 1000, &out));
    CHECK_CSTR(buf_str(&out), "yesterday");
    buf_clear(&out);
    put("s/2026/11/29/rollout-x-22222222-old.jsonl", "old");
    put("s/2026/11/28/rollout-x-33333333-old.jsonl", "older");
    assert_true(codex_session_log_read("s", "22222222-old", 1000, &out));
    assert_false(codex_session_log_read("s", "33333333-old", 1000, &out));
}

TEST(missing_file_and_invalid_id_are_not_found)
{
    put("s/2026/11/16/rollout-x-" ID ".jsonl", "x");
    put("s/2026/11/16/rollout-x-../../secret.jsonl", "x");
    assert_false(codex_session_log_read("none", ID, 1000, &out));
    assert_false(codex_session_log_read("s", "01a1de78-1111", 1000, &out));
    assert_false(codex_session_log_read("s", "", 1000, &out));
    assert_false(codex_session_log_read("s", "0", 1000, &out));
    assert_false(codex_session_log_read("s", "../../secret", 1000, &out));
    assert_false(codex_session_log_read("s", "*aaaaaaaaaaa", 1000, &out));
    assert_int_equal(out.n, 0);
}
