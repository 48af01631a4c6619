#include "base/zone.h"

#include <assert.h>

#include "base/file.h"

#define FOLDER    "/usr/share/zoneinfo"
#define FILE_MAX  (256u << 10)
#define HEAD_SIZE 44u
#define DAY       86400

static uint32_t read_u32(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

static int64_t read_i64(const char *p)
{
    return (int64_t)((uint64_t)read_u32(p) << 32 | read_u32(p + 4));
}

/* The six numbers of a header, in the order of the data after it. */
struct counts {
    size_t isut, isstd, leap, time, type, name;
};

static bool read_head(struct str s, struct counts *c)
{
    if (s.n < HEAD_SIZE || memcmp(s.p, "TZif", 4) != 0)
        return false;
    size_t *to[] = {&c->isut, &c->isstd, &c->leap, &c->time, &c->type, &c->name};
    for (size_t i = 0; i < 6; i++) {
        *to[i] = read_u32(s.p + 20 + 4 * i);
        if (*to[i] > FILE_MAX)
            return false;
    }
    return true;
}

static size_t data_size(const struct counts *c, size_t width)
{
    return c->time * (width + 1) + c->type * 6 + c->name + c->leap * (width + 4) + c->isstd +
           c->isut;
}

/* Version 2 and later: after the old block there is one with 64-bit times, then the rule. */
static bool read_file(struct zone *z)
{
    struct str all = buf_str(&z->file);
    struct counts c;
    if (!read_head(all, &c) || all.p[4] < '2')
        return false;
    size_t second = HEAD_SIZE + data_size(&c, 4);
    if (!read_head(str_skip(all, second), &c) || c.type == 0)
        return false;
    size_t data = second + HEAD_SIZE, end = data + data_size(&c, 8);
    if (end > all.n)
        return false;
    z->times = data;
    z->types = data + c.time * 8;
    z->infos = z->types + c.time;
    z->count = c.time;
    z->kinds = c.type;
    for (size_t i = 0; i < z->count; i++)
        if ((unsigned char)all.p[z->types + i] >= z->kinds)
            return false;
    struct str rest = str_skip(all, end), rule;
    if (rest.n && rest.p[0] == '\n') {
        rest = str_skip(rest, 1);
        if (str_cut(&rest, '\n', &rule))
            z->rule = rule;
    }
    return true;
}

/* Names become paths, so allow only letters, digits and / _ + -. */
static bool is_name(struct str name)
{
    if (name.n == 0 || name.n > 63 || name.p[0] == '/')
        return false;
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!letter && !(c >= '0' && c <= '9') && c != '/' && c != '_' && c != '+' && c != '-')
            return false;
    }
    return true;
}

bool zone_find(struct str name, struct zone *out)
{
    *out = (struct zone){0};
    if (str_eq_nocase(name, STR("UTC")) || str_eq_nocase(name, STR("GMT")) ||
        str_eq_nocase(name, STR("Z")) || str_eq_nocase(name, STR("Etc/UTC")))
        return true;
    if (!is_name(name))
        return false;
    char path[sizeof FOLDER + 65];
    snprintf(path, sizeof path, FOLDER "/%.*s", STR_ARG(name));
    out->kind = ZONE_FILE;
    if (file_read(path, FILE_MAX, &out->file, NULL) && read_file(out))
        return true;
    zone_done(out);
    return false;
}

void zone_done(struct zone *z)
{
    buf_done(&z->file);
    *z = (struct zone){0};
}

/* Rules. */

struct zone_change { /* "M3.2.0/2": month, week, day; or a day of the year */
    char form;       /* M; J: 1..365 without February 29th; 0: 0..365 */
    int64_t month, week, day, at;
};

struct rule {
    int64_t standard, summer; /* seconds east */
    bool changes;
    struct zone_change start, end; /* of summer */
};

static bool take_char(struct str *s, char c)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = str_skip(*s, 1);
    return true;
}

static bool take_number(struct str *s, int64_t most, int64_t *out)
{
    size_t n = 0;
    while (n < s->n && n < 4 && s->p[n] >= '0' && s->p[n] <= '9')
        n++;
    int64_t value = 0;
    for (size_t i = 0; i < n; i++)
        value = value * 10 + (s->p[i] - '0');
    if (n == 0 || value > most)
        return false;
    *s = str_skip(*s, n);
    *out = value;
    return true;
}

/* "[+-]hh[:mm[:ss]]" in seconds. */
static bool take_time(struct str *s, int64_t *out)
{
    int64_t h, m = 0, sec = 0;
    bool minus = take_char(s, '-');
    if (!minus)
        take_char(s, '+');
    if (!take_number(s, 167, &h) || (take_char(s, ':') && !take_number(s, 59, &m)) ||
        (take_char(s, ':') && !take_number(s, 59, &sec)))
        return false;
    int64_t value = h * 3600 + m * 60 + sec;
    *out = minus ? -value : value;
    return true;
}

static bool take_name(struct str *s)
{
    size_t n = 0;
    if (s->n && s->p[0] == '<') {
        n = str_find_char(*s, '>');
        if (n == s->n)
            return false;
        n++;
    } else {
        while (n < s->n && ((s->p[n] | 32) >= 'a' && (s->p[n] | 32) <= 'z'))
            n++;
    }
    *s = str_skip(*s, n);
    return n >= 3;
}

static bool take_change(struct str *s, struct zone_change *c)
{
    *c = (struct zone_change){.at = 2 * 3600};
    if (take_char(s, 'M')) {
        c->form = 'M';
        if (!take_number(s, 12, &c->month) || !take_char(s, '.') || !take_number(s, 5, &c->week) ||
            !take_char(s, '.') || !take_number(s, 6, &c->day) || c->month == 0 || c->week == 0)
            return false;
    } else {
        c->form = take_char(s, 'J') ? 'J' : 0;
        if (!take_number(s, 365, &c->day) || (c->form == 'J' && c->day == 0))
            return false;
    }
    return !take_char(s, '/') || take_time(s, &c->at);
}

static bool read_rule(struct str s, struct rule *r)
{
    int64_t west;
    *r = (struct rule){0};
    if (!take_name(&s) || !take_time(&s, &west))
        return false;
    r->standard = -west;
    if (s.n == 0)
        return true;
    if (!take_name(&s))
        return false;
    r->summer = r->standard + 3600;
    if (s.n && s.p[0] != ',') {
        if (!take_time(&s, &west))
            return false;
        r->summer = -west;
    }
    r->changes = true;
    return take_char(&s, ',') && take_change(&s, &r->start) && take_char(&s, ',') &&
           take_change(&s, &r->end) && s.n == 0;
}

static int64_t day_number(int year, int64_t month, int64_t day)
{
    struct tm t = {.tm_year = year - 1900, .tm_mon = (int)month, .tm_mday = (int)day};
    return timegm(&t) / DAY;
}

/* Return the day of the change in that year, in days since 1970. */
static int64_t change_day(const struct zone_change *c, int year)
{
    int64_t first = day_number(year, 0, 1);
    bool leap = day_number(year + 1, 0, 1) - first == 366;
    if (c->form == 'J')
        return first + c->day - 1 + (leap && c->day > 59);
    if (c->form != 'M')
        return first + c->day;
    int64_t month = day_number(year, c->month - 1, 1), next = day_number(year, c->month, 1);
    int64_t weekday = ((month + 4) % 7 + 7) % 7; /* 1970-01-01 was a Thursday */
    int64_t day = month + (c->day - weekday + 7) % 7 + (c->week - 1) * 7;
    return day < next ? day : day - 7;
}

static int find_year(int64_t unix_s)
{
    time_t t = (time_t)unix_s;
    struct tm at;
    return gmtime_r(&t, &at) ? at.tm_year + 1900 : 1970;
}

bool zone_rule_offset(struct str rule, int64_t unix_s, int64_t *offset)
{
    struct rule r;
    if (!read_rule(rule, &r))
        return false;
    *offset = r.standard;
    if (!r.changes)
        return true;
    int year = find_year(unix_s + r.standard);
    int64_t start = change_day(&r.start, year) * DAY + r.start.at - r.standard;
    int64_t end = change_day(&r.end, year) * DAY + r.end.at - r.summer;
    bool summer = start < end ? unix_s >= start && unix_s < end : unix_s >= start || unix_s < end;
    if (summer)
        *offset = r.summer;
    return true;
}

/* Offsets. */

static int64_t file_offset(const struct zone *z, int64_t unix_s)
{
    const char *p = z->file.p;
    size_t low = 0, high = z->count; /* the first transition that is later */
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (read_i64(p + z->times + mid * 8) <= unix_s)
            low = mid + 1;
        else
            high = mid;
    }
    int64_t offset;
    if (low == z->count && z->rule.n && zone_rule_offset(z->rule, unix_s, &offset))
        return offset;
    size_t info = low ? (unsigned char)p[z->types + low - 1] : 0;
    return (int32_t)read_u32(p + z->infos + info * 6);
}

int64_t zone_offset(const struct zone *z, int64_t unix_s)
{
    if (z->kind == ZONE_UTC)
        return 0;
    if (z->kind == ZONE_FILE)
        return file_offset(z, unix_s);
    time_t t = (time_t)unix_s;
    struct tm at;
    tzset(); /* localtime_r() need not read TZ */
    return localtime_r(&t, &at) ? at.tm_gmtoff : 0;
}

void zone_clock(const struct zone *z, int64_t unix_s, struct tm *out)
{
    time_t t = (time_t)(unix_s + zone_offset(z, unix_s));
    if (!gmtime_r(&t, out))
        *out = (struct tm){.tm_mday = 1, .tm_year = 70};
}

int64_t zone_to_unix(const struct zone *z, const struct tm *clock)
{
    struct tm copy = *clock;
    int64_t there = timegm(&copy);
    int64_t guess = there - zone_offset(z, there);
    return there - zone_offset(z, guess);
}
