#include "base/zone.h"

#include <stdlib.h>

#include "base/rfc3339.h"
#include "test.h"

static int64_t unix_s(const char *text)
{
    int64_t ms = 0;
    assert_true(rfc3339_parse(str_from(text), &ms, NULL));
    return ms / 1000;
}

TEST(utc_needs_no_database)
{
    struct zone z;
    assert_true(zone_find(STR("UTC"), &z));
    assert_int_equal(zone_offset(&z, 0), 0);
    assert_true(zone_find(STR("gmt"), &z));
    zone_done(&z);
}

TEST(a_zone_has_summer_time)
{
    struct zone z;
    assert_true(zone_find(STR("Europe/Lisbon"), &z));
    assert_int_equal(zone_offset(&z, unix_s("2026-01-15T12:00:00Z")), 0);
    assert_int_equal(zone_offset(&z, unix_s("2026-07-15T12:00:00Z")), 3600);
    assert_int_equal(zone_offset(&z, unix_s("2026-10-25T00:59:59Z")), 3600);
    assert_int_equal(zone_offset(&z, unix_s("2026-10-25T01:00:00Z")), 0);
    zone_done(&z);
}

TEST(years_after_the_table_follow_the_rule)
{
    struct zone z;
    assert_true(zone_find(STR("America/New_York"), &z));
    assert_int_equal(zone_offset(&z, unix_s("2060-01-15T12:00:00Z")), -5 * 3600);
    assert_int_equal(zone_offset(&z, unix_s("2060-07-15T12:00:00Z")), -4 * 3600);
    assert_int_equal(zone_offset(&z, unix_s("1800-01-01T00:00:00Z")), -17762); /* by the sun */
    zone_done(&z);
}

TEST(a_local_time_becomes_unix_time)
{
    struct zone z;
    struct tm t = {.tm_year = 126, .tm_mon = 10, .tm_mday = 15, .tm_hour = 10, .tm_min = 30};
    assert_true(zone_find(STR("America/Sao_Paulo"), &z));
    assert_int_equal(zone_to_unix(&z, &t), unix_s("2026-11-15T13:30:00Z"));
    zone_clock(&z, unix_s("2026-11-15T01:00:00Z"), &t);
    assert_int_equal(t.tm_mday, 14);
    assert_int_equal(t.tm_hour, 22);
    t.tm_mday += 31; /* overflows into the next month */
    assert_int_equal(zone_to_unix(&z, &t), unix_s("2026-12-16T01:00:00Z"));
    zone_done(&z);
}

TEST(a_local_time_on_the_day_of_a_change_is_correct_before_and_after)
{
    struct zone z;
    struct tm t = {.tm_year = 126, .tm_mon = 2, .tm_mday = 8, .tm_hour = 1, .tm_min = 30};
    assert_true(zone_find(STR("America/New_York"), &z));
    assert_int_equal(zone_to_unix(&z, &t), unix_s("2026-03-08T06:30:00Z"));
    t.tm_hour = 3;
    assert_int_equal(zone_to_unix(&z, &t), unix_s("2026-03-08T07:30:00Z"));
    zone_done(&z);
}

TEST(invalid_names_are_refused)
{
    static const char *const names[] = {
        "",         "Middle/Earth",       "/etc/passwd", "../passwd",  "Europe", "Europe/../UTC",
        "zone.tab", "Europe/Lisbon\nUTC", "tzdata.zi",   "leapseconds"};
    struct zone z;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_false(zone_find(str_from(names[i]), &z));
        zone_done(&z);
    }
    char longest[4096];
    memset(longest, 'A', sizeof longest);
    assert_false(zone_find(str_make(longest, sizeof longest), &z));
}

TEST(the_local_zone_is_that_of_the_process)
{
    struct zone z = zone_local();
    setenv("TZ", "Asia/Kolkata", 1);
    assert_int_equal(zone_offset(&z, unix_s("2026-11-15T12:00:00Z")), 5 * 3600 + 1800);
    setenv("TZ", "UTC", 1);
    assert_int_equal(zone_offset(&z, unix_s("2026-11-15T12:00:00Z")), 0);
    unsetenv("TZ");
}

static void check_rule(const char *rule, const char *when, int64_t want)
{
    int64_t got = -1;
    assert_true(zone_rule_offset(str_from(rule), unix_s(when), &got));
    assert_int_equal(got, want);
}

TEST(rules_define_summer_time)
{
    check_rule("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -18000);
    check_rule("EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -14400);
    check_rule("EST5EDT,M3.2.0,M11.1.0", "2026-11-01T05:59:59Z", -14400);
    check_rule("EST5EDT,M3.2.0,M11.1.0", "2026-11-01T06:00:00Z", -18000);
    /* south of the equator the summer goes over the new year */
    check_rule("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-01-15T00:00:00Z", 39600);
    check_rule("AEST-10AEDT,M10.1.0,M4.1.0/3", "2026-07-15T00:00:00Z", 36000);
    check_rule("<+0330>-3:30", "2026-07-15T00:00:00Z", 12600);
    check_rule("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-15T00:00:00Z", 0);
    check_rule("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-07-15T00:00:00Z", -3600);
    check_rule("AAA0BBB,J60,J300", "2028-02-29T12:00:00Z", 0); /* day 60 is always March 1st */
    check_rule("AAA0BBB,J60,J300", "2028-03-01T12:00:00Z", 3600);
    check_rule("AAA0BBB,59,300", "2028-02-29T12:00:00Z", 3600);
}

TEST(invalid_rules_are_refused)
{
    static const char *const rules[] = {"",
                                        "E5",
                                        "EST",
                                        "EST5EDT",
                                        "EST5EDT,",
                                        "<EST",
                                        "EST5EDT,M3",
                                        "EST5EDT,M13.1.0,M1.1.0",
                                        "EST5 junk",
                                        "EST999",
                                        "EST5EDT,M3.2.0,M11.1.0x"};
    int64_t got;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        assert_false(zone_rule_offset(str_from(rules[i]), 0, &got));
}
