#include "store/store_core.h"

#include "base/arena.h"
#include "base/utf8.h"

#define MAX_TEXT (256u << 20)

struct store *store_open(const struct store_options *options, enum store_failure *failure,
                         struct error *err)
{
    const struct store_kind *kind = store_is_server(options->url) ? &store_pg : &store_sqlite;
    return kind->open(options, failure, err);
}

void store_close(struct store *s)
{
    if (s)
        s->kind->close(s);
}

const char *store_name(const struct store *s)
{
    return s->name;
}

enum store_failure store_last_failure(const struct store *s)
{
    return s->failure;
}

void store_shorten_wait(struct store *s, unsigned wait_ms)
{
    s->shorter_wait_ms = wait_ms;
}

bool store_run(struct store *s, enum store_mode mode, store_fn *work, void *ctx, struct error *err)
{
    return s->kind->run(s, mode, work, ctx, err);
}

/* ---- statements */

static bool is_text(const struct store_value *v)
{
    return v->type == STORE_TYPE_TEXT && v->text.n > 0;
}

static bool is_good(struct str text)
{
    return !memchr(text.p, 0, text.n) && utf8_is_valid(text);
}

/* The same text for what is none, so that it is found again under it. */
static struct str mend(struct str text, struct arena *a)
{
    struct buf out = {0};
    for (struct str part; text.n;) {
        bool has_nul = str_cut(&text, 0, &part);
        utf8_add_lossy(&out, part);
        if (has_nul)
            buf_add(&out, STR("\xef\xbf\xbd"));
    }
    struct str mended = arena_str(a, buf_str(&out));
    buf_done(&out);
    return mended;
}

static bool carry_out(struct store *s, const struct store_statement *st,
                      const struct store_take *take, struct error *err)
{
    struct store_statement mended;
    struct arena a = {0};
    const struct store_statement *good = st;
    for (size_t i = 0; i < STORE_MAX_VALUES; i++) {
        const struct store_value *v = &st->values[i];
        if (is_text(v) && v->text.n > MAX_TEXT)
            return error_set(err, ERR_LIMIT, "a text of %zu bytes is too long for the store",
                             v->text.n);
        if (!is_text(v) || is_good(v->text))
            continue;
        if (good == st)
            mended = *st;
        good = &mended;
        mended.values[i].text = mend(v->text, &a);
    }
    bool ok = s->kind->each(s, good, take, err);
    arena_done(&a);
    return ok;
}

bool store_do(struct store *s, const struct store_statement *st, size_t *changed, struct error *err)
{
    return carry_out(s, st, &(struct store_take){.changed = changed}, err);
}

bool store_each(struct store *s, const struct store_statement *st, store_row_fn *each, void *ctx,
                struct error *err)
{
    return carry_out(s, st, &(struct store_take){.each = each, .ctx = ctx}, err);
}

bool store_copy(struct store *s, struct error *err)
{
    return s->kind->copy(s, err);
}

int64_t store_row_int(const struct store_row *row, int column)
{
    return row->kind->row_int(row, column);
}

double store_row_real(const struct store_row *row, int column)
{
    return row->kind->row_real(row, column);
}

struct str store_row_text(const struct store_row *row, int column)
{
    return row->kind->row_text(row, column);
}

bool store_notify(struct store *s, const char *channel, struct error *err)
{
    return s->kind->notify(s, channel, err);
}
