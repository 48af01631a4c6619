#include "store/store_internal.h"

#include <assert.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "store/store.h"

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
    bool ok = s->kind->run(s, mode, work, ctx, err);
    assert(s->open_queries == 0);
    return ok;
}

/* ---- statements */

static bool has_text(const struct store_value *v)
{
    return v->type == STORE_TYPE_TEXT && v->text.n > 0;
}

static bool is_valid_text(struct str text)
{
    return !memchr(text.p, 0, text.n) && utf8_is_valid(text);
}

/* Invalid text is always replaced in the same way, so a query with it finds its row. */
static struct str replace_invalid(struct str text, struct arena *a)
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

/* A statement whose texts a store accepts: the caller's, or a copy of it. */
struct clean_statement {
    const struct store_statement *statement;
    struct store_statement copy;
    struct arena arena;
};

static bool clean_texts(struct clean_statement *c, const struct store_statement *st,
                        struct error *err)
{
    c->statement = st;
    c->arena = (struct arena){0};
    for (size_t i = 0; i < STORE_MAX_VALUES; i++) {
        const struct store_value *v = &st->values[i];
        if (has_text(v) && v->text.n > MAX_TEXT) {
            arena_done(&c->arena);
            return error_set(err, ERR_LIMIT, "a text of %zu bytes is too long for the store",
                             v->text.n);
        }
        if (!has_text(v) || is_valid_text(v->text))
            continue;
        if (c->statement == st)
            c->copy = *st;
        c->statement = &c->copy;
        c->copy.values[i].text = replace_invalid(v->text, &c->arena);
    }
    return true;
}

bool store_do(struct store *s, const struct store_statement *st, size_t *changed, struct error *err)
{
    struct clean_statement c;
    if (!clean_texts(&c, st, err))
        return false;
    bool ok = s->kind->execute(s, c.statement, changed, err);
    arena_done(&c.arena);
    return ok;
}

/* ---- rows */

struct store_rows store_query(struct store *s, const struct store_statement *st)
{
    struct clean_statement c;
    struct store_rows q = {.store = s};
    s->open_queries++;
    if (clean_texts(&c, st, &q.error)) {
        s->kind->query(&q, c.statement);
        arena_done(&c.arena);
    }
    return q;
}

bool store_next(struct store_rows *q)
{
    if (!q->result || q->store->kind->next(q))
        return q->result != NULL;
    q->store->kind->end(q);
    return false;
}

bool store_end(struct store_rows *q, struct error *err)
{
    if (q->result)
        q->store->kind->end(q);
    q->store->open_queries--;
    return !q->error.code || error_set(err, q->error.code, "%s", q->error.text);
}

bool store_query_int(struct store *s, const struct store_statement *st, int64_t *out,
                     struct error *err)
{
    struct store_rows q = store_query(s, st);
    int64_t value = store_next(&q) ? store_int(&q, 0) : *out;
    if (!store_end(&q, err))
        return false;
    *out = value;
    return true;
}

bool store_copy(struct store *s, struct error *err)
{
    return s->kind->copy(s, err);
}

int64_t store_int(const struct store_rows *q, int column)
{
    return q->store->kind->get_int(q, column);
}

double store_real(const struct store_rows *q, int column)
{
    return q->store->kind->get_real(q, column);
}

struct str store_text(const struct store_rows *q, int column)
{
    return q->store->kind->get_text(q, column);
}

bool store_notify(struct store *s, const char *channel, struct error *err)
{
    return s->kind->notify(s, channel, err);
}

bool store_is_server(const char *url)
{
    return url && (strncmp(url, "postgresql://", 13) == 0 || strncmp(url, "postgres://", 11) == 0);
}

/* Any other parameter may hold a secret. */
static bool may_be_shown(struct str name)
{
    static const struct str harmless[] = {
        STR_INIT("host"),    STR_INIT("hostaddr"), STR_INIT("port"),   STR_INIT("dbname"),
        STR_INIT("service"), STR_INIT("user"),     STR_INIT("sslmode")};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (str_eq(name, harmless[i]))
            return true;
    return false;
}

/* A password may contain characters that should have been escaped: everything from the first colon
 * to the last @ counts as the password. */
void store_show_url(const char *url, struct buf *out)
{
    struct str rest = str_from(url), part;
    size_t scheme = str_find(rest, STR("://"));
    if (scheme == rest.n) {
        buf_add(out, rest);
        return;
    }
    buf_add(out, str_head(rest, scheme + 3));
    rest = str_skip(rest, scheme + 3);
    size_t at = rest.n;
    while (at > 0 && rest.p[at - 1] != '@')
        at--;
    if (at > 0) {
        struct str user = str_head(rest, at - 1);
        buf_add(out, str_head(user, str_find_char(user, ':')));
        buf_add_char(out, '@');
        rest = str_skip(rest, at);
    }
    str_cut(&rest, '?', &part);
    buf_add(out, part);
    for (char before = '?'; rest.n;) {
        str_cut(&rest, '&', &part);
        if (!may_be_shown(str_head(part, str_find_char(part, '='))))
            continue;
        buf_add_char(out, before);
        buf_add(out, part);
        before = '&';
    }
}

static bool is_folder(const char *path)
{
    struct stat st;
    return path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static bool refuse_url(const char *url, struct error *err)
{
    struct buf shown = {0};
    store_show_url(url, &shown);
    error_set(err, ERR_INVALID_PARAMS,
              "cannot use the store %.80s: expected postgresql://..., sqlite:PATH or a path",
              shown.p);
    buf_done(&shown);
    return false;
}

bool store_place(const char *url, const char *folder, const struct store_schema *schema,
                 struct buf *out, struct error *err)
{
    if (store_is_server(url)) {
        buf_add(out, str_from(url));
        return true;
    }
    const char *path = url ? url : "";
    if (strncmp(path, "sqlite:", 7) == 0)
        path += strncmp(path, "sqlite://", 9) == 0 ? 9 : 7;
    else if (strstr(path, "://") || strncmp(path, "postgresql:", 11) == 0 ||
             strncmp(path, "postgres:", 9) == 0)
        return refuse_url(path, err);
    const char *slash = strrchr(path, '/');
    if (!*path)
        buf_printf(out, "%s/%s.db", folder, schema->name);
    else if (is_folder(path))
        buf_printf(out, "%s%s%s.db", path, path[strlen(path) - 1] == '/' ? "" : "/", schema->name);
    else if (schema->is_main)
        buf_add(out, str_from(path));
    else
        buf_printf(out, "%.*s%s.db", slash ? (int)(slash - path + 1) : 0, path, schema->name);
    return !out->overflow || error_set(err, ERR_LIMIT, "the path of the store is too long");
}
