/* What the parts of the ledger share: ledger.c opens and lists, ledger_choose.c chooses,
 * ledger_report.c records outcomes. Each decision is made in one transaction of store.h, on rows of
 * ledger_rows.h.
 *
 *     for (size_t k = 0; k < LEDGER_SCOPES; k++)
 *         cooldown_key(ledger_scopes[k], &who, key);         // the keys of its cooldowns
 */
#pragma once

#include <stdatomic.h>

#include "tooling/ledger.h"
#include "tooling/ledger_rows.h"

struct ledger {
    struct store *store;
    atomic_bool is_brief;
};

/* Notify listeners; inside a transaction that changed something. */
static inline bool ledger_tell(struct store *s, struct error *err)
{
    return store_notify(s, LEDGER_CHANNEL, err);
}

/* store_run(), retried for LEDGER_GONE_MS while the store is unavailable; a brief ledger tries
 * once. */
bool ledger_run(struct ledger *l, enum store_mode mode, store_fn *work, void *ctx,
                struct error *err);

#define LEDGER_SCOPES 3u
extern const enum outcome_scope ledger_scopes[LEDGER_SCOPES];

/* Add milliseconds to t, up to the largest time. */
static inline int64_t ledger_later(int64_t t, int64_t ms)
{
    return t > INT64_MAX - ms ? INT64_MAX : t + ms;
}
