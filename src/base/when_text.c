#include "base/when_text.h"

#include "base/zone.h"

#define SECOND 1000u
#define MINUTE (60u * SECOND)
#define HOUR   (60u * MINUTE)
#define DAY    (24u * HOUR)

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool take_char(struct str *s, char c)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = str_skip(*s, 1);
    return true;
}

static void skip_blanks(struct str *s)
{
    while (take_char(s, ' ') || take_char(s, '\t') || take_char(s, '\n') || take_char(s, '\r'))
        ;
}

/* The letters at the start. */
static struct str peek_word(struct str s)
{
    size_t n = 0;
    while (n < s.n && is_letter(s.p[n]))
        n++;
    return str_head(s, n);
}

static bool take_word(struct str *s, struct str word)
{
    if (!str_eq_nocase(peek_word(*s), word))
        return false;
    *s = str_skip(*s, word.n);
    return true;
}

/* From `least` to `most` digits, as a number. */
static bool take_digits(struct str *s, size_t least, size_t most, int64_t *out)
{
    size_t n = 0;
    int64_t value = 0;
    for (; n < s->n && is_digit(s->p[n]); n++) {
        if (n == most)
            return false;
        value = value * 10 + (s->p[n] - '0');
    }
    if (n < least)
        return false;
    *s = str_skip(*s, n);
    *out = value;
    return true;
}

/* Spans. */

static uint64_t unit_ms(struct str word)
{
    static const struct {
        const char *name;
        uint64_t ms;
    } units[] = {
        {"ms", 1},           {"millisecond", 1}, {"milliseconds", 1},  {"s", SECOND},
        {"sec", SECOND},     {"secs", SECOND},   {"second", SECOND},   {"seconds", SECOND},
        {"m", MINUTE},       {"min", MINUTE},    {"mins", MINUTE},     {"minute", MINUTE},
        {"minutes", MINUTE}, {"h", HOUR},        {"hr", HOUR},         {"hrs", HOUR},
        {"hour", HOUR},      {"hours", HOUR},    {"d", DAY},           {"day", DAY},
        {"days", DAY},       {"w", 7ull * DAY},  {"week", 7ull * DAY}, {"weeks", 7ull * DAY},
    };
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (str_eq_nocase(word, str_from(units[i].name)))
            return units[i].ms;
    return 0;
}

/* "3.5", "12": the part after the point in millionths. */
static bool take_decimal(struct str *s, uint64_t *whole, uint64_t *millionths)
{
    int64_t value;
    uint64_t scale = 100000;
    if (!take_digits(s, 1, 9, &value))
        return false;
    *whole = (uint64_t)value;
    *millionths = 0;
    if (s->n > 1 && s->p[0] == '.' && is_digit(s->p[1])) {
        *s = str_skip(*s, 1);
        for (; s->n && is_digit(s->p[0]); *s = str_skip(*s, 1), scale /= 10)
            *millionths += (uint64_t)(s->p[0] - '0') * scale;
    }
    return true;
}

/* One "22 hours" or "33.1s". */
static bool take_part(struct str *s, uint64_t *ms)
{
    struct str at = *s;
    uint64_t whole, millionths, unit;
    if (!take_decimal(&at, &whole, &millionths))
        return false;
    skip_blanks(&at);
    struct str word = peek_word(at);
    unit = unit_ms(word);
    if (!unit)
        return false;
    *ms += whole * unit + millionths * unit / 1000000;
    *s = str_skip(at, word.n);
    return true;
}

static bool take_span(struct str *s, uint64_t *ms)
{
    struct str at = *s;
    *ms = 0;
    if (take_word(&at, STR("less"))) {
        skip_blanks(&at);
        if (!take_word(&at, STR("than")))
            return false;
        skip_blanks(&at);
    }
    if (take_word(&at, STR("a")) || take_word(&at, STR("an"))) {
        skip_blanks(&at);
        struct str word = peek_word(at);
        *ms = word.n > 3 ? unit_ms(word) : 0; /* "a m" is not a span */
        *s = str_skip(at, word.n);
        return *ms > 0;
    }
    size_t parts = 0;
    while (parts < 8 && *ms <= WHEN_TEXT_MAX_MS && take_part(&at, ms)) {
        *s = at;
        parts++;
        skip_blanks(&at);
        if (take_char(&at, ','))
            skip_blanks(&at);
        if (take_word(&at, STR("and")))
            skip_blanks(&at);
    }
    return parts > 0 && *ms <= WHEN_TEXT_MAX_MS;
}

bool when_text_span(struct str text, uint64_t *ms)
{
    struct str s = str_trim(text);
    uint64_t whole, millionths, value;
    if (take_span(&s, &value) && str_trim(s).n == 0) {
        *ms = value;
        return true;
    }
    s = str_trim(text);
    if (!take_decimal(&s, &whole, &millionths) || s.n || whole * SECOND > WHEN_TEXT_MAX_MS)
        return false;
    *ms = whole * SECOND + millionths / 1000;
    return true;
}

/* Moments. */

struct moment {
    bool has_date, has_year, has_time, has_weekday, has_offset;
    int64_t year, month, day, hour, minute, second; /* month from 1 */
    int64_t weekday;                                /* from Sunday, 0 */
    int64_t days;                                   /* "tomorrow": 1 */
    int64_t offset;                                 /* seconds east */
    struct zone zone;
};

/* Return the index of a word in a list of names, of which three letters are enough; -1: none. */
static int find_name(struct str word, const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        struct str name = str_from(names[i]);
        bool longer = word.n <= name.n && word.n >= 3;
        if (longer && str_eq_nocase(word, str_head(name, word.n)))
            return i;
    }
    return -1;
}

static int find_month(struct str word)
{
    static const char *const names[] = {"January",   "February", "March",    "April",
                                        "May",       "June",     "July",     "August",
                                        "September", "October",  "November", "December"};
    return find_name(word, names, 12);
}

static int find_weekday(struct str word)
{
    static const char *const names[] = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday"};
    return find_name(word, names, 7);
}

static bool take_year(struct str *s, struct moment *m)
{
    struct str at = *s;
    if (take_char(&at, ','))
        skip_blanks(&at);
    else if (at.n && at.p[0] == ' ')
        skip_blanks(&at);
    if (!take_digits(&at, 4, 4, &m->year) || m->year < 2000 || m->year > 2200)
        return false;
    *s = at;
    return m->has_year = true;
}

/* "Nov 18th, 2026", "November 18". */
static bool take_named_date(struct str *s, struct moment *m)
{
    struct str at = *s, word = peek_word(at);
    int month = find_month(word);
    if (month < 0)
        return false;
    at = str_skip(at, word.n);
    take_char(&at, '.');
    skip_blanks(&at);
    if (!take_digits(&at, 1, 2, &m->day))
        return false;
    word = peek_word(at);
    if (word.n == 2 && (str_eq_nocase(word, STR("st")) || str_eq_nocase(word, STR("nd")) ||
                        str_eq_nocase(word, STR("rd")) || str_eq_nocase(word, STR("th"))))
        at = str_skip(at, 2);
    m->month = month + 1;
    take_year(&at, m);
    *s = at;
    return true;
}

/* "2026-12-01", "11/17/2026". */
static bool take_numeric_date(struct str *s, struct moment *m)
{
    struct str at = *s;
    if (take_digits(&at, 4, 4, &m->year)) {
        if (!take_char(&at, '-') || !take_digits(&at, 2, 2, &m->month) || !take_char(&at, '-') ||
            !take_digits(&at, 2, 2, &m->day))
            return false;
    } else {
        at = *s;
        if (!take_digits(&at, 1, 2, &m->month) || !take_char(&at, '/') ||
            !take_digits(&at, 1, 2, &m->day) || !take_char(&at, '/') ||
            !take_digits(&at, 4, 4, &m->year))
            return false;
    }
    if (m->year < 2000 || m->year > 2200)
        return false;
    *s = at;
    return m->has_year = true;
}

/* "am", "p.m.": 0 or 12 is added. */
static bool take_half(struct str *s, int64_t *add)
{
    struct str at = *s;
    skip_blanks(&at);
    if (!at.n || ((at.p[0] | 32) != 'a' && (at.p[0] | 32) != 'p'))
        return false;
    *add = (at.p[0] | 32) == 'p' ? 12 : 0;
    at = str_skip(at, 1);
    take_char(&at, '.');
    if (!take_char(&at, 'm') && !take_char(&at, 'M'))
        return false;
    if (at.n && is_letter(at.p[0]))
        return false;
    *s = at;
    return true;
}

/* "11:10 AM", "3pm", "00:00", "09:30:05.123". */
static bool take_clock(struct str *s, struct moment *m)
{
    struct str at = *s;
    int64_t add = 0, rest;
    if (!take_digits(&at, 1, 2, &m->hour))
        return false;
    bool minutes = take_char(&at, ':');
    if (minutes && !take_digits(&at, 2, 2, &m->minute))
        return false;
    if (minutes && take_char(&at, ':') && !take_digits(&at, 2, 2, &m->second))
        return false;
    if (minutes && at.n > 1 && at.p[0] == '.' && is_digit(at.p[1])) {
        at = str_skip(at, 1);
        take_digits(&at, 1, 9, &rest);
    }
    bool half = take_half(&at, &add);
    if (!minutes && !half)
        return false;
    if (half && (m->hour < 1 || m->hour > 12))
        return false;
    if (half)
        m->hour = m->hour % 12 + add;
    if (m->hour > 23 || m->minute > 59 || m->second > 60)
        return false;
    *s = at;
    return m->has_time = true;
}

/* "+01:00", "-0800". */
static bool take_offset(struct str *s, struct moment *m)
{
    struct str at = *s;
    int64_t h, min;
    bool west = at.n && at.p[0] == '-';
    if (!take_char(&at, '+') && !take_char(&at, '-'))
        return false;
    if (!take_digits(&at, 2, 2, &h)) {
        if (!take_digits(&at, 4, 4, &h))
            return false;
        min = h % 100;
        h /= 100;
    } else if (!take_char(&at, ':') || !take_digits(&at, 2, 2, &min)) {
        return false;
    }
    if (h > 15 || min > 59)
        return false;
    m->offset = (west ? -1 : 1) * (h * 3600 + min * 60);
    *s = at;
    return m->has_offset = true;
}

/* Return the name of a zone without parentheses: "UTC", "Europe/Lisbon"; not a lower-case word. */
static struct str peek_zone(struct str s)
{
    size_t n = 0, capitals = 0;
    bool slash = false;
    for (; n < s.n && (is_letter(s.p[n]) || s.p[n] == '_' || s.p[n] == '/'); n++) {
        slash = slash || s.p[n] == '/';
        capitals += s.p[n] >= 'A' && s.p[n] <= 'Z';
    }
    bool upper = capitals == n && n >= 1 && n <= 5;
    return str_head(s, slash || upper ? n : 0);
}

/* Return false if a zone is named but unknown. */
static bool take_zone(struct str *s, struct moment *m)
{
    struct str at = *s, name;
    m->zone = zone_local();
    if (take_offset(&at, m))
        return true;
    skip_blanks(&at);
    if (take_char(&at, '(')) {
        at = str_head(at, 80); /* limit the search */
        return str_cut(&at, ')', &name) && zone_find(str_trim(name), &m->zone);
    }
    name = peek_zone(at);
    if (name.n)
        return zone_find(name, &m->zone);
    return true;
}

static void take_between(struct str *s)
{
    skip_blanks(s);
    if (take_char(s, ','))
        skip_blanks(s);
    if (take_word(s, STR("at")))
        skip_blanks(s);
}

/* "tomorrow", "Monday", "today". */
static void take_day_word(struct str *s, struct moment *m)
{
    struct str word = peek_word(*s);
    int weekday = find_weekday(word);
    if (str_eq_nocase(word, STR("tomorrow")))
        m->days = 1;
    else if (weekday >= 0)
        m->has_weekday = true, m->weekday = weekday;
    else if (!str_eq_nocase(word, STR("today")))
        return;
    *s = str_skip(*s, word.n);
    take_between(s);
}

static bool take_moment(struct str *s, struct moment *m)
{
    struct str at = *s;
    *m = (struct moment){0};
    take_day_word(&at, m);
    m->has_date = take_numeric_date(&at, m) || take_named_date(&at, m);
    if (m->has_date) {
        struct str behind = at;
        if (!take_char(&behind, 'T'))
            take_between(&behind);
        if (take_clock(&behind, m))
            at = behind;
    } else if (!take_clock(&at, m)) {
        return false;
    }
    if (m->has_date && (m->month < 1 || m->month > 12 || m->day < 1 || m->day > 31))
        return false;
    if (m->has_date && !m->has_time)
        m->hour = m->minute = m->second = 0;
    *s = at;
    return take_zone(s, m);
}

static int64_t to_unix(const struct moment *m, const struct tm *clock)
{
    if (!m->has_offset)
        return zone_to_unix(&m->zone, clock);
    struct tm copy = *clock;
    return timegm(&copy) - m->offset;
}

static int64_t resolve_moment(const struct moment *m, int64_t now)
{
    int64_t now_s = now / 1000;
    struct tm t;
    if (m->has_offset)
        zone_clock(&(struct zone){.kind = ZONE_UTC}, now_s + m->offset, &t);
    else
        zone_clock(&m->zone, now_s, &t);
    int64_t ahead = m->has_weekday && !m->has_date ? (m->weekday - t.tm_wday + 7) % 7 : m->days;
    t.tm_hour = (int)m->hour;
    t.tm_min = (int)m->minute;
    t.tm_sec = (int)m->second;
    if (m->has_date) {
        t.tm_mon = (int)m->month - 1;
        t.tm_mday = (int)m->day;
        if (m->has_year)
            t.tm_year = (int)m->year - 1900;
        if (!m->has_year && to_unix(m, &t) < now_s - 86400)
            t.tm_year++;
    } else {
        t.tm_mday += (int)ahead;
        /* Times are given in minutes: the current minute has not passed. */
        if (to_unix(m, &t) <= now_s - 60)
            t.tm_mday += m->has_weekday ? 7 : 1;
    }
    return to_unix(m, &t) * 1000;
}

/* Sentences. */

enum {
    AFTER_IN = 1, /* the cue must be followed by "in", "after", "at" or "on" */
    AFTER_ANY
};

static int find_cue(struct str word)
{
    static const struct {
        const char *word;
        int kind;
    } cues[] = {
        {"again", AFTER_IN},  {"retry", AFTER_IN},   {"access", AFTER_IN},  {"available", AFTER_IN},
        {"ends", AFTER_IN},   {"reset", AFTER_ANY},  {"resets", AFTER_ANY}, {"until", AFTER_ANY},
        {"resume", AFTER_IN}, {"resumes", AFTER_IN}, {"wait", AFTER_ANY},
    };
    for (size_t i = 0; i < sizeof cues / sizeof *cues; i++)
        if (str_eq_nocase(word, str_from(cues[i].word)))
            return cues[i].kind;
    return 0;
}

static bool read_after_cue(struct str s, int kind, int64_t now, int64_t *unix_ms)
{
    static const char *const joints[] = {"in", "after", "at", "on", "until", "for", "by"};
    bool joined = false;
    skip_blanks(&s);
    for (size_t i = 0; i < sizeof joints / sizeof *joints && !joined; i++)
        joined = take_word(&s, str_from(joints[i]));
    if (!joined && kind == AFTER_IN)
        return false;
    if (take_char(&s, ':'))
        joined = true;
    skip_blanks(&s);
    uint64_t ms;
    struct str span = s;
    if (take_span(&span, &ms)) {
        *unix_ms = now + (int64_t)ms;
        return true;
    }
    struct moment m;
    bool ok = take_moment(&s, &m);
    if (ok)
        *unix_ms = resolve_moment(&m, now);
    zone_done(&m.zone);
    return ok;
}

/* "|1755615600", also in ms: old versions of an agent append it to the message. */
static bool read_epoch(struct str s, int64_t *unix_ms)
{
    int64_t value;
    size_t digits = 0;
    while (digits < s.n && is_digit(s.p[digits]))
        digits++;
    if ((digits != 10 && digits != 13) || !take_digits(&s, digits, digits, &value))
        return false;
    *unix_ms = digits == 10 ? value * 1000 : value;
    return true;
}

bool when_text_find(struct str text, int64_t now, int64_t *unix_ms)
{
    for (size_t i = 0; i < text.n;) {
        if (text.p[i] == '|' && read_epoch(str_skip(text, i + 1), unix_ms))
            return true;
        struct str word = peek_word(str_skip(text, i));
        if (word.n == 0) {
            i++;
            continue;
        }
        i += word.n;
        int kind = find_cue(word);
        if (kind && read_after_cue(str_skip(text, i), kind, now, unix_ms))
            return true;
    }
    return false;
}
