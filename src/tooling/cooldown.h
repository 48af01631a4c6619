/* How long who rests after an outcome: pure, the clock comes from outside.
 *
 *     struct cooldown next;
 *     if (cooldown_after(&outcome, &who, settings, old, now, &next))
 *         store(next);                          // "claude-code|ANTHROPIC_API_KEY|*" until ...
 *
 * Scope by class (outcome.h). Duration: what the provider said (field before header before text),
 * else the class's default, doubled for each failure in a row where the class doubles; never less
 * than the category's cooldown for the two kinds of limit, never less than COOLDOWN_TEXT_MS if it
 * was read from a sentence, never more than the class's most and COOLDOWN_MAX_MS. A rest never
 * gets shorter: the later end of the old and the new one holds.
 *
 * At its end a rest is not over but half open: one probe may try (ledger.h hands it to one process
 * only). Success ends it, failure rests it again, nothing within COOLDOWN_PROBE_MS lets another try.
 */
#pragma once

#include "tooling/outcome.h"
#include "tooling/tool_kind.h"

#define COOLDOWN_KEY_MAX  384
#define COOLDOWN_TEXT_MS  30000u
#define COOLDOWN_MAX_MS   (8ull * 86400000u)
#define COOLDOWN_PROBE_MS (30u * 60000u)

struct cooldown_who {
    enum tool_kind tool;
    struct str model, account;
};

struct cooldown {
    char key[COOLDOWN_KEY_MAX]; /* "tool|account|model", * where any */
    enum outcome_class class;
    int64_t since, until; /* unix ms */
    int64_t probe_until;  /* a probe runs until then at the latest; 0: none does */
    uint32_t failures;    /* in a row */
    char evidence[OUTCOME_EVIDENCE_MAX];
    char message[OUTCOME_MESSAGE_MAX];
};

enum cooldown_state {
    COOLDOWN_NONE, /* free */
    COOLDOWN_RESTING,
    COOLDOWN_DUE,    /* over: one probe may try */
    COOLDOWN_PROBING /* somebody does */
};

/* The key for a scope; too long a model or account is cut and ends in a hash. */
void cooldown_key(enum outcome_scope scope, const struct cooldown_who *who,
                  char out[COOLDOWN_KEY_MAX]);

/* old: the row of that key, or NULL. False: this outcome rests nobody. */
bool cooldown_after(const struct outcome *o, const struct cooldown_who *who, uint64_t least_ms,
                    const struct cooldown *old, int64_t now, struct cooldown *next);

enum cooldown_state cooldown_state(const struct cooldown *c, int64_t now);
