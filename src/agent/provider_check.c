#include <stdio.h>

#include "agent/provider_internal.h"

const char *provider_who(const struct candidate *c, char to[96])
{
    snprintf(to, 96, "%s%s%.*s", agent_kind_name(c->tool), c->model.n ? " " : "",
             str_precision(str_head(c->model, 60)), c->model.p ? c->model.p : "");
    return to;
}

/* "reasoningEffort" and "reasoning_effort" are "reasoning_effort". */
static bool is_name(struct str key, const char *snake)
{
    size_t i = 0;
    for (; *snake; snake++, i++) {
        bool is_hump = *snake == '_' && i < key.n && key.p[i] != '_';
        char want = *snake;
        if (is_hump)
            want = (char)(*++snake - 'a' + 'A');
        if (i >= key.n || key.p[i] != want)
            return false;
    }
    return i == key.n;
}

const struct json *provider_option(const struct candidate *c, const char *name)
{
    JSON_EACH (c->tool_specific, k)
        if (is_name(json_str(k), name))
            return json_is(k + 1, JSON_NULL) ? NULL : k + 1;
    return NULL;
}

const char *provider_option_text(struct provider_build *b, const char *name)
{
    const struct json *v = provider_option(b->call->candidate, name);
    return v ? arena_cstr(&b->out->arena, json_str(v)) : NULL;
}

static bool is_text(const struct json *v)
{
    struct str s = json_str(v);
    return json_is(v, JSON_STRING) && !(s.n && memchr(s.p, 0, s.n));
}

static bool is_choice(const struct json *v, const char *choices)
{
    struct str rest = str_from(choices), one;
    bool more = true;
    while (more) {
        more = str_cut(&rest, ' ', &one);
        if (str_eq(json_str(v), one))
            return true;
    }
    return false;
}

static bool is_kind(const struct json *v, const struct provider_option *o)
{
    uint64_t count;
    double number;
    switch (o->kind) {
    case OPTION_TEXT:
        return is_text(v);
    case OPTION_CHOICE:
        return is_choice(v, o->choices);
    case OPTION_COUNT:
        return json_u64(v, &count) && count >= 1;
    case OPTION_NUMBER:
        return json_double(v, &number) && number >= 0;
    case OPTION_FLAG:
        return json_is(v, JSON_BOOL);
    case OPTION_TEXTS:
        JSON_ITEMS (v, item)
            if (!is_text(item))
                return false;
        return json_is(v, JSON_ARRAY);
    case OPTION_ANY:
        return true;
    }
    return false;
}

static const char *kind_name(const struct provider_option *o)
{
    static const char *const names[] = {
        [OPTION_TEXT] = "text",
        [OPTION_CHOICE] = "one of: ",
        [OPTION_COUNT] = "a whole number, 1 or more",
        [OPTION_NUMBER] = "a number, 0 or more",
        [OPTION_FLAG] = "true or false",
        [OPTION_TEXTS] = "a list of texts",
        [OPTION_ANY] = "",
    };
    return names[o->kind];
}

static bool fail_unknown(const struct candidate *c, struct str key,
                         const struct provider_option *options, struct error *err)
{
    char name[96];
    struct buf allowed = {0};
    for (const struct provider_option *o = options; o->name; o++)
        buf_printf(&allowed, "%s%s", o == options ? "" : ", ", o->name);
    error_set(err, ERR_CONFIG_VALIDATION, "%s: toolSpecific has no \"%.*s\"; it may have: %s",
              provider_who(c, name), str_precision(str_head(key, 60)), key.p ? key.p : "",
              allowed.p ? allowed.p : "nothing");
    buf_done(&allowed);
    return false;
}

static bool is_env_name(struct str name)
{
    return name.n && !memchr(name.p, 0, name.n) && !memchr(name.p, '=', name.n);
}

static bool check_env(const struct candidate *c, struct error *err)
{
    char name[96];
    JSON_EACH (c->env, k) {
        struct str variable = json_str(k), value = json_str(k + 1);
        if (!is_env_name(variable) || !json_is(k + 1, JSON_STRING) ||
            (value.n && memchr(value.p, 0, value.n)))
            return error_set(err, ERR_CONFIG_VALIDATION,
                             "%s: env: \"%.*s\" is no name and text of a variable",
                             provider_who(c, name), str_precision(str_head(variable, 60)),
                             variable.p ? variable.p : "");
    }
    return true;
}

bool provider_check(const struct candidate *c, struct error *err)
{
    const struct provider_impl *impl = provider_impl(c->tool);
    char name[96];
    JSON_EACH (c->tool_specific, k) {
        const struct provider_option *o = impl->options;
        while (o->name && !is_name(json_str(k), o->name))
            o++;
        if (!o->name)
            return fail_unknown(c, json_str(k), impl->options, err);
        if (!json_is(k + 1, JSON_NULL) && !is_kind(k + 1, o))
            return error_set(err, ERR_CONFIG_VALIDATION, "%s: toolSpecific.%s must be %s%s",
                             provider_who(c, name), o->name, kind_name(o),
                             o->choices ? o->choices : "");
    }
    JSON_ITEMS (c->flags, flag)
        if (!is_text(flag))
            return error_set(err, ERR_CONFIG_VALIDATION, "%s: flags must be a list of texts",
                             provider_who(c, name));
    return check_env(c, err);
}

static bool check_category(const struct doc *doc, struct str at, const struct tooling_category *s,
                           struct error *err)
{
    for (size_t i = 0; i < s->count; i++) {
        struct error why = {0};
        struct buf place = {0};
        if (provider_check(&s->candidates[i], &why))
            continue;
        buf_printf(&place, "%.*s/candidates/%zu", STR_ARG(at), i);
        doc_fail(doc, buf_str(&place), err, "%s", why.text);
        buf_done(&place);
        return false;
    }
    return true;
}

bool provider_check_all(const struct doc *doc, struct str at, const struct tooling *t,
                        struct error *err)
{
    for (size_t p = 0; p < t->profile_count; p++)
        for (enum category c = 0; c < CATEGORY_COUNT; c++) {
            struct buf place = {0};
            buf_printf(&place, "%.*s/profiles/%zu/categories/%s", STR_ARG(at), p,
                       tooling_category_name(c));
            bool ok = check_category(doc, buf_str(&place), &t->profiles[p].categories[c], err);
            buf_done(&place);
            if (!ok)
                return false;
        }
    return true;
}
