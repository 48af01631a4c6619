/* A regular expression of a client: PCRE2, case-insensitive, bounded in time.
 *
 *     struct pattern *p = pattern_new("message_pattern", STR("null.*reference"), &err);
 *     if (!p)
 *         return false;                         // ERR_INVALID_PARAMS, with the position
 *     enum pattern_result r = pattern_match(p, message);
 *     pattern_free(p);
 *
 * One match may take a fixed number of steps, all matches of one pattern together
 * PATTERN_BUDGET_MS. PATTERN_TOO_SLOW means that it took longer and the result is unknown. Text
 * need not be valid UTF-8.
 */
#pragma once

#include "editor/editor_error.h"

#define PATTERN_MAX       1024u /* bytes */
#define PATTERN_BUDGET_MS 500u

enum pattern_result {
    PATTERN_NO,
    PATTERN_YES,
    PATTERN_TOO_SLOW
};

struct pattern;

/* argument: its name in messages; static. */
struct pattern *pattern_new(const char *argument, struct str text, struct editor_error *err);
/* Match plain text anywhere: no character has a special meaning. */
struct pattern *pattern_new_text(const char *argument, struct str text, struct editor_error *err);
enum pattern_result pattern_match(struct pattern *p, struct str text);
void pattern_free(struct pattern *p); /* NULL is fine */

/* Set ERR_INVALID_PARAMS for a PATTERN_TOO_SLOW and return false. */
bool pattern_refuse_slow(const struct pattern *p, struct editor_error *err);
