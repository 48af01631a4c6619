/* How long who rests after an outcome: pure, the clock comes from outside.
 *
 *     struct cooldown next;
 *     if (cooldown_after(&outcome, &who, old, now, &next))
 *         store(next);                          // "claude-code|ANTHROPIC_API_KEY|*" until ...
 *
 * Scope by class (outcome.h). Duration: what the provider said (field before header before text; a
 * time that is past says nothing), else the class's default, doubled for each failure in a row
 * where the class doubles, up to COOLDOWN_DOUBLED_MS; never less than the category's cooldown for
 * the two kinds of limit, never less than COOLDOWN_TEXT_MS if it was read from a sentence, never
 * more than the class's most and COOLDOWN_MAX_MS. A rest never gets shorter: the later end of the
 * old and the new one holds, with its reason.
 *
 * At its end a rest is not over but half open: one probe may try (ledger.h hands it to one process
 * only). Success ends it, failure rests it again, and nothing within COOLDOWN_PROBE_MS lets another
 * one try. A rest or a probe that ends later than any can was noted by a clock that was wrong: it
 * is over. COOLDOWN_SKEW_MS are let pass, for who looks need not be who noted it, nor look at once.
 */
#pragma once

#include "tooling/agent_kind.h"
#include "tooling/outcome.h"

#define COOLDOWN_KEY_MAX    384
#define COOLDOWN_PART_MAX   180u /* of each part of a key */
#define COOLDOWN_TEXT_MS    30000u
#define COOLDOWN_DOUBLED_MS (15u * 60000u)
#define COOLDOWN_MAX_MS     (8ull * 86400000u)
#define COOLDOWN_PROBE_MS   (30u * 60000u)
#define COOLDOWN_SKEW_MS    3600000u

struct cooldown_who {
    enum agent_kind tool;
    struct str model, account;
    uint64_t least_ms; /* the category's cooldown: for limits, no rest is shorter */
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
    COOLDOWN_ACTIVE,
    COOLDOWN_DUE,    /* over: one probe may try */
    COOLDOWN_PROBING /* somebody does */
};

/* The key for a scope; too long a model or account is cut and ends in a hash. SCOPE_NONE: "". */
void cooldown_key(enum outcome_scope scope, const struct cooldown_who *who,
                  char out[COOLDOWN_KEY_MAX]);
/* One part of such a key, so that different parts look different: what could be taken for a
 * separator, and what is not seen, becomes % and its number. Answers the bytes, at most
 * COOLDOWN_PART_MAX; no NUL. */
size_t cooldown_part(struct str part, char out[COOLDOWN_PART_MAX]);

/* What an outcome rests: the class's scope, the model alone where the limit is its own, or nobody
 * if it is nobody's fault. */
enum outcome_scope cooldown_scope(const struct outcome *o);

/* old: the row of that key, or NULL. False: this outcome rests nobody. */
bool cooldown_after(const struct outcome *o, const struct cooldown_who *who,
                    const struct cooldown *old, int64_t now, struct cooldown *next);

enum cooldown_state cooldown_state(const struct cooldown *c, int64_t now); /* NULL: none */
const char *cooldown_state_name(
    enum cooldown_state state); /* "free", "resting", "due", "probing" */
