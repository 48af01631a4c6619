#include "cli/options.h"

#include <assert.h>

#include "base/buf.h"
#include "base/nearest.h"

static const struct options_row help_row = {"help", 'h', OPTIONS_FLAG, NULL, "show this help",
                                            0,      0,   NULL};

static size_t find_row(const struct options_row *rows, struct str name)
{
    size_t i = 0;
    while (rows[i].name && !str_eq(name, str_from(rows[i].name)))
        i++;
    return i;
}

static const struct options_row *find_letter(const struct options_row *rows, char letter)
{
    if (letter == help_row.letter)
        return &help_row;
    for (; rows->name; rows++)
        if (rows->letter == letter)
            return rows;
    return NULL;
}

static bool fail_unknown(const struct options_row *rows, struct str name, struct error *err)
{
    struct nearest near = nearest_make(name);
    for (; rows->name; rows++)
        nearest_offer(&near, str_from(rows->name));
    nearest_offer(&near, str_from(help_row.name));
    if (near.best.n)
        return error_set(err, ERR_INVALID_PARAMS, "unknown option --%.*s: did you mean --%.*s?",
                         STR_ARG(name), STR_ARG(near.best));
    return error_set(err, ERR_INVALID_PARAMS, "unknown option --%.*s", STR_ARG(name));
}

static bool is_choice(const struct options_row *row, struct str value)
{
    for (const char *const *c = row->choices; *c; c++)
        if (str_eq(value, str_from(*c)))
            return true;
    return false;
}

static bool fail_choice(const struct options_row *row, const char *value, struct error *err)
{
    struct buf list = {0};
    for (const char *const *c = row->choices; *c; c++)
        buf_printf(&list, "%s%s", c == row->choices ? "" : c[1] ? ", " : " or ", *c);
    error_set(err, ERR_INVALID_PARAMS, "--%s must be %s, not \"%s\"", row->name, list.p, value);
    buf_done(&list);
    return false;
}

static bool fail_empty(const struct options_row *row, struct error *err)
{
    return error_set(err, ERR_INVALID_PARAMS, "--%s must not be empty: --%s %s", row->name,
                     row->name, row->value);
}

static bool add_value(struct options *o, const struct options_row *row, const char *value,
                      struct error *err)
{
    if (!value[0])
        return fail_empty(row, err);
    if (o->many_count == OPTIONS_MAX_MANY)
        return error_set(err, ERR_INVALID_PARAMS, "--%s is given more than %u times", row->name,
                         OPTIONS_MAX_MANY);
    o->many[o->many_count].row = row;
    o->many[o->many_count++].text = value;
    return true;
}

static bool take_value(struct options *o, const struct options_row *row, const char *value,
                       struct error *err)
{
    size_t i = (size_t)(row - o->rows);
    uint64_t n;
    assert(i < OPTIONS_MAX);
    switch (row->kind) {
    case OPTIONS_NUMBER:
        if (!str_to_u64(str_from(value), &n) || n < row->least || n > row->most)
            return error_set(err, ERR_INVALID_PARAMS,
                             "--%s must be a number from %llu to %llu, not \"%s\"", row->name,
                             (unsigned long long)row->least, (unsigned long long)row->most, value);
        o->numbers[i] = n;
        break;
    case OPTIONS_CHOICE:
        if (!is_choice(row, str_from(value)))
            return fail_choice(row, value, err);
        break;
    case OPTIONS_MANY:
        if (!add_value(o, row, value, err))
            return false;
        break;
    case OPTIONS_TEXT:
    case OPTIONS_FILE:
    case OPTIONS_FOLDER:
        if (!value[0])
            return fail_empty(row, err);
        break;
    case OPTIONS_FLAG:
        break;
    }
    o->texts[i] = value;
    return true;
}

/* Parse the option at **at. joined is a value in the same argument; NULL: it is in the next one. */
static bool take_at(struct options *o, const struct options_row *row, const char *joined,
                    char ***at, struct error *err)
{
    if (row == &help_row && !joined) {
        o->help = true;
        return true;
    }
    if (row->kind == OPTIONS_FLAG) {
        if (joined)
            return error_set(err, ERR_INVALID_PARAMS, "--%s takes no value, not \"%s\"", row->name,
                             joined);
        return take_value(o, row, "", err);
    }
    const char *value = joined;
    if (!value)
        value = *++*at;
    if (!value)
        return error_set(err, ERR_INVALID_PARAMS, "--%s needs a value: --%s %s", row->name,
                         row->name, row->value);
    return take_value(o, row, value, err);
}

/* --name, --name=value */
static bool take_long(struct options *o, char ***at, struct error *err)
{
    struct str rest = str_from(**at + 2), name;
    const char *joined = str_cut(&rest, '=', &name) ? name.p + name.n + 1 : NULL;
    if (str_eq(name, str_from(help_row.name)))
        return take_at(o, &help_row, joined, at, err);
    const struct options_row *row = &o->rows[find_row(o->rows, name)];
    if (!row->name)
        return fail_unknown(o->rows, name, err);
    return take_at(o, row, joined, at, err);
}

/* -p 80, -p80, -s */
static bool take_short(struct options *o, char ***at, struct error *err)
{
    const char *text = **at;
    const struct options_row *row = find_letter(o->rows, text[1]);
    if (!row)
        return error_set(err, ERR_INVALID_PARAMS, "unknown option %s", text);
    return take_at(o, row, text[2] ? text + 2 : NULL, at, err);
}

bool options_parse(struct options *o, const struct options_row *rows, int argc, char **argv,
                   struct error *err)
{
    /* argv must end with NULL, as that of main() does. */
    char **end = argv + argc, **at = argv;
    bool only_args = false;
    assert(argc >= 0 && !*end);
    *o = (struct options){.rows = rows, .args = argv};
    for (; at < end && *at && !o->help; at++) {
        struct str arg = str_from(*at);
        if (only_args || arg.n < 2 || arg.p[0] != '-') {
            argv[o->arg_count++] = *at;
        } else if (str_eq(arg, STR("--"))) {
            only_args = true;
        } else {
            bool ok = arg.p[1] == '-' ? take_long(o, &at, err) : take_short(o, &at, err);
            if (!ok)
                return false;
        }
    }
    argv[o->arg_count] = NULL;
    return true;
}

bool options_knows(const struct options *o, const char *name)
{
    return o->rows[find_row(o->rows, str_from(name))].name != NULL;
}

static size_t index_of(const struct options *o, const char *name)
{
    size_t i = find_row(o->rows, str_from(name));
    assert(o->rows[i].name); /* the command may use only options of its table */
    return i;
}

bool options_has(const struct options *o, const char *name)
{
    return o->texts[index_of(o, name)] != NULL;
}

const char *options_text(const struct options *o, const char *name)
{
    return o->texts[index_of(o, name)];
}

bool options_number(const struct options *o, const char *name, uint64_t *out)
{
    size_t i = index_of(o, name);
    assert(o->rows[i].kind == OPTIONS_NUMBER);
    if (!o->texts[i])
        return false;
    *out = o->numbers[i];
    return true;
}

const char *options_nth(const struct options *o, const char *name, size_t n)
{
    const struct options_row *row = &o->rows[index_of(o, name)];
    assert(row->kind == OPTIONS_MANY);
    for (size_t i = 0; i < o->many_count; i++)
        if (o->many[i].row == row && n-- == 0)
            return o->many[i].text;
    return NULL;
}
