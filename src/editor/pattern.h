/* A regular expression somebody sent: PCRE2, case-insensitive, bounded in time.
 *
 *     struct pattern *p = pattern_new("message_pattern", STR("null.*reference"), &err);
 *     if (!p) ...                               // ERR_INVALID_PARAMS, with the place of the fault
 *     enum pattern_result r = pattern_match(p, message);
 *     pattern_free(p);
 *
 * One match may take a fixed number of steps, all matches of one pattern together
 * PATTERN_BUDGET_MS: PATTERN_TOO_SLOW says that it took more, and what was asked is not known. Text
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

/* argument: what it is called, for messages; static. */
struct pattern *pattern_new(const char *argument, struct str text, struct editor_error *err);
/* Plain text that is to be somewhere in what is matched: no character of it means anything else. */
struct pattern *pattern_new_text(const char *argument, struct str text, struct editor_error *err);
enum pattern_result pattern_match(struct pattern *p, struct str text);
void pattern_free(struct pattern *p); /* NULL is fine */

/* ERR_INVALID_PARAMS for a PATTERN_TOO_SLOW; answers false. */
bool pattern_refuse_slow(const struct pattern *p, struct editor_error *err);
