#include "bridge/limits.h"

#include "base/buf.h"
#include "test.h"

/* All of section 10, and what may be set. */
TEST(the_table_is_as_specified)
{
    struct buf got = {0};
    for (size_t i = 0; i < limits_row_count; i++) {
        const struct limits_row *r = &limits_rows[i];
        buf_printf(&got, "%s %.10g, %.10g to %.10g%s\n", r->name, r->normal, r->least, r->most,
                   r->is_real ? " real" : "");
        assert_true(r->least <= r->normal && r->normal <= r->most && r->what[0]);
    }
    CHECK_STR(buf_str(&got), STR("queue_max_size 32, 1 to 1024\n"
                                 "request_reconnect_wait_ms 45000, 1 to 3600000\n"
                                 "compile_grace_timeout_ms 90000, 1 to 3600000\n"
                                 "editor_status_interval_ms 5000, 10 to 600000\n"
                                 "stale_connection_timeout_ms 15000, 20 to 3600000\n"
                                 "max_message_bytes 1048576, 4096 to 268435456\n"
                                 "reconnect_initial_ms 200, 1 to 60000\n"
                                 "reconnect_multiplier 1.8, 1 to 10 real\n"
                                 "reconnect_max_ms 5000, 1 to 600000\n"
                                 "reconnect_jitter 0.2, 0 to 1 real\n"
                                 "sync_fast_timeout_ms 5000, 1 to 600000\n"
                                 "sync_default_timeout_ms 30000, 1 to 600000\n"
                                 "job_default_timeout_ms 300000, 1 to 86400000\n"
                                 "job_max_timeout_ms 1800000, 1 to 86400000\n"
                                 "dedupe_ms 600000, 0 to 86400000\n"
                                 "job_keep_count 256, 1 to 65536\n"
                                 "job_keep_ms 3600000, 0 to 604800000\n"));
    buf_done(&got);
}

TEST(a_struct_starts_with_the_defaults)
{
    struct limits l;
    memset(&l, 0xaa, sizeof l);
    limits_init(&l);
    for (size_t i = 0; i < limits_row_count; i++)
        assert_true(limits_get(&l, &limits_rows[i]) == limits_rows[i].normal);
    assert_int_equal(l.queue_max_size, 32);
    assert_true(l.reconnect_multiplier == 1.8);
    assert_true(limits_check(&l, NULL));
}

TEST(a_row_is_found_by_its_name_and_sets_its_own_field)
{
    struct limits l;
    limits_init(&l);
    for (size_t i = 0; i < limits_row_count; i++) {
        const struct limits_row *r = limits_find(str_from(limits_rows[i].name));
        assert_ptr_equal(r, &limits_rows[i]);
        limits_set(&l, r, r->most);
        assert_true(limits_get(&l, r) == r->most);
        limits_set(&l, r, r->least);
        assert_true(limits_get(&l, r) == r->least);
        for (size_t k = i + 1; k < limits_row_count; k++)
            assert_true(limits_get(&l, &limits_rows[k]) == limits_rows[k].normal);
    }
    assert_null(limits_find(STR("queue_max_siz")));
    assert_null(limits_find(STR("queue_max_size ")));
    assert_null(limits_find(STR("")));
}

static void check(struct limits *l, const char *part)
{
    struct error err = {0};
    assert_false(limits_check(l, &err));
    assert_int_equal(err.code, ERR_CONFIG_VALIDATION);
    assert_true(str_starts(str_from(err.text), str_from(part)));
    limits_init(l);
}

TEST(the_rules_between_two_limits_are_checked)
{
    struct limits l;
    limits_init(&l);
    l.stale_connection_timeout_ms = l.editor_status_interval_ms;
    check(&l, "stale_connection_timeout_ms (5000) must be longer");
    l.job_default_timeout_ms = l.job_max_timeout_ms + 1;
    check(&l, "job_default_timeout_ms (1800001) must not be above");
    l.reconnect_initial_ms = l.reconnect_max_ms + 1;
    check(&l, "reconnect_initial_ms (5001) must not be above");
    l.stale_connection_timeout_ms = l.editor_status_interval_ms + 1;
    l.job_default_timeout_ms = l.job_max_timeout_ms;
    l.reconnect_initial_ms = l.reconnect_max_ms;
    assert_true(limits_check(&l, NULL));
}
