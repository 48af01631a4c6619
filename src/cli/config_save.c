#include <stdlib.h>

#include "base/file.h"
#include "base/json_skim.h"
#include "base/mem.h"
#include "cli/config.h"

/* The file is changed where it must be and nowhere else: each change replaces, removes or adds the
 * text of one member (docs/spec/10-bridge.md, 11). */

#define SMALLEST_MEMBER 5u /* "":0, */

struct members {
    struct str text;
    struct json_skim skim;
};

static void members_done(struct members *m)
{
    free(m->skim.members);
}

static bool members_read(struct members *m, struct str text)
{
    size_t room = text.n / SMALLEST_MEMBER + 1;
    *m = (struct members){.text = text};
    m->skim.members = mem_alloc(room * sizeof *m->skim.members);
    m->skim.room = room;
    return json_skim(&m->skim, text, NULL);
}

/* out = text with the bytes from `from` to `to` replaced */
static void splice(struct buf *out, struct str text, const char *from, const char *to,
                   struct str by)
{
    buf_add(out, str_make(text.p, (size_t)(from - text.p)));
    buf_add(out, by);
    buf_add(out, str_make(to, (size_t)(text.p + text.n - to)));
}

static const char *key_start(const struct json_member *m)
{
    return m->key.p - 1; /* its quote */
}

static const char *value_end(const struct json_member *m)
{
    return m->value.p + m->value.n;
}

static void remove_member(struct buf *out, const struct members *m, size_t i)
{
    const struct json_member *all = m->skim.members;
    if (i + 1 < m->skim.count)
        splice(out, m->text, key_start(&all[i]), key_start(&all[i + 1]), (struct str){0});
    else if (i > 0)
        splice(out, m->text, value_end(&all[i - 1]), value_end(&all[i]), (struct str){0});
    else
        splice(out, m->text, key_start(&all[i]), value_end(&all[i]), (struct str){0});
}

/* Behind the last member, on a line of its own if that has one. There is a last one: the version.
 */
static void add_member(struct buf *out, const struct members *m, const char *key, const char *json)
{
    const struct json_member *last = &m->skim.members[m->skim.count - 1];
    const char *end = key_start(last), *start = end;
    struct buf text = {0};
    while (start > m->text.p && strchr(" \t\r\n", start[-1]))
        start--;
    buf_add_char(&text, ',');
    buf_add(&text, str_make(start, (size_t)(end - start)));
    buf_printf(&text, "\"%s\":%s%s", key, end > start ? " " : "", json);
    splice(out, m->text, value_end(last), value_end(last), buf_str(&text));
    buf_done(&text);
}

/* *text with one member changed; json "" takes it away. */
static bool change_member(struct buf *text, const char *key, const char *json)
{
    struct members m;
    struct buf out = {0};
    bool ok = members_read(&m, buf_str(text)) && m.skim.count > 0;
    size_t i = 0;
    while (ok && i < m.skim.count && !str_eq(m.skim.members[i].key, str_from(key)))
        i++;
    if (!ok || (i == m.skim.count && !json[0]))
        buf_add(&out, buf_str(text));
    else if (i == m.skim.count)
        add_member(&out, &m, key, json);
    else if (!json[0])
        remove_member(&out, &m, i);
    else
        splice(&out, m.text, m.skim.members[i].value.p, value_end(&m.skim.members[i]),
               str_from(json));
    members_done(&m);
    buf_done(text);
    *text = out;
    return ok;
}

static bool is_default(const struct config *c)
{
    bool same = true;
    for (enum config_key k = 0; same && k < CONFIG_KEY_COUNT; k++) {
        struct buf value = {0}, normal = {0};
        config_put_value(c, k, &value);
        config_put_default(k, &normal);
        same = str_eq(buf_str(&value), buf_str(&normal));
        buf_done(&value);
        buf_done(&normal);
    }
    return same;
}

bool config_save(struct config *c, struct error *err)
{
    struct buf text = {0};
    bool ok = true, exists = file_exists(c->path);
    if (!exists && is_default(c))
        return true;
    if (exists && !file_read(c->path, CONFIG_MAX_BYTES, &text, err))
        ok = false;
    if (!exists)
        buf_printf(&text, "{\n  \"schema_version\": %d\n}\n", CONFIG_SCHEMA_VERSION);
    for (enum config_key k = 0; ok && k < CONFIG_KEY_COUNT; k++)
        if (c->changes[k])
            ok = change_member(&text, config_name(k), c->changes[k]) ||
                 error_set(err, ERR_CONFIG_PARSE, "%s was changed meanwhile and is not JSON now",
                           c->path);
    /* What is written can be read again: a key that hides behind an escape would stand twice. */
    ok = ok && config_check(c->path, buf_str(&text), err) &&
         file_replace(c->path, buf_str(&text), 0644, err);
    for (size_t i = 0; ok && i < CONFIG_KEY_COUNT; i++) {
        free(c->changes[i]);
        c->changes[i] = NULL;
    }
    buf_done(&text);
    return ok;
}
