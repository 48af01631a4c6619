/* The rows of the ledger's tables (ledger_schema.h), read and written inside a transaction.
 *
 *     struct ledger_cooldown r;
 *     if (!ledger_rows_get_cooldown(s, key, &r, err)) ...   // r.is_there: whether there is one
 *     r.probe_by = id;
 *     ledger_rows_put_cooldown(s, &r, err);
 *
 * All SQL is in ledger_rows.c and ledger_schema.c. Rows are checked when they are read: a row that
 * this program could not have written is ignored.
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
/* Delete those whose key starts with prefix; *cleared: their number. */
bool ledger_rows_clear_cooldowns(struct store *s, struct str prefix, size_t *cleared,
                                 struct error *err);

struct ledger_cooldown_list {
    struct ledger_cooldown *items; /* sorted by key; freed with free() */
    size_t count, cap;
};
bool ledger_rows_all_cooldowns(struct store *s, struct ledger_cooldown_list *out,
                               struct error *err);

/* The name of a candidate, and its number among those of the same name in its list. */
struct ledger_name {
    struct str candidate; /* agent|model|account|path */
    int64_t nth;
};

struct ledger_turn {
    struct str profile, category;
    bool is_there;           /* set by get: the row exists; its text is in the arena */
    struct ledger_name name; /* the last choice */
    int64_t place;           /* its index */
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
    double used; /* 0..1; 0: not near a limit */
    int64_t until;
    char window[32];
};

/* Read the limit that is used up most, of those that hold now. */
bool ledger_rows_get_near(struct store *s, struct str account, int64_t now, struct ledger_near *out,
                          struct error *err);
/* A row of the same window is replaced. */
bool ledger_rows_put_near(struct store *s, struct str account, const struct ledger_near *n,
                          struct error *err);
/* Delete those of accounts that start with prefix. */
bool ledger_rows_clear_near(struct store *s, struct str prefix, struct error *err);
bool ledger_rows_drop_near(struct store *s, struct str account, struct error *err);

struct ledger_note {
    int64_t id, at;
    struct str json;
};

/* Return the next number of a decision: 1, 2, ... without a gap. */
bool ledger_rows_next_id(struct store *s, int64_t *id, struct error *err);
/* Add a decision, and delete the oldest beyond `keep`. */
bool ledger_rows_add_note(struct store *s, const struct ledger_note *note, int64_t keep,
                          struct error *err);
/* Replace the text of the decision with this id and time, if it still exists. */
bool ledger_rows_set_note(struct store *s, const struct ledger_note *note, struct error *err);
/* Read the decisions before this id, the newest first, at most LEDGER_PAGE. Columns: id, text. */
#define LEDGER_PAGE 64
struct store_rows ledger_rows_notes_before(struct store *s, int64_t id);

/* Delete rows that have no use any more. */
bool ledger_rows_tidy(struct store *s, int64_t now, struct error *err);
