#include <string.h>

#include "app/config.h"
#include "base/buf.h"
#include "cli/command.h"
#include "cli/terminal.h"

static int print_failure(const struct error *err, int code)
{
    terminal_print_failure(err);
    return code;
}

/* ---- show */

struct setting_columns {
    int name, value, normal;
};

static void put_cell(struct buf *out, int width, const struct buf *text)
{
    buf_printf(out, "%-*s  ", width, text->n ? text->p : "-");
}

static int max_width(int width, const struct buf *text)
{
    int n = text->n < 40 ? (int)text->n : 40;
    return n > width ? n : width;
}

static struct setting_columns measure_columns(const struct config *c)
{
    struct setting_columns w = {3, 5, 7};
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++) {
        struct buf name = {0}, value = {0}, normal = {0};
        buf_add(&name, str_from(config_name(k)));
        config_put_value(c, k, &value);
        config_put_default(k, &normal);
        w.name = max_width(w.name, &name);
        w.value = max_width(w.value, &value);
        w.normal = max_width(w.normal, &normal);
        buf_done(&name);
        buf_done(&value);
        buf_done(&normal);
    }
    return w;
}

static int print_settings(const struct config *c)
{
    struct setting_columns w = measure_columns(c);
    struct buf out = {0};
    buf_printf(&out, "%-*s  %-*s  %-*s  %-7s  %s\n", w.name, "KEY", w.value, "VALUE", w.normal,
               "DEFAULT", "FROM", "MEANING");
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++) {
        struct buf value = {0}, normal = {0}, shown = {0};
        config_put_value(c, k, &value);
        terminal_escape(&shown, buf_str(&value));
        config_put_default(k, &normal);
        buf_printf(&out, "%-*s  ", w.name, config_name(k));
        put_cell(&out, w.value, &shown);
        put_cell(&out, w.normal, &normal);
        buf_printf(&out, "%-7s  %s\n", config_origin_name(c->origins[k]), config_what(k));
        buf_done(&value);
        buf_done(&normal);
        buf_done(&shown);
    }
    buf_printf(
        &out, "\n%s %s\n",
        c->has_file ? "read from" : "all values are defaults, this file does not exist:", c->path);
    terminal_write(buf_str(&out));
    buf_done(&out);
    return COMMAND_FINE;
}

static int print_value(const struct config *c, enum config_key key)
{
    struct buf out = {0};
    config_put_value(c, key, &out);
    buf_add_char(&out, '\n');
    terminal_write(buf_str(&out));
    buf_done(&out);
    return COMMAND_FINE;
}

/* ---- change */

static int save_settings(struct config *c)
{
    struct error err = {0};
    return config_save(c, &err) ? COMMAND_FINE : print_failure(&err, COMMAND_FAILED);
}

static int set_setting(struct config *c, enum config_key key, const char *value)
{
    struct error err = {0};
    if (!config_set(c, key, str_from(value), &err) || !limits_check(&c->limits, &err))
        return print_failure(&err, COMMAND_USAGE);
    return save_settings(c);
}

static int unset_setting(struct config *c, enum config_key key)
{
    struct error err = {0};
    config_unset(c, key);
    if (!limits_check(&c->limits, &err))
        return print_failure(&err, COMMAND_USAGE);
    return save_settings(c);
}

/* ---- the command */

static const struct config_verb {
    const char *name, *args;
    size_t count;
} verbs[] = {
    {"list", "", 0},
    {"get", " KEY", 1},
    {"set", " KEY VALUE", 2},
    {"unset", " KEY", 1},
};

static const struct config_verb *find_verb(const struct options *o)
{
    const char *name = o->arg_count ? o->args[0] : "list";
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, name) == 0) {
            size_t given = o->arg_count ? o->arg_count - 1 : 0;
            if (given == verbs[i].count)
                return &verbs[i];
            terminal_print_error("config %s: wrong number of arguments: multiverse config %s%s",
                                 name, name, verbs[i].args);
            return NULL;
        }
    terminal_print_error(
        "config: unknown action \"%s\": use list, get, set or unset (multiverse config --help)",
        name);
    return NULL;
}

static bool find_key(const char *name, enum config_key *key)
{
    if (config_find(str_from(name), key))
        return true;
    if (strcmp(name, "schema_version") == 0) {
        terminal_print_error("schema_version is %d and cannot be changed: the program writes it",
                             CONFIG_SCHEMA_VERSION);
        return false;
    }
    const char *near = config_nearest(str_from(name));
    if (near)
        terminal_print_error(
            "unknown setting %s: did you mean %s? multiverse config lists the settings", name,
            near);
    else
        terminal_print_error("unknown setting %s: multiverse config lists the settings", name);
    return false;
}

static int run_verb(struct config *c, const struct config_verb *config_verb,
                    const struct options *o)
{
    enum config_key key = 0;
    for (size_t i = 0; i < c->warning_count; i++)
        terminal_print_warning("%s", c->warnings[i]);
    if (config_verb->count && !find_key(o->args[1], &key))
        return COMMAND_USAGE;
    if (config_verb->count == 0)
        return print_settings(c);
    if (config_verb->count == 2)
        return set_setting(c, key, o->args[2]);
    return strcmp(config_verb->name, "get") == 0 ? print_value(c, key) : unset_setting(c, key);
}

int cmd_config(const struct options *o)
{
    const struct config_verb *config_verb = find_verb(o);
    struct config c;
    struct error err = {0};
    if (!config_verb)
        return COMMAND_USAGE;
    bool reads = strcmp(config_verb->name, "list") == 0 || strcmp(config_verb->name, "get") == 0;
    const char *path = options_text(o, "config");
    if (!(reads ? config_load(path, &c, &err) : config_load_for_change(path, &c, &err)))
        return print_failure(&err, COMMAND_USAGE);
    int code = run_verb(&c, config_verb, o);
    config_done(&c);
    return code;
}
