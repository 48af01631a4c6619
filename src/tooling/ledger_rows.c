#include "tooling/ledger_rows.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/mem.h"

#define DAY       86400000ll
#define KEPT_USES (90 * DAY)

#define COOLDOWN_COLUMNS                                                                           \
    "key, class, since, until, failures, probe_until, probe_by, evidence, message"

static struct str field_text(const char *field, size_t size)
{
    return str_make(field, strnlen(field, size));
}

/* ---- cooldowns */

static void copy_text(struct str from, char *to, size_t size)
{
    struct str head = str_head(from, size - 1);
    if (head.n)
        memcpy(to, head.p, head.n);
    to[head.n] = 0;
}

static void read_cooldown(const struct store_rows *q, struct ledger_cooldown *r)
{
    struct str key = store_text(q, 0);
    int64_t failures = store_int(q, 4);
    r->is_there = key.n < COOLDOWN_KEY_MAX && outcome_find(store_text(q, 1), &r->c.class);
    copy_text(key, r->c.key, sizeof r->c.key);
    r->c.since = store_int(q, 2);
    r->c.until = store_int(q, 3);
    r->c.failures = failures < 0 ? 0 : failures > UINT32_MAX ? UINT32_MAX : (uint32_t)failures;
    r->c.probe_until = store_int(q, 5);
    r->probe_by = store_int(q, 6);
    copy_text(store_text(q, 7), r->c.evidence, sizeof r->c.evidence);
    copy_text(store_text(q, 8), r->c.message, sizeof r->c.message);
}

bool ledger_rows_get_cooldown(struct store *s, struct str key, struct ledger_cooldown *out,
                              struct error *err)
{
    *out = (struct ledger_cooldown){0};
    copy_text(key, out->c.key, sizeof out->c.key);
    struct store_rows q = store_query(s, &(struct store_statement){"SELECT " COOLDOWN_COLUMNS
                                                                   " FROM rest WHERE key = ?1",
                                                                   {STORE_TEXT(key)}});
    if (store_next(&q))
        read_cooldown(&q, out);
    return store_end(&q, err);
}

bool ledger_rows_all_cooldowns(struct store *s, struct ledger_cooldown_list *out, struct error *err)
{
    out->count = 0;
    struct store_rows q = store_query(
        s, &(struct store_statement){.sql = "SELECT " COOLDOWN_COLUMNS
                                            " FROM rest ORDER BY key --pg COLLATE \"C\"\n"});
    while (store_next(&q)) {
        mem_grow((void **)&out->items, &out->cap, out->count + 1, sizeof *out->items);
        read_cooldown(&q, &out->items[out->count]);
        out->count += out->items[out->count].is_there;
    }
    return store_end(&q, err);
}

bool ledger_rows_put_cooldown(struct store *s, const struct ledger_cooldown *r, struct error *err)
{
    const struct cooldown *c = &r->c;
    return store_do(
        s,
        &(struct store_statement){
            "INSERT INTO rest (" COOLDOWN_COLUMNS ")"
            " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
            " ON CONFLICT (key) DO UPDATE SET class = excluded.class, since = excluded.since,"
            " until = excluded.until, failures = excluded.failures,"
            " probe_until = excluded.probe_until, probe_by = excluded.probe_by,"
            " evidence = excluded.evidence, message = excluded.message",
            {STORE_TEXT(field_text(c->key, sizeof c->key)),
             STORE_TEXT(str_from(outcome_name(c->class))), STORE_INT(c->since), STORE_INT(c->until),
             STORE_INT(c->failures), STORE_INT(c->probe_until), STORE_INT(r->probe_by),
             STORE_TEXT(field_text(c->evidence, sizeof c->evidence)),
             STORE_TEXT(field_text(c->message, sizeof c->message))}},
        NULL, err);
}

bool ledger_rows_drop_cooldown(struct store *s, struct str key, size_t *dropped, struct error *err)
{
    return store_do(s,
                    &(struct store_statement){"DELETE FROM rest WHERE key = ?1", {STORE_TEXT(key)}},
                    dropped, err);
}

bool ledger_rows_clear_cooldowns(struct store *s, struct str prefix, size_t *cleared,
                                 struct error *err)
{
    return store_do(
        s,
        &(struct store_statement){"DELETE FROM rest WHERE substr(key, 1, length(?1)) = ?1",
                                  {STORE_TEXT(prefix)}},
        cleared, err);
}

/* ---- turns, last uses */

bool ledger_rows_get_turn(struct store *s, struct ledger_turn *turn, struct arena *a,
                          struct error *err)
{
    struct store_rows q = store_query(
        s, &(struct store_statement){"SELECT candidate, nth, place FROM turn"
                                     " WHERE profile = ?1 AND category = ?2",
                                     {STORE_TEXT(turn->profile), STORE_TEXT(turn->category)}});
    turn->is_there = store_next(&q);
    if (turn->is_there) {
        turn->name.candidate = arena_str(a, store_text(&q, 0));
        turn->name.nth = store_int(&q, 1);
        turn->place = store_int(&q, 2);
    }
    return store_end(&q, err);
}

bool ledger_rows_put_turn(struct store *s, const struct ledger_turn *turn, struct error *err)
{
    return store_do(
        s,
        &(struct store_statement){
            "INSERT INTO turn (profile, category, candidate, nth, place)"
            " VALUES (?1, ?2, ?3, ?4, ?5)"
            " ON CONFLICT (profile, category) DO UPDATE SET candidate = excluded.candidate,"
            " nth = excluded.nth, place = excluded.place",
            {STORE_TEXT(turn->profile), STORE_TEXT(turn->category),
             STORE_TEXT(turn->name.candidate), STORE_INT(turn->name.nth), STORE_INT(turn->place)}},
        NULL, err);
}

bool ledger_rows_get_use(struct store *s, const struct ledger_name *name, int64_t *used_at,
                         struct error *err)
{
    *used_at = 0;
    return store_query_int(
        s,
        &(struct store_statement){"SELECT used_at FROM last_use WHERE candidate = ?1 AND nth = ?2",
                                  {STORE_TEXT(name->candidate), STORE_INT(name->nth)}},
        used_at, err);
}

bool ledger_rows_put_use(struct store *s, const struct ledger_name *name, int64_t used_at,
                         struct error *err)
{
    return store_do(s,
                    &(struct store_statement){
                        "INSERT INTO last_use (candidate, nth, used_at) VALUES (?1, ?2, ?3)"
                        " ON CONFLICT (candidate, nth) DO UPDATE SET used_at = excluded.used_at",
                        {STORE_TEXT(name->candidate), STORE_INT(name->nth), STORE_INT(used_at)}},
                    NULL, err);
}

/* ---- limits that are near */

bool ledger_rows_get_near(struct store *s, struct str account, int64_t now, struct ledger_near *out,
                          struct error *err)
{
    /* The upper bound: a row written with a wrong clock holds no longer than any other. */
    int64_t span = (int64_t)COOLDOWN_MAX_MS + COOLDOWN_SKEW_MS;
    int64_t most = now > INT64_MAX - span ? INT64_MAX : now + span;
    *out = (struct ledger_near){0};
    struct store_rows q =
        store_query(s, &(struct store_statement){
                           "SELECT used, until, window_name FROM near WHERE account = ?1"
                           " AND until > ?2 AND until <= ?3 ORDER BY used DESC, until DESC LIMIT 1",
                           {STORE_TEXT(account), STORE_INT(now), STORE_INT(most)}});
    if (store_next(&q)) {
        out->used = store_real(&q, 0);
        out->until = store_int(&q, 1);
        copy_text(store_text(&q, 2), out->window, sizeof out->window);
    }
    return store_end(&q, err);
}

bool ledger_rows_put_near(struct store *s, struct str account, const struct ledger_near *n,
                          struct error *err)
{
    struct str window = field_text(n->window, sizeof n->window);
    return store_do(
        s,
        &(struct store_statement){
            "INSERT INTO near (account, window_name, used, until) VALUES (?1, ?2, ?3, ?4)"
            " ON CONFLICT (account, window_name) DO UPDATE SET used = excluded.used,"
            " until = excluded.until",
            {STORE_TEXT(account), STORE_TEXT(window), STORE_REAL(n->used), STORE_INT(n->until)}},
        NULL, err);
}

bool ledger_rows_clear_near(struct store *s, struct str prefix, struct error *err)
{
    return store_do(
        s,
        &(struct store_statement){"DELETE FROM near WHERE substr(account, 1, length(?1)) = ?1",
                                  {STORE_TEXT(prefix)}},
        NULL, err);
}

bool ledger_rows_drop_near(struct store *s, struct str account, struct error *err)
{
    return store_do(
        s, &(struct store_statement){"DELETE FROM near WHERE account = ?1", {STORE_TEXT(account)}},
        NULL, err);
}

/* ---- decisions */

bool ledger_rows_next_id(struct store *s, int64_t *id, struct error *err)
{
    *id = 0;
    return store_do(s,
                    &(struct store_statement){
                        .sql = "UPDATE counter SET value = value + 1 WHERE name = 'decision'"},
                    NULL, err) &&
           store_query_int(s,
                           &(struct store_statement){
                               .sql = "SELECT value FROM counter WHERE name = 'decision'"},
                           id, err);
}

bool ledger_rows_add_note(struct store *s, const struct ledger_note *note, int64_t keep,
                          struct error *err)
{
    return store_do(s,
                    &(struct store_statement){
                        "INSERT INTO decision (id, made_at, told) VALUES (?1, ?2, ?3)",
                        {STORE_INT(note->id), STORE_INT(note->at), STORE_TEXT(note->json)}},
                    NULL, err) &&
           store_do(s,
                    &(struct store_statement){"DELETE FROM decision WHERE id <= ?1",
                                              {STORE_INT(note->id - keep)}},
                    NULL, err);
}

bool ledger_rows_set_note(struct store *s, const struct ledger_note *note, struct error *err)
{
    return store_do(s,
                    &(struct store_statement){
                        "UPDATE decision SET told = ?3 WHERE id = ?1 AND made_at = ?2",
                        {STORE_INT(note->id), STORE_INT(note->at), STORE_TEXT(note->json)}},
                    NULL, err);
}

struct store_rows ledger_rows_notes_before(struct store *s, int64_t id)
{
    return store_query(s,
                       &(struct store_statement){
                           "SELECT id, told FROM decision WHERE id < ?1 ORDER BY id DESC LIMIT ?2",
                           {STORE_INT(id), STORE_INT(LEDGER_PAGE)}});
}

/* ---- clean-up */

static int64_t subtract_ms(int64_t now, int64_t ms)
{
    return now < INT64_MIN + ms ? INT64_MIN : now - ms;
}

bool ledger_rows_tidy(struct store *s, int64_t now, struct error *err)
{
    return store_do(s,
                    &(struct store_statement){
                        "DELETE FROM rest WHERE until < ?1 AND probe_until < ?2",
                        {STORE_INT(subtract_ms(now, (int64_t)COOLDOWN_MAX_MS)), STORE_INT(now)}},
                    NULL, err) &&
           store_do(
               s, &(struct store_statement){"DELETE FROM near WHERE until <= ?1", {STORE_INT(now)}},
               NULL, err) &&
           store_do(s,
                    &(struct store_statement){"DELETE FROM last_use WHERE used_at < ?1",
                                              {STORE_INT(subtract_ms(now, KEPT_USES))}},
                    NULL, err);
}
