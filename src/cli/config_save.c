#include <stdlib.h>

#include "base/file.h"
#include "base/json_edit.h"
#include "cli/config.h"

/* The file is changed where it must be and nowhere else: each change replaces, removes or adds the
 * text of one member (docs/spec/10-bridge.md, 11). */

/* *text with one member changed; json "" takes it away. */
static bool change_member(struct buf *text, const char *key, const char *json)
{
    struct buf out = {0}, pointer = {0};
    buf_printf(&pointer, "/%s", key); /* no name of ours has a / or a ~ */
    bool ok = json[0] ? json_edit_set(&out, buf_str(text), buf_str(&pointer), str_from(json))
                      : json_edit_remove(&out, buf_str(text), buf_str(&pointer));
    buf_done(&pointer);
    if (!ok)
        return false;
    buf_done(text);
    *text = out;
    return true;
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
    /* What is written can be read again. */
    ok = ok && config_check(c->path, buf_str(&text), err) &&
         file_replace(c->path, buf_str(&text), 0644, err);
    for (size_t i = 0; ok && i < CONFIG_KEY_COUNT; i++) {
        free(c->changes[i]);
        c->changes[i] = NULL;
    }
    buf_done(&text);
    return ok;
}
