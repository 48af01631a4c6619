#include "base/rfc3339.h"

#include <time.h>

#include "base/utf8.h"

#define MS_PER_DAY 86400000
/* 0000-01-01T00:00:00.000Z and 9999-12-31T23:59:59.999Z */
#define EARLIEST (-62167219200000)
#define LATEST   253402300799999

/* Days since 1970-01-01 in the Gregorian calendar. The year starts in March here, so that the
 * leap day is its last; y >= 0 and eras of 400 years are all alike. */
static int64_t days_from_date(int y, int m, int d)
{
    int year = y + 400 - (m <= 2); /* + 400: never negative */
    int era = year / 400, of_era = year % 400;
    int of_year = (153 * (m + (m > 2 ? -3 : 9)) + 2) / 5 + d - 1;
    int days = of_era * 365 + of_era / 4 - of_era / 100 + of_year;
    return (int64_t)(era - 1) * 146097 + days - 719468;
}

static void date_from_days(int64_t days, int *y, int *m, int *d)
{
    int z = (int)(days + 719468 + 146097);
    int era = z / 146097, of_era = z % 146097;
    int year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (365 * year + year / 4 - year / 100);
    int month = (5 * of_year + 2) / 153; /* from March on */
    *d = of_year - (153 * month + 2) / 5 + 1;
    *m = month < 10 ? month + 3 : month - 9;
    *y = year + (era - 1) * 400 + (*m <= 2);
}

static int days_in_month(int y, int m)
{
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = y % 4 == 0 && (y % 100 != 0 || y % 400 == 0);
    return days[m - 1] + (m == 2 && leap);
}

int64_t rfc3339_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static char *put_number(char *to, int n, int digits)
{
    for (int i = digits; i-- > 0; n /= 10)
        to[i] = (char)('0' + n % 10);
    return to + digits;
}

void rfc3339_format(int64_t unix_ms, char to[RFC3339_LEN + 1])
{
    if (unix_ms < EARLIEST)
        unix_ms = EARLIEST;
    if (unix_ms > LATEST)
        unix_ms = LATEST;
    int64_t days = (unix_ms - EARLIEST) / MS_PER_DAY + EARLIEST / MS_PER_DAY;
    int ms = (int)((unix_ms - EARLIEST) % MS_PER_DAY);
    int y, m, d;
    date_from_days(days, &y, &m, &d);

    to = put_number(to, y, 4);
    *to++ = '-';
    to = put_number(to, m, 2);
    *to++ = '-';
    to = put_number(to, d, 2);
    *to++ = 'T';
    to = put_number(to, ms / 3600000, 2);
    *to++ = ':';
    to = put_number(to, ms / 60000 % 60, 2);
    *to++ = ':';
    to = put_number(to, ms / 1000 % 60, 2);
    *to++ = '.';
    to = put_number(to, ms % 1000, 3);
    *to++ = 'Z';
    *to = 0;
}

/* Take exactly `digits` digits from the start of *s. */
static bool take_number(struct str *s, int digits, int *n)
{
    int value = 0;
    for (int i = 0; i < digits; i++) {
        if ((size_t)i >= s->n || s->p[i] < '0' || s->p[i] > '9')
            return false;
        value = value * 10 + (s->p[i] - '0');
    }
    *s = str_skip(*s, (size_t)digits);
    *n = value;
    return true;
}

static bool take_char(struct str *s, char c)
{
    if (s->n == 0 || s->p[0] != c)
        return false;
    *s = str_skip(*s, 1);
    return true;
}

/* ".123456": at least one digit, the first three count. */
static bool take_fraction(struct str *s, int *ms)
{
    size_t n = 0;
    int digit;
    *ms = 0;
    for (; take_number(s, 1, &digit); n++)
        if (n < 3)
            *ms += digit * (n == 0 ? 100 : n == 1 ? 10 : 1);
    return n > 0;
}

/* "Z" or "+hh:mm": minutes to the east. */
static bool take_offset(struct str *s, int *minutes)
{
    int h, m;
    *minutes = 0;
    if (take_char(s, 'Z') || take_char(s, 'z'))
        return true;
    bool west = s->n > 0 && s->p[0] == '-';
    if (!west && !(s->n > 0 && s->p[0] == '+'))
        return false;
    *s = str_skip(*s, 1);
    if (!take_number(s, 2, &h) || !take_char(s, ':') || !take_number(s, 2, &m) || h > 23 || m > 59)
        return false;
    *minutes = (west ? -1 : 1) * (h * 60 + m);
    return true;
}

struct fields {
    int y, mon, d, h, min, s, ms, offset;
};

/* Read the fields. Return NULL, or what is wrong with the text. */
static const char *read_fields(struct str s, struct fields *f)
{
    if (!take_number(&s, 4, &f->y) || !take_char(&s, '-') || !take_number(&s, 2, &f->mon) ||
        !take_char(&s, '-') || !take_number(&s, 2, &f->d))
        return "the date is not YYYY-MM-DD";
    if (f->mon < 1 || f->mon > 12)
        return "there is no such month";
    if (f->d < 1 || f->d > days_in_month(f->y, f->mon))
        return "the month has no such day";
    if (!take_char(&s, 'T') && !take_char(&s, 't'))
        return "no T follows the date";
    if (!take_number(&s, 2, &f->h) || !take_char(&s, ':') || !take_number(&s, 2, &f->min) ||
        !take_char(&s, ':') || !take_number(&s, 2, &f->s))
        return "the time is not hh:mm:ss";
    if (f->h > 23 || f->min > 59 || f->s > 60)
        return "there is no such time of day";
    f->ms = 0;
    if (take_char(&s, '.') && !take_fraction(&s, &f->ms))
        return "no digit follows the decimal point";
    if (!take_offset(&s, &f->offset))
        return "it does not end in Z or an offset such as +01:00";
    return s.n ? "something follows the offset" : NULL;
}

/* Is t, the moment after a second 60, midnight at the start of a month in UTC? */
static bool may_follow_leap_second(int64_t t)
{
    int64_t since = t - EARLIEST;
    int y, m, d;
    if (since < 0 || since % MS_PER_DAY >= 1000)
        return false;
    date_from_days(since / MS_PER_DAY + EARLIEST / MS_PER_DAY, &y, &m, &d);
    return d == 1;
}

bool rfc3339_parse(struct str text, int64_t *unix_ms, struct error *err)
{
    struct fields f;
    const char *wrong = read_fields(text, &f);
    int64_t t = 0;
    if (!wrong) {
        int minutes = f.h * 60 + f.min - f.offset;
        t = days_from_date(f.y, f.mon, f.d) * MS_PER_DAY + (int64_t)minutes * 60000 + f.s * 1000 +
            f.ms;
        if (f.s == 60 && !may_follow_leap_second(t))
            wrong = "a second 60 is possible at the end of a month only";
        else if (t < EARLIEST || t > LATEST)
            wrong = "in UTC it is outside the years 0000 to 9999";
    }
    if (wrong)
        return error_set(err, ERR_SYNTAX, "\"%.*s\" is not an RFC 3339 time: %s",
                         STR_ARG(utf8_head(text, 64)), wrong);
    *unix_ms = t;
    return true;
}
