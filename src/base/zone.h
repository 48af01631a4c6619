/* Time zones by name, independent of the zone of the process.
 *
 *     struct zone z;
 *     if (zone_find(STR("America/Sao_Paulo"), &z)) {
 *         int64_t t = zone_to_unix(&z, &(struct tm){.tm_year = 126, .tm_mday = 1, .tm_hour = 9});
 *         zone_done(&z);
 *     }
 *
 * Zones are read from the time zone database of the system (RFC 9636), including the rule for the
 * years after its tables. UTC, GMT and Z need no database. Unknown names are not guessed. A time in
 * an hour that is skipped or repeated is at most one hour off.
 */
#pragma once

#include <time.h>

#include "base/buf.h"

enum zone_kind {
    ZONE_UTC,
    ZONE_LOCAL, /* of this process */
    ZONE_FILE
};

struct zone {
    enum zone_kind kind;
    /* private */
    struct buf file;
    size_t times, types; /* offsets in the file: transitions, their types */
    size_t infos;        /* of 6 bytes: offset, whether it is summer, name */
    size_t count, kinds; /* of transitions, of infos */
    struct str rule;     /* as in TZ, for later times; empty: none */
};

/* Find a zone. Return false if it does not exist; *out is then as after zone_done(). */
bool zone_find(struct str name, struct zone *out);
static inline struct zone zone_local(void)
{
    return (struct zone){.kind = ZONE_LOCAL};
}

int64_t zone_offset(const struct zone *z, int64_t unix_s); /* seconds east of Greenwich */
void zone_clock(const struct zone *z, int64_t unix_s, struct tm *out); /* the local time */
int64_t zone_to_unix(const struct zone *z, const struct tm *clock);    /* fields may overflow */
void zone_done(struct zone *z);

/* Compute the offset of a TZ rule, such as "EST5EDT,M3.2.0,M11.1.0". Return false if it is
 * invalid. */
bool zone_rule_offset(struct str rule, int64_t unix_s, int64_t *offset);
