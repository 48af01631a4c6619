#include "store/store_core.h"

struct store *store_open(const struct store_options *options, enum store_trouble *trouble,
                         struct error *err)
{
    const struct store_kind *kind = store_is_server(options->url) ? &store_pg : &store_sqlite;
    return kind->open(options, trouble, err);
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

enum store_trouble store_trouble(const struct store *s)
{
    return s->trouble;
}

bool store_run(struct store *s, enum store_mode mode, store_fn *work, void *ctx, struct error *err)
{
    return s->kind->run(s, mode, work, ctx, err);
}

bool store_do(struct store *s, const struct store_statement *st, size_t *changed, struct error *err)
{
    return s->kind->each(s, st, &(struct store_take){.changed = changed}, err);
}

bool store_each(struct store *s, const struct store_statement *st, store_row_fn *each, void *ctx,
                struct error *err)
{
    return s->kind->each(s, st, &(struct store_take){.each = each, .ctx = ctx}, err);
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
