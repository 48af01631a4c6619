#include "base/when_text.h"

#include <stdlib.h>
#include <time.h>

#include "base/buf.h"
#include "base/rfc3339.h"
#include "test.h"

#define NOW "2026-11-15T09:30:00Z"

static int64_t ms_of(const char *text)
{
    int64_t ms = 0;
    assert_true(rfc3339_parse(str_from(text), &ms, NULL));
    return ms;
}

static void check_at(const char *now, const char *text, const char *want, int line)
{
    int64_t got;
    char shown[RFC3339_LEN + 1] = "nothing";
    if (when_text_find(str_from(text), ms_of(now), &got))
        rfc3339_format(got, shown);
    if (strcmp(shown, want) != 0)
        print_error("\"%s\"\n", text);
    check_str_at(str_from(shown), str_from(want), __FILE__, line);
}
#define CHECK(text, want) check_at(NOW, (text), (want), __LINE__)

TEST(spans_count_from_now)
{
    CHECK("Please try again in 3s. Visit", "2026-11-15T09:30:03.000Z");
    CHECK("Please retry in 8h12m33.1s.", "2026-11-15T17:42:33.100Z");
    CHECK("Please try again in 2.054s.", "2026-11-15T09:30:02.054Z");
    CHECK("Your quota will reset after 5h12m.", "2026-11-15T14:42:00.000Z");
    CHECK("or try again in 5 days 22 hours 11 minutes.", "2026-11-21T07:41:00.000Z");
    CHECK("Try again in 1 hour and 5 minutes.", "2026-11-15T10:35:00.000Z");
    CHECK("Suggested retry after 90 seconds", "2026-11-15T09:31:30.000Z");
    CHECK("resets in 2h 1m", "2026-11-15T11:31:00.000Z");
    CHECK("Try again in less than a minute.", "2026-11-15T09:31:00.000Z");
    CHECK("try again in an hour", "2026-11-15T10:30:00.000Z");
    CHECK("Please retry in 10h17m5.723541104s.", "2026-11-15T19:47:05.723Z");
}

TEST(clock_times_are_in_the_named_zone)
{
    CHECK("You've hit your 5-hour limit · resets 11:33am (UTC)", "2026-11-15T11:33:00.000Z");
    CHECK("resets 1pm (Europe/Lisbon)", "2026-11-15T13:00:00.000Z");
    CHECK("resets 10:30am (America/Sao_Paulo)", "2026-11-15T13:30:00.000Z");
    CHECK("Your limit will reset at 5pm (Europe/Warsaw).", "2026-11-15T16:00:00.000Z");
    CHECK("resets Nov 18, 9:47am (UTC)", "2026-11-18T09:47:00.000Z");
    CHECK("resets Nov 18 at 9:47am (Asia/Tokyo)", "2026-11-18T00:47:00.000Z");
    CHECK("regain access on 2026-12-01 at 00:00 UTC.", "2026-12-01T00:00:00.000Z");
    CHECK("API usage pauses until 2026-12-01 00:00 UTC.", "2026-12-01T00:00:00.000Z");
    CHECK("resets at 2026-11-15T12:00:00+02:00", "2026-11-15T10:00:00.000Z");
    CHECK("try again at 2026-11-15T12:00:00.250Z", "2026-11-15T12:00:00.000Z");
    CHECK("resets 23:15 UTC", "2026-11-15T23:15:00.000Z");
    CHECK("resets 12am (UTC)", "2026-11-16T00:00:00.000Z");
    CHECK("resets 12pm (UTC)", "2026-11-15T12:00:00.000Z");
}

TEST(without_a_zone_clock_times_are_local)
{
    setenv("TZ", "America/New_York", 1); /* it is 4:30 there */
    tzset();
    CHECK("or try again at 11:10 AM.", "2026-11-15T16:10:00.000Z");
    CHECK("try again at Nov 18th, 2026 9:30 AM.", "2026-11-18T14:30:00.000Z");
    CHECK("your monthly cycle ends on 12/2/2026.*", "2026-12-02T05:00:00.000Z");
    CHECK("try again at 4:00 AM.", "2026-11-16T09:00:00.000Z");
    setenv("TZ", "UTC", 1);
    tzset();
    CHECK("or try again at 11:10 AM.", "2026-11-15T11:10:00.000Z");
}

TEST(a_past_time_of_day_is_tomorrow)
{
    CHECK("resets 9:29am (UTC)", "2026-11-16T09:29:00.000Z");
    check_at("2026-11-15T09:30:59Z", "resets 9:30am (UTC)", "2026-11-15T09:30:00.000Z",
             __LINE__); /* clocks show minutes: this one is not over */
    CHECK("resets 3am (UTC)", "2026-11-16T03:00:00.000Z");
    /* in Auckland the 16th has begun */
    check_at("2026-11-15T12:30:00Z", "resets 3am (Pacific/Auckland)", "2026-11-15T14:00:00.000Z",
             __LINE__);
    /* the next day has 23 hours */
    check_at("2026-03-08T04:30:00Z", "resets 11pm (America/New_York)", "2026-03-09T03:00:00.000Z",
             __LINE__);
}

TEST(a_day_without_a_year_is_the_next_one)
{
    check_at("2026-12-30T09:00:00Z", "resets Jan 2, 9am (UTC)", "2027-01-02T09:00:00.000Z",
             __LINE__);
    CHECK("resets Nov 15, 9am (UTC)", "2026-11-15T09:00:00.000Z"); /* today, just over */
    CHECK("resets Nov 10, 9am (UTC)", "2027-11-10T09:00:00.000Z");
}

TEST(names_of_weekdays_are_read)
{
    /* 2026-11-15 is a Sunday */
    CHECK("resets Monday 9am (UTC)", "2026-11-16T09:00:00.000Z");
    CHECK("resets Sun 9am (UTC)", "2026-11-22T09:00:00.000Z");
    CHECK("resets Sun 10am (UTC)", "2026-11-15T10:00:00.000Z");
    CHECK("resets tomorrow at 3pm (UTC)", "2026-11-16T15:00:00.000Z");
}

TEST(unix_seconds_are_read_after_a_bar)
{
    CHECK("Claude AI usage limit reached|1794742430", "2026-11-15T11:33:50.000Z");
    CHECK("Claude AI usage limit reached|1794742430000", "2026-11-15T11:33:50.000Z");
    CHECK("Claude AI usage limit reached|17947424", "nothing");
    CHECK("Claude AI usage limit reached|17947424301", "nothing");
}

TEST(an_unknown_zone_gives_no_time)
{
    CHECK("resets 3pm (Middle/Earth)", "nothing");
    CHECK("resets 3pm (../../etc/passwd)", "nothing");
    CHECK("resets 3pm (UTC", "nothing");
    CHECK("resets 3pm XYZT", "nothing");
}

TEST(other_texts_have_no_time)
{
    CHECK("", "nothing");
    CHECK("Try again later.", "nothing");
    CHECK("Try again in a moment.", "nothing");
    CHECK("It was at 11:10 AM that I fixed limiter.py:429", "nothing");
    CHECK("retry 5 times", "nothing");
    CHECK("reset the counter to 3", "nothing");
    CHECK("wait 30", "nothing");
    CHECK("again in 99999999999999999999 days", "nothing");
    CHECK("again in 400000000s", "nothing");
    CHECK("again at 25:00", "nothing");
    CHECK("again at 13pm", "nothing");
    CHECK("again at 11:60", "nothing");
    CHECK("again at 2026-13-01 00:00 UTC", "nothing");
    CHECK("again on 1999-01-01 00:00 UTC", "nothing");
}

TEST(the_first_time_that_can_be_read_counts)
{
    CHECK("try again later, or retry in 5s, or retry in 9s", "2026-11-15T09:30:05.000Z");
}

static void check_span(const char *text, uint64_t want)
{
    uint64_t got = 1;
    assert_true(when_text_span(str_from(text), &got));
    assert_int_equal(got, want);
}

TEST(durations_in_headers_are_read)
{
    uint64_t got;
    check_span("6m0s", 360000);
    check_span("3s", 3000);
    check_span("120ms", 120);
    check_span("1h30m", 5400000);
    check_span("17", 17000);
    check_span("0.5", 500);
    check_span("5 days 22 hours 11 minutes", 511860000);
    assert_false(when_text_span(STR(""), &got));
    assert_false(when_text_span(STR("soon"), &got));
    assert_false(when_text_span(STR("3s later"), &got));
    assert_false(when_text_span(STR("-3"), &got));
    assert_false(when_text_span(STR("999999999999"), &got));
    assert_false(when_text_span(STR("400000000"), &got));
}

TEST(long_texts_are_searched_quickly)
{
    static const char *const pieces[] = {"reset 3pm (",   "again in 1 ",  "until ",
                                         "resets in    ", "retry in 1.0", "|1234567890123"};
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++) {
        struct buf text = {0};
        int64_t got;
        while (text.n < 1u << 20)
            buf_add(&text, str_from(pieces[i]));
        when_text_find(buf_str(&text), 0, &got);
        buf_done(&text);
    }
}
