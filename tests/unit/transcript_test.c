#include "agent/transcript.h"

#include <fcntl.h>

#include "agent_fixture.h"

static struct transcript t;
static struct secrets secrets;

static int teardown(void **state)
{
    transcript_close(&t);
    secrets_done(&secrets);
    return teardown_agent(state);
}

static void open_it(size_t max)
{
    struct error err = {0};
    if (!transcript_open(&t, "t.out", &secrets, max, &err))
        fail_msg("%s", err.text);
}

TEST_FIXTURE(setup_agent, teardown);

TEST(added_bytes_are_on_disk_at_once)
{
    open_it(1000);
    transcript_add(&t, STR("one"));
    CHECK_CSTR(read_text("t.out"), "one");
    transcript_add(&t, STR(" two"));
    CHECK_CSTR(read_text("t.out"), "one two");
}

TEST(a_secret_in_pieces_is_masked)
{
    struct str text = STR("a topsecret b topsec");
    secrets_add(&secrets, STR("topsecret"));
    open_it(1000);
    for (size_t i = 0; i < text.n; i++)
        transcript_add(&t, str_make(text.p + i, 1));
    transcript_close(&t);
    CHECK_CSTR(read_text("t.out"), "a **** b topsec");
}

TEST(a_transcript_is_bounded_and_counts_what_is_missing)
{
    open_it(10);
    transcript_add(&t, STR("0123456"));
    transcript_add(&t, STR("789abc"));
    transcript_add(&t, STR("def"));
    transcript_close(&t);
    CHECK_CSTR(read_text("t.out"), "0123456789\n[6 bytes more were left out]\n");
    assert_int_equal(t.left_out, 6);
}

TEST(an_old_file_is_replaced_and_a_link_is_not_followed)
{
    put("other", "untouched");
    assert_int_equal(symlink("other", "t.out"), 0);
    open_it(10);
    transcript_add(&t, STR("new"));
    CHECK_CSTR(read_text("t.out"), "new");
    CHECK_CSTR(read_text("other"), "untouched");
}

TEST(a_full_disk_ends_the_transcript_only)
{
    struct error err = {0};
    assert_false(transcript_open(&t, "no/such/folder/t.out", &secrets, 10, &err));
    assert_int_equal(err.code, ERR_IO);
    transcript_add(&t, STR("harmless"));
    transcript_close(&t);
    open_it(1000);
    int full = open("/dev/full", O_WRONLY);
    assert_true(full > 0 && dup2(full, t.fd) == t.fd);
    transcript_add(&t, STR("lost"));
    assert_int_equal(t.left_out, 4);
    close(full);
}
