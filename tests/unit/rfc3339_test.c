#include "base/rfc3339.h"

#include <time.h>

#include "base/rng.h"
#include "test.h"

#define FIRST (-62167219200000) /* 0000-01-01T00:00:00.000Z */
#define LAST  253402300799999   /* 9999-12-31T23:59:59.999Z */

static void check_format(int64_t t, const char *want)
{
    char got[RFC3339_LEN + 1];
    rfc3339_format(t, got);
    CHECK_CSTR(str_from(got), want);
}

static void check_parse(const char *text, int64_t want)
{
    struct error err = {0};
    int64_t got = -1;
    if (!rfc3339_parse(str_from(text), &got, &err))
        fail_msg("%s", err.text);
    assert_int_equal(got, want);
    assert_int_equal(err.code, ERR_NONE);
}

TEST(known_times_are_written)
{
    check_format(0, "1970-01-01T00:00:00.000Z");
    check_format(-1, "1969-12-31T23:59:59.999Z");
    check_format(1, "1970-01-01T00:00:00.001Z");
    check_format(951782400000, "2000-02-29T00:00:00.000Z");
    check_format(1794744245123, "2026-11-15T12:04:05.123Z");
    check_format(FIRST, "0000-01-01T00:00:00.000Z");
    check_format(LAST, "9999-12-31T23:59:59.999Z");
    check_format(4107542399999, "2100-02-28T23:59:59.999Z");
    check_format(4107542400000, "2100-03-01T00:00:00.000Z");
}

TEST(times_out_of_range_become_the_nearest_valid_time)
{
    check_format(FIRST - 1, "0000-01-01T00:00:00.000Z");
    check_format(INT64_MIN, "0000-01-01T00:00:00.000Z");
    check_format(LAST + 1, "9999-12-31T23:59:59.999Z");
    check_format(INT64_MAX, "9999-12-31T23:59:59.999Z");
}

TEST(known_times_are_read)
{
    check_parse("1970-01-01T00:00:00Z", 0);
    check_parse("1985-04-12T23:20:50.52Z", 482196050520);        /* RFC 3339, 5.8 */
    check_parse("1996-12-19T16:39:57-08:00", 851042397000);      /* 5.8 */
    check_parse("1996-12-20T00:39:57Z", 851042397000);           /* 5.8 */
    check_parse("1990-12-31T23:59:60Z", 662688000000);           /* 5.8 */
    check_parse("1990-12-31T15:59:60-08:00", 662688000000);      /* 5.8 */
    check_parse("1937-01-01T12:00:27.87+00:20", -1041337172130); /* 5.8 */
    check_parse("2026-11-15t12:04:05.123z", 1794744245123);
    check_parse("2026-11-15T12:04:05-00:00", 1794744245000);
    check_parse("2026-11-16T12:03:05+23:59", 1794744245000);
    check_parse("0000-02-29T00:00:00Z", FIRST + 59 * (int64_t)86400000);
    check_parse("9999-12-31T23:59:59.999999Z", LAST);
}

TEST(decimals_are_cut_to_milliseconds)
{
    check_parse("1970-01-01T00:00:00.1Z", 100);
    check_parse("1970-01-01T00:00:00.12Z", 120);
    check_parse("1970-01-01T00:00:00.001999Z", 1);
    check_parse("1970-01-01T00:00:00.99999999999999999999999999999999999999999Z", 999);
    check_parse("1969-12-31T23:59:59.9999Z", -1);
}

TEST(a_leap_second_counts_as_the_second_after_it)
{
    check_parse("2016-12-31T23:59:60.25Z", 1483228800250);
    check_parse("2015-06-30T23:59:60Z", 1435708800000);
    check_parse("2015-07-01T01:59:60+02:00", 1435708800000);
    check_parse("1968-12-31T23:59:60.5Z", -31535999500);
}

TEST(every_error_has_a_reason)
{
    static const struct {
        const char *text, *reason;
    } bad[] = {
        {"", "the date is not YYYY-MM-DD"},
        {"26-11-15T12:04:05Z", "the date is not YYYY-MM-DD"},
        {"2026/11/15T12:04:05Z", "the date is not YYYY-MM-DD"},
        {"2026-1-15T12:04:05Z", "the date is not YYYY-MM-DD"},
        {"2026-11-5T12:04:05Z", "the date is not YYYY-MM-DD"},
        {"2026-11", "the date is not YYYY-MM-DD"},
        {" 2026-11-15T12:04:05Z", "the date is not YYYY-MM-DD"},
        {"-026-11-15T12:04:05Z", "the date is not YYYY-MM-DD"},
        {"2026-00-15T12:04:05Z", "there is no such month"},
        {"2026-13-15T12:04:05Z", "there is no such month"},
        {"2026-11-00T12:04:05Z", "the month has no such day"},
        {"2026-11-31T12:04:05Z", "the month has no such day"},
        {"2026-02-29T12:04:05Z", "the month has no such day"},
        {"1900-02-29T12:04:05Z", "the month has no such day"},
        {"2000-02-30T12:04:05Z", "the month has no such day"},
        {"2026-11-15", "no T follows the date"},
        {"2026-11-15 12:04:05Z", "no T follows the date"},
        {"2026-11-15T", "the time is not hh:mm:ss"},
        {"2026-11-15T12:04Z", "the time is not hh:mm:ss"},
        {"2026-11-15T1:04:05Z", "the time is not hh:mm:ss"},
        {"2026-11-15T12-04-05Z", "the time is not hh:mm:ss"},
        {"2026-11-15T24:00:00Z", "there is no such time of day"},
        {"2026-11-15T12:60:00Z", "there is no such time of day"},
        {"2026-11-15T12:00:61Z", "there is no such time of day"},
        {"2026-11-15T12:04:05.Z", "no digit follows the decimal point"},
        {"2026-11-15T12:04:05.", "no digit follows the decimal point"},
        {"2026-11-15T12:04:05", "it does not end in Z or an offset such as +01:00"},
        {"2026-11-15T12:04:05,5Z", "it does not end in Z or an offset such as +01:00"},
        {"2026-11-15T12:04:05+1:00", "it does not end in Z or an offset such as +01:00"},
        {"2026-11-15T12:04:05+0100", "it does not end in Z or an offset such as +01:00"},
        {"2026-11-15T12:04:05+01", "it does not end in Z or an offset such as +01:00"},
        {"2026-11-15T12:04:05+24:00", "it does not end in Z or an offset such as +01:00"},
        {"2026-11-15T12:04:05-01:60", "it does not end in Z or an offset such as +01:00"},
        {"2026-11-15T12:04:05UTC", "it does not end in Z or an offset such as +01:00"},
        {"2026-11-15T12:04:05Z ", "something follows the offset"},
        {"2026-11-15T12:04:05ZZ", "something follows the offset"},
        {"2026-11-15T12:04:05+01:00Z", "something follows the offset"},
        {"2026-11-15T12:04:60Z", "a second 60 is possible at the end of a month only"},
        {"2016-12-30T23:59:60Z", "a second 60 is possible at the end of a month only"},
        {"2016-12-31T23:59:60+01:00", "a second 60 is possible at the end of a month only"},
        {"0000-01-01T00:00:00+00:01", "in UTC it is outside the years 0000 to 9999"},
        {"9999-12-31T23:59:59-00:01", "in UTC it is outside the years 0000 to 9999"},
        {"9999-12-31T23:59:60Z", "in UTC it is outside the years 0000 to 9999"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error err = {0};
        int64_t t = 42;
        char want[200];
        snprintf(want, sizeof want, "\"%s\" is not an RFC 3339 time: %s", bad[i].text,
                 bad[i].reason);
        assert_false(rfc3339_parse(str_from(bad[i].text), &t, &err));
        assert_int_equal(err.code, ERR_SYNTAX);
        CHECK_CSTR(str_from(err.text), want);
        assert_int_equal(t, 42);
    }
    assert_false(rfc3339_parse((struct str){0}, &(int64_t){0}, NULL));
    assert_false(rfc3339_parse(STR("1970-01-01T00:00:00Z\0"), &(int64_t){0}, NULL));
}

TEST(every_truncated_text_is_refused)
{
    struct str whole = STR("2026-11-15T12:04:05.123+01:00");
    int64_t t = 0;
    for (size_t n = 0; n < whole.n; n++)
        assert_false(rfc3339_parse(str_head(whole, n), &t, NULL));
    assert_true(rfc3339_parse(whole, &t, NULL));
}

TEST(every_time_round_trips)
{
    struct rng r;
    rng_seed(&r, 3339);
    for (int i = 0; i < 200000; i++) {
        int64_t t = FIRST + (int64_t)rng_below(&r, (uint64_t)(LAST - FIRST) + 1), back = 0;
        char text[RFC3339_LEN + 1];
        rfc3339_format(t, text);
        assert_int_equal(strlen(text), RFC3339_LEN);
        assert_true(rfc3339_parse(str_from(text), &back, NULL));
        assert_int_equal(back, t);
    }
}

/* Day by day over 800 years, with the calendar of the C library as judge. */
TEST(every_day_matches_the_calendar_of_the_c_library)
{
    for (int64_t day = -150000; day < 150000; day++) {
        char text[RFC3339_LEN + 1], want[32];
        time_t seconds = (time_t)(day * 86400);
        struct tm tm;
        gmtime_r(&seconds, &tm);
        strftime(want, sizeof want, "%Y-%m-%dT%H:%M:%S.000Z", &tm);
        rfc3339_format(day * 86400000, text);
        CHECK_CSTR(str_from(text), want);
    }
}

TEST(now_is_the_time_of_the_system)
{
    int64_t before = (int64_t)time(NULL) - 1, now = rfc3339_now(), after = (int64_t)time(NULL) + 1;
    assert_true(now / 1000 >= before && now / 1000 <= after);
}
