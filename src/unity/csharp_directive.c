#include "unity/csharp_directive.h"

#include <stdlib.h>

#include "base/mem.h"

#define CONDITION_DEPTH_MAX 64

enum {
    OUTER_ACTIVE = 1, /* the code around the #if is active */
    TAKEN = 2,        /* one of its branches was active */
    ELSE_SEEN = 4
};

/* Values of the map of symbols. */
static char is_defined, is_undefined;

struct directive_condition {
    struct csharp_directive *d;
    struct str rest;
    unsigned depth;
    bool bad;
};

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static struct str take_word(struct str *rest)
{
    size_t n = 0;
    while (n < rest->n && is_word(rest->p[n]))
        n++;
    struct str word = str_head(*rest, n);
    *rest = str_skip(*rest, n);
    return word;
}

static void fill_symbols(struct csharp_directive *d)
{
    d->has_symbols = true;
    for (size_t i = 0; d->options && i < d->options->define_count; i++)
        map_set(&d->symbols, d->options->defines[i], &is_defined);
}

static void set_symbol(struct csharp_directive *d, struct str name, char *as)
{
    if (!d->has_symbols)
        fill_symbols(d);
    map_set(&d->symbols, name, as);
}

static bool is_symbol_true(struct csharp_directive *d, struct str word)
{
    if (str_eq(word, STR("true")))
        return true;
    if (str_eq(word, STR("false")))
        return false;
    if (!d->has_symbols)
        fill_symbols(d);
    return map_get(&d->symbols, word) == &is_defined;
}

static bool take_token(struct directive_condition *c, const char *token)
{
    c->rest = str_trim(c->rest);
    if (!str_starts(c->rest, str_from(token)))
        return false;
    c->rest = str_skip(c->rest, strlen(token));
    return true;
}

static bool read_or(struct directive_condition *c);

static bool read_primary(struct directive_condition *c)
{
    bool negate = false, value = false;
    while (take_token(c, "!"))
        negate = !negate;
    if (take_token(c, "(")) {
        if (++c->depth > CONDITION_DEPTH_MAX) {
            c->bad = true;
            return false;
        }
        value = read_or(c);
        c->depth--;
        c->bad |= !take_token(c, ")");
    } else {
        struct str word = take_word(&c->rest);
        c->bad |= word.n == 0;
        value = is_symbol_true(c->d, word);
    }
    return value != negate;
}

static bool read_equality(struct directive_condition *c)
{
    bool value = read_primary(c);
    while (!c->bad) {
        if (take_token(c, "=="))
            value = value == read_primary(c);
        else if (take_token(c, "!="))
            value = value != read_primary(c);
        else
            break;
    }
    return value;
}

static bool read_and(struct directive_condition *c)
{
    bool value = read_equality(c);
    while (!c->bad && take_token(c, "&&"))
        value &= read_equality(c);
    return value;
}

static bool read_or(struct directive_condition *c)
{
    bool value = read_and(c);
    while (!c->bad && take_token(c, "||"))
        value |= read_and(c);
    return value;
}

static bool evaluate_condition(struct csharp_directive *d, struct str text, bool *ok)
{
    struct directive_condition c = {.d = d, .rest = text};
    bool value = read_or(&c);
    *ok = !c.bad && str_is_empty(str_trim(c.rest));
    return *ok && value;
}

static bool open_if(struct csharp_directive *d, struct str condition)
{
    bool ok = true;
    uint8_t level = d->active ? OUTER_ACTIVE : 0;
    /* Conditions in inactive code are not read. */
    bool value = d->active && evaluate_condition(d, condition, &ok);
    if (d->level_count == d->level_cap)
        mem_grow((void **)&d->levels, &d->level_cap, d->level_count + 1, sizeof *d->levels);
    d->levels[d->level_count++] = level | (value ? TAKEN : 0);
    d->active = value;
    return ok;
}

static bool enter_branch(struct csharp_directive *d, bool is_else, struct str condition)
{
    if (d->level_count == 0)
        return false;
    uint8_t *level = &d->levels[d->level_count - 1];
    bool ok = !(*level & ELSE_SEEN);
    bool wanted = (*level & OUTER_ACTIVE) && !(*level & TAKEN) && ok;
    if (wanted && !is_else)
        wanted = evaluate_condition(d, condition, &ok);
    if (wanted)
        *level |= TAKEN;
    if (is_else)
        *level |= ELSE_SEEN;
    d->active = wanted;
    return ok;
}

static bool close_if(struct csharp_directive *d)
{
    if (d->level_count == 0)
        return false;
    d->active = d->levels[--d->level_count] & OUTER_ACTIVE;
    return true;
}

void csharp_directive_init(struct csharp_directive *d, const struct csharp_options *options)
{
    *d = (struct csharp_directive){.active = true, .options = options};
}

void csharp_directive_done(struct csharp_directive *d)
{
    map_done(&d->symbols);
    free(d->levels);
    *d = (struct csharp_directive){0};
}

bool csharp_directive_line(struct csharp_directive *d, struct str line, bool at_top)
{
    line = str_trim(line);
    struct str word = take_word(&line);
    line = str_trim(str_head(line, str_find(line, STR("//"))));
    if (str_eq(word, STR("if")))
        return open_if(d, line);
    if (str_eq(word, STR("elif")))
        return enter_branch(d, false, line);
    if (str_eq(word, STR("else")))
        return enter_branch(d, true, line);
    if (str_eq(word, STR("endif")))
        return close_if(d);
    bool is_define = str_eq(word, STR("define"));
    if (!d->active || !(is_define || str_eq(word, STR("undef"))))
        return true;
    struct str name = take_word(&line);
    if (!at_top || name.n == 0)
        return false;
    set_symbol(d, name, is_define ? &is_defined : &is_undefined);
    return true;
}

bool csharp_directive_is_open(const struct csharp_directive *d)
{
    return d->level_count > 0;
}
