/* The rows of the ledger's tables (ledger_schema.h), read and written inside a transaction.
 *
 *     struct ledger_cooldown r;
 *     if (!ledger_rows_get_cooldown(s, key, &r, err)) ...   // r.is_there: whether there is one
 *     r.probe_by = id;
 *     ledger_rows_put_cooldown(s, &r, err);
 *
 * All SQL stands in ledger_rows.c and ledger_schema.c. What comes out of the file is checked: a row
 * that this program could not have written counts as none.
 */
#pragma once

#include "store/store.h"
#include "tooling/cooldown.h"

struct arena;

struct ledger_cooldown {
    bool is_there;
    struct cooldown c;
    int64_t probe_by; /* id of the decision that probes; 0: none */
};

bool ledger_rows_get_cooldown(struct store *s, struct str key, struct ledger_cooldown *out,
                              struct error *err);
bool ledger_rows_put_cooldown(struct store *s, const struct ledger_cooldown *r, struct error *err);
/* *dropped: 0 or 1; may be NULL. */
bool ledger_rows_drop_cooldown(struct store *s, struct str key, size_t *dropped, struct error *err);
/* Those whose key starts with prefix: how many went. */
bool ledger_rows_clear_cooldowns(struct store *s, struct str prefix, size_t *cleared,
                                 struct error *err);

struct ledger_cooldown_list {
    struct ledger_cooldown *items; /* by key; for free() */
    size_t count, cap;
};
bool ledger_rows_all_cooldowns(struct store *s, struct ledger_cooldown_list *out,
                               struct error *err);

/* A candidate by its name, and which of those that are named alike in its list. */
struct ledger_name {
    struct str candidate; /* tool|model|account|path */
    int64_t nth;
};

struct ledger_turn {
    struct str profile, category;
    bool is_there;           /* get: what follows was found; its text is in the arena */
    struct ledger_name name; /* the last one in turn */
    int64_t place;           /* index it had */
};

bool ledger_rows_get_turn(struct store *s, struct ledger_turn *turn, struct arena *a,
                          struct error *err);
bool ledger_rows_put_turn(struct store *s, const struct ledger_turn *turn, struct error *err);

/* Unix ms; 0: never. */
bool ledger_rows_get_use(struct store *s, const struct ledger_name *name, int64_t *used_at,
                         struct error *err);
bool ledger_rows_put_use(struct store *s, const struct ledger_name *name, int64_t used_at,
                         struct error *err);

struct ledger_near {
    double used; /* 0..1; 0: no limit is near */
    int64_t until;
    char window[32];
};

/* The one that is used up most, of those that hold now. */
bool ledger_rows_get_near(struct store *s, struct str account, int64_t now, struct ledger_near *out,
                          struct error *err);
/* One that is over replaces one that was not. */
bool ledger_rows_put_near(struct store *s, struct str account, const struct ledger_near *n,
                          struct error *err);
/* Of accounts that start with prefix. */
bool ledger_rows_clear_near(struct store *s, struct str prefix, struct error *err);
bool ledger_rows_drop_near(struct store *s, struct str account, struct error *err);

struct ledger_note {
    int64_t id, at;
    struct str json;
};

/* Numbers decisions from 1, without a gap. */
bool ledger_rows_next_id(struct store *s, int64_t *id, struct error *err);
/* The oldest goes where there would be more than `keep`. */
bool ledger_rows_add_note(struct store *s, const struct ledger_note *note, int64_t keep,
                          struct error *err);
/* A new text for the one with this id and time; nothing if it is gone. */
bool ledger_rows_set_note(struct store *s, const struct ledger_note *note, struct error *err);
/* Those below this id, the newest first, at most LEDGER_PAGE. Columns: id, text. */
#define LEDGER_PAGE 64
struct store_rows ledger_rows_notes_before(struct store *s, int64_t id);

/* What no longer holds and has no use any more goes. */
bool ledger_rows_tidy(struct store *s, int64_t now, struct error *err);
