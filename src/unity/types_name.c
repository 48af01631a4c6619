#include <stdio.h>

#include "unity/types_internal.h"

#define NAME_MAX_BYTES 512u /* of a full name; longer ones are unknown */
#define NAME_MAX_DOTS  12u

struct name_candidate { /* a full name, built piece by piece */
    char text[NAME_MAX_BYTES];
    size_t n;
};

static bool is_package_class(struct types *t, struct str full)
{
    size_t count = 0;
    const struct builtin_script *const *s = builtin_scripts_of(full, &count);
    for (size_t i = 0; i < count; i++)
        if (types_source_has_package(t, str_from(s[i]->package)))
            return true;
    return s == NULL && builtin_base(full)[0] != '\0';
}

/* All kinds of UnityEvent have the same fields, also those of packages. */
static const struct builtin_struct *find_engine_struct(struct str full)
{
    bool is_event = str_starts(full, STR("UnityEngine.Events.UnityEvent")) &&
                    str_find(full, STR("CallState")) >= full.n;
    if (is_event || str_eq(str_from(builtin_base(full)), STR("UnityEngine.Events.UnityEventBase")))
        return builtin_struct(STR("UnityEngine.Events.UnityEventBase"));
    return str_starts(full, STR("UnityEngine.")) ? builtin_struct(full) : NULL;
}

bool types_name_meaning(struct types *t, struct str full, bool cached, struct types_meaning *out)
{
    *out = (struct types_meaning){0};
    if ((out->decl = types_source_decl(t, full, cached)) != NULL)
        return true;
    if ((out->value = types_kind_value(full)) != NULL)
        return true;
    if ((out->engine = builtin_class_of(full)) != NULL)
        return true;
    if ((out->enumeration = builtin_enum(full)) != NULL)
        return true;
    if ((out->fixed = find_engine_struct(full)) != NULL) {
        out->fixed_name = arena_str(&t->arena, full);
        return true;
    }
    if (str_eq(full, STR("UnityEngine.ScriptableObject")) || is_package_class(t, full)) {
        out->package = arena_str(&t->arena, full);
        return true;
    }
    return false;
}

static bool append_text(struct name_candidate *c, struct str s)
{
    if (s.n > sizeof c->text - c->n)
        return false;
    if (s.n > 0)
        memcpy(c->text + c->n, s.p, s.n);
    c->n += s.n;
    return true;
}

static struct str candidate_text(const struct name_candidate *c)
{
    return str_make(c->text, c->n);
}

struct name_search {
    struct types *t;
    struct str name; /* without "global::"; dots as written */
    size_t arity;
    bool cached;
    bool is_base; /* the name is in a base list: do not search base classes */
    struct types_meaning *out;
};

/* Try the name after a prefix (empty, or ending with '.' or '+'): as written, then with its last
 * dots as '+' for nested types. */
static bool try_prefix(struct name_search *s, struct str prefix)
{
    struct name_candidate c = {.n = 0};
    char arity[24];
    int digits = s->arity > 0 ? snprintf(arity, sizeof arity, "`%zu", s->arity) : 0;
    if (!append_text(&c, prefix) || !append_text(&c, s->name) ||
        !append_text(&c, str_make(arity, (size_t)digits)))
        return false;
    if (types_name_meaning(s->t, candidate_text(&c), s->cached, s->out))
        return true;
    for (size_t i = c.n; i > prefix.n; i--) {
        if (c.text[i - 1] != '.')
            continue;
        c.text[i - 1] = '+';
        if (types_name_meaning(s->t, candidate_text(&c), s->cached, s->out))
            return true;
    }
    return false;
}

static bool try_joined(struct name_search *s, struct str prefix, const char *joint)
{
    struct name_candidate c = {.n = 0};
    return append_text(&c, prefix) && append_text(&c, str_from(joint)) &&
           try_prefix(s, candidate_text(&c));
}

static const struct types_decl *find_base(struct name_search *s, const struct types_decl *d);

/* Return the enclosing type. */
static const struct types_decl *find_outer(struct name_search *s, const struct types_decl *d)
{
    size_t plus = d->full.n;
    while (plus > 0 && d->full.p[plus - 1] != '+')
        plus--;
    return plus > 0 ? types_source_decl(s->t, str_head(d->full, plus - 1), s->cached) : NULL;
}

/* Search nested types: of the type that contains the name, of enclosing types and of their
 * bases. */
static bool try_nested(struct name_search *s, const struct types_decl *d)
{
    for (unsigned out = 0; d != NULL && out < NAME_MAX_DOTS; out++) {
        const struct types_decl *of = d;
        for (unsigned up = 0; of != NULL && up < NAME_MAX_DOTS; up++) {
            if (try_joined(s, of->full, "+"))
                return true;
            of = s->is_base ? NULL : find_base(s, of);
        }
        d = find_outer(s, d);
    }
    return false;
}

static bool try_namespaces(struct name_search *s, struct str space)
{
    while (space.n > 0) {
        if (try_joined(s, space, "."))
            return true;
        size_t dot = space.n;
        while (dot > 0 && space.p[dot - 1] != '.')
            dot--;
        space = str_head(space, dot > 0 ? dot - 1 : 0);
    }
    return try_prefix(s, (struct str){0});
}

static bool is_in_scope(const struct csharp_using *u, struct str space)
{
    return u->scope.n == 0 || str_eq(u->scope, space) ||
           (str_starts(space, u->scope) && space.p[u->scope.n] == '.');
}

static bool try_usings(struct name_search *s, const struct types_decl *d)
{
    const struct csharp_file *f = d->source->file;
    for (size_t i = 0; i < f->using_count; i++) {
        const struct csharp_using *u = &f->usings[i];
        if (!is_in_scope(u, d->type->namespace_))
            continue;
        if (u->alias.n == 0 && try_joined(s, u->name, u->is_static ? "+" : "."))
            return true;
    }
    return false;
}

/* Replace an alias at the start of the name: "using UI = UnityEngine.UI;" and "UI.Image". */
static bool try_aliases(struct name_search *s, const struct types_decl *d)
{
    const struct csharp_file *f = d->source->file;
    struct str rest = s->name, first;
    bool is_dotted = str_cut(&rest, '.', &first);
    if (!is_dotted)
        first = s->name;
    for (size_t i = 0; i < f->using_count; i++) {
        const struct csharp_using *u = &f->usings[i];
        if (u->alias.n == 0 || !str_eq(u->alias, first) || !is_in_scope(u, d->type->namespace_))
            continue;
        struct name_search target = *s;
        if (!is_dotted) {
            target.name = u->name;
            return try_prefix(&target, (struct str){0});
        }
        target.name = rest;
        return try_joined(&target, u->name, ".");
    }
    return false;
}

static bool search_name(struct name_search *s, const struct types_decl *d)
{
    if (d == NULL)
        return try_prefix(s, (struct str){0}) || try_joined(s, STR("UnityEngine"), ".");
    return try_nested(s, d) || try_aliases(s, d) || try_namespaces(s, d->type->namespace_) ||
           try_usings(s, d);
}

struct str types_name_arguments(struct str written, struct str *arguments, size_t *arity)
{
    size_t open = str_find(written, STR("<")), depth = 0;
    *arguments = (struct str){0};
    *arity = 0;
    if (open >= written.n || written.p[written.n - 1] != '>')
        return str_trim(written);
    *arguments = str_make(written.p + open + 1, written.n - open - 2);
    *arity = 1;
    for (size_t i = 0; i < arguments->n; i++) {
        char c = arguments->p[i];
        depth += c == '<' || c == '(' || c == '[';
        depth -= (c == '>' || c == ')' || c == ']') && depth > 0;
        *arity += c == ',' && depth == 0;
    }
    return str_trim(str_head(written, open));
}

static struct str get_base_name(const struct types_decl *d)
{
    for (; d != NULL; d = d->next) /* any part may name it */
        if (d->type->base_count > 0 &&
            (d->type->kind == CSHARP_CLASS || d->type->kind == CSHARP_RECORD))
            return d->type->bases[0];
    return (struct str){0};
}

static const struct types_decl *find_base(struct name_search *s, const struct types_decl *d)
{
    struct str arguments;
    struct types_meaning m = {0};
    struct name_search base = {.t = s->t, .cached = s->cached, .is_base = true, .out = &m};
    base.name = types_name_arguments(get_base_name(d), &arguments, &base.arity);
    return base.name.n > 0 && search_name(&base, d) ? m.decl : NULL;
}

/* Common names of .NET, which are not searched in packages. */
static bool is_dotnet(struct str simple)
{
    static const char *const names[] = {
        "Action",
        "AsyncOperation",
        "CancellationToken",
        "CancellationTokenSource",
        "Coroutine",
        "DateTime",
        "Delegate",
        "Dictionary",
        "Event",
        "EventArgs",
        "EventHandler",
        "Exception",
        "Func",
        "Guid",
        "HashSet",
        "IDictionary",
        "IDisposable",
        "IEnumerable",
        "IEnumerator",
        "IList",
        "IReadOnlyList",
        "KeyValuePair",
        "LinkedList",
        "List",
        "Nullable",
        "Object",
        "Predicate",
        "Queue",
        "Random",
        "Regex",
        "SortedDictionary",
        "Stack",
        "Stopwatch",
        "Stream",
        "StringBuilder",
        "Task",
        "Thread",
        "TimeSpan",
        "Tuple",
        "Type",
        "Uri",
        "ValueTuple",
        "WaitForSeconds",
        "decimal",
        "dynamic",
        "object",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(simple, str_from(names[i])))
            return true;
    return false;
}

static bool resolve_name(struct name_search *s, const struct types_decl *d)
{
    size_t dots = 0;
    bool is_global = str_starts(s->name, STR("global::"));
    if (is_global)
        s->name = str_skip(s->name, STR("global::").n);
    for (size_t i = 0; i < s->name.n; i++)
        dots += s->name.p[i] == '.';
    *s->out = (struct types_meaning){0};
    if (s->name.n == 0 || s->name.n > NAME_MAX_BYTES / 2 || dots > NAME_MAX_DOTS)
        return false;
    for (int pass = 0; pass < 2; pass++) {
        if (is_global ? try_prefix(s, (struct str){0}) : search_name(s, d))
            return true;
        s->cached = true;
        if (is_dotnet(type_simple_name(s->name)))
            break;
    }
    return false;
}

bool types_name_resolve(struct types *t, const struct types_scope *scope, struct str written,
                        size_t arity, struct types_meaning *out)
{
    struct name_search s = {.t = t, .name = written, .arity = arity, .out = out};
    return resolve_name(&s, scope->decl);
}

struct str types_name_resolve_base(struct types *t, const struct types_decl *d,
                                   struct str *arguments, struct types_meaning *out)
{
    struct str written = get_base_name(d);
    struct name_search s = {.t = t, .is_base = true, .out = out};
    *out = (struct types_meaning){0};
    s.name = types_name_arguments(written, arguments, &s.arity);
    if (s.name.n > 0)
        resolve_name(&s, d);
    return written;
}
