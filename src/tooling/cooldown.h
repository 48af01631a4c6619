/* The length of a cooldown after an outcome. Pure: the caller passes the clock.
 *
 *     struct cooldown next;
 *     if (cooldown_after(&outcome, &who, old, now, &next))
 *         use(next);                            // "claude-code|ANTHROPIC_API_KEY|*" until ...
 *
 * The class of the outcome gives the scope (outcome.h). The duration is the time that the provider
 * named (a field before a header before text; a past time is ignored), else the default of the
 * class. A class may double it for each failure in a row, up to COOLDOWN_DOUBLED_MS. It is at least
 * the category's cooldown for both kinds of limits, at least COOLDOWN_TEXT_MS if it was read from a
 * sentence, and at most the maximum of the class and COOLDOWN_MAX_MS. A cooldown never gets
 * shorter: of the old and the new one, the later end holds, with its reason.
 *
 * When a cooldown ends, it is due: one probe may try (ledger.h gives it to one process only).
 * Success removes the cooldown, failure starts it again, and for COOLDOWN_PROBE_MS no other process
 * may try. A cooldown or probe that ends later than possible was written with a wrong clock and
 * counts as over. Allow COOLDOWN_SKEW_MS of clock skew, because the reader may be another process
 * than the writer.
 */
#pragma once

#include "tooling/agent_kind.h"
#include "tooling/outcome.h"

#define COOLDOWN_KEY_MAX    384
#define COOLDOWN_PART_MAX   180u /* bytes of each part of a key */
#define COOLDOWN_TEXT_MS    30000u
#define COOLDOWN_DOUBLED_MS (15u * 60000u)
#define COOLDOWN_MAX_MS     (8ull * 86400000u)
#define COOLDOWN_PROBE_MS   (30u * 60000u)
#define COOLDOWN_SKEW_MS    3600000u

struct cooldown_who {
    enum agent_kind tool;
    struct str model, account;
    uint64_t least_ms; /* cooldown of the category: the minimum after a limit */
};

struct cooldown {
    char key[COOLDOWN_KEY_MAX]; /* "agent|account|model"; * for any */
    enum outcome_class class;
    int64_t since, until; /* unix ms */
    int64_t probe_until;  /* end of the probe at the latest; 0: there is none */
    uint32_t failures;    /* in a row */
    char evidence[OUTCOME_EVIDENCE_MAX];
    char message[OUTCOME_MESSAGE_MAX];
};

enum cooldown_state {
    COOLDOWN_NONE, /* free */
    COOLDOWN_ACTIVE,
    COOLDOWN_DUE,    /* over: one probe may try */
    COOLDOWN_PROBING /* a probe is running */
};

/* Write the key of a scope. A model or account that is too long is cut and ends in a hash.
 * SCOPE_NONE: "". */
void cooldown_key(enum outcome_scope scope, const struct cooldown_who *who,
                  char out[COOLDOWN_KEY_MAX]);
/* Write one part of a key, so that different texts give different parts: separators and invisible
 * characters become % and their number. Return the number of bytes, at most COOLDOWN_PART_MAX; no
 * NUL is added. */
size_t cooldown_part(struct str part, char out[COOLDOWN_PART_MAX]);

/* Return the scope of the cooldown: that of the class, or the model only if the limit is its own,
 * or SCOPE_NONE if the agent is not to blame. */
enum outcome_scope cooldown_scope(const struct outcome *o);

/* Compute the next cooldown; old: the row of that key, or NULL. Return false if this outcome has
 * none. */
bool cooldown_after(const struct outcome *o, const struct cooldown_who *who,
                    const struct cooldown *old, int64_t now, struct cooldown *next);

enum cooldown_state cooldown_state(const struct cooldown *c, int64_t now); /* c may be NULL */
const char *cooldown_state_name(
    enum cooldown_state state); /* "free", "resting", "due", "probing" */
