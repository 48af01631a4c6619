/* What the two kinds of store share.
 *
 *     struct my_store { struct store store; ... };         // the first member
 *     const struct store_kind my_kind = {.open = open_store, .close = close_store, ...};
 *
 * store.c picks the kind by the URL and does what is the same for both.
 */
#pragma once

#include <stdatomic.h>

#include "store/store.h"

struct store_kind {
    struct store *(*open)(const struct store_options *o, enum store_failure *failure,
                          struct error *err);
    void (*close)(struct store *s);
    bool (*run)(struct store *s, enum store_mode mode, store_fn *work, void *ctx,
                struct error *err);
    /* `changed` NULL: do not wait for the end of the statement. */
    bool (*execute)(struct store *s, const struct store_statement *st, size_t *changed,
                    struct error *err);
    /* The cursor. query() sets q->result, or q->error; the texts of `st` may be gone after it.
     * next() and end() are called with a result only, which end() clears. */
    void (*query)(struct store_rows *q, const struct store_statement *st);
    bool (*next)(struct store_rows *q);
    void (*end)(struct store_rows *q);
    bool (*notify)(struct store *s, const char *channel, struct error *err);
    /* For store_thread.h: from now on, listen to these channels on every new connection (constants,
     * at most STORE_MAX_CHANNELS; NULL ends them). Where that fails, run() tries again. */
    void (*listen)(struct store *s, const char *const *channels);
    int (*descriptor)(const struct store *s); /* readable when a notification arrived; -1: none */
    /* Return the notifications that arrived, without waiting: a bit for each channel, all bits if
     * it is not known. *lost: nothing more will come from this descriptor; run() makes a new
     * one. */
    unsigned (*take_notifications)(struct store *s, bool *lost);
    bool (*copy)(struct store *s, struct error *err);
    int64_t (*get_int)(const struct store_rows *q, int column);
    double (*get_real)(const struct store_rows *q, int column);
    struct str (*get_text)(const struct store_rows *q, int column);
};

struct store {
    const struct store_kind *kind;
    const struct store_schema *schema;
    char *name; /* to show */
    unsigned wait_ms;
    atomic_uint shorter_wait_ms; /* 0: none; see store_shorten_wait() */
    enum store_failure failure;  /* of the last call that failed */
    unsigned open_queries;       /* store_query() without its store_end() */
};

extern const struct store_kind store_sqlite, store_pg;
