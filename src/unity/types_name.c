#include <stdio.h>

#include "unity/types_internal.h"

#define NAME_MAX_BYTES 512u /* of a full name; longer ones mean nothing */
#define NAME_MAX_DOTS  12u

struct candidate { /* a full name that is put together piece by piece */
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

/* All kinds of UnityEvent hold the same, those of packages too. */
static const struct builtin_struct *fixed_struct(struct str full)
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
    if ((out->fixed = fixed_struct(full)) != NULL) {
        out->fixed_name = arena_str(&t->arena, full);
        return true;
    }
    if (str_eq(full, STR("UnityEngine.ScriptableObject")) || is_package_class(t, full)) {
        out->package = arena_str(&t->arena, full);
        return true;
    }
    return false;
}

static bool append(struct candidate *c, struct str s)
{
    if (s.n > sizeof c->text - c->n)
        return false;
    if (s.n > 0)
        memcpy(c->text + c->n, s.p, s.n);
    c->n += s.n;
    return true;
}

static struct str text_of(const struct candidate *c)
{
    return str_make(c->text, c->n);
}

struct search {
    struct types *t;
    struct str name; /* without "global::", dots as written */
    size_t arity;
    bool cached;
    bool is_base; /* the name stands in a list of base classes: theirs are not looked into */
    struct types_meaning *out;
};

/* Behind a prefix (with its '.' or '+', or empty): as it is written, then with the last dots as
 * '+', for types inside types. */
static bool try_behind(struct search *s, struct str prefix)
{
    struct candidate c = {.n = 0};
    char arity[24];
    int digits = s->arity > 0 ? snprintf(arity, sizeof arity, "`%zu", s->arity) : 0;
    if (!append(&c, prefix) || !append(&c, s->name) || !append(&c, str_make(arity, (size_t)digits)))
        return false;
    if (types_name_meaning(s->t, text_of(&c), s->cached, s->out))
        return true;
    for (size_t i = c.n; i > prefix.n; i--) {
        if (c.text[i - 1] != '.')
            continue;
        c.text[i - 1] = '+';
        if (types_name_meaning(s->t, text_of(&c), s->cached, s->out))
            return true;
    }
    return false;
}

static bool try_joined(struct search *s, struct str prefix, const char *joint)
{
    struct candidate c = {.n = 0};
    return append(&c, prefix) && append(&c, str_from(joint)) && try_behind(s, text_of(&c));
}

static const struct types_decl *base_decl(struct search *s, const struct types_decl *d);

/* The type around a nested one. */
static const struct types_decl *outer_decl(struct search *s, const struct types_decl *d)
{
    size_t plus = d->full.n;
    while (plus > 0 && d->full.p[plus - 1] != '+')
        plus--;
    return plus > 0 ? types_source_decl(s->t, str_head(d->full, plus - 1), s->cached) : NULL;
}

/* Types inside the type the name stands in, those around it, and their base classes. */
static bool try_nested(struct search *s, const struct types_decl *d)
{
    for (unsigned out = 0; d != NULL && out < NAME_MAX_DOTS; out++) {
        const struct types_decl *of = d;
        for (unsigned up = 0; of != NULL && up < NAME_MAX_DOTS; up++) {
            if (try_joined(s, of->full, "+"))
                return true;
            of = s->is_base ? NULL : base_decl(s, of);
        }
        d = outer_decl(s, d);
    }
    return false;
}

static bool try_namespaces(struct search *s, struct str space)
{
    while (space.n > 0) {
        if (try_joined(s, space, "."))
            return true;
        size_t dot = space.n;
        while (dot > 0 && space.p[dot - 1] != '.')
            dot--;
        space = str_head(space, dot > 0 ? dot - 1 : 0);
    }
    return try_behind(s, (struct str){0});
}

static bool is_in_scope(const struct csharp_using *u, struct str space)
{
    return u->scope.n == 0 || str_eq(u->scope, space) ||
           (str_starts(space, u->scope) && space.p[u->scope.n] == '.');
}

static bool try_usings(struct search *s, const struct types_decl *d)
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

/* An alias stands for its first word: "using UI = UnityEngine.UI;" and "UI.Image". */
static bool try_aliases(struct search *s, const struct types_decl *d)
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
        struct search target = *s;
        if (!is_dotted) {
            target.name = u->name;
            return try_behind(&target, (struct str){0});
        }
        target.name = rest;
        return try_joined(&target, u->name, ".");
    }
    return false;
}

static bool search(struct search *s, const struct types_decl *d)
{
    if (d == NULL)
        return try_behind(s, (struct str){0}) || try_joined(s, STR("UnityEngine"), ".");
    return try_nested(s, d) || try_aliases(s, d) || try_namespaces(s, d->type->namespace_) ||
           try_usings(s, d);
}

/* Of "Base<A, B>" the name and, with the number of arguments, what is in the brackets. */
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

static struct str base_name(const struct types_decl *d)
{
    for (; d != NULL; d = d->next) /* any part may name it */
        if (d->type->base_count > 0 &&
            (d->type->kind == CSHARP_CLASS || d->type->kind == CSHARP_RECORD))
            return d->type->bases[0];
    return (struct str){0};
}

static const struct types_decl *base_decl(struct search *s, const struct types_decl *d)
{
    struct str arguments;
    struct types_meaning m = {0};
    struct search base = {.t = s->t, .cached = s->cached, .is_base = true, .out = &m};
    base.name = types_name_arguments(base_name(d), &arguments, &base.arity);
    return base.name.n > 0 && search(&base, d) ? m.decl : NULL;
}

/* Names of .NET that are common in scripts and nothing to look for in packages. */
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

static bool resolve(struct search *s, const struct types_decl *d)
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
        if (is_global ? try_behind(s, (struct str){0}) : search(s, d))
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
    struct search s = {.t = t, .name = written, .arity = arity, .out = out};
    return resolve(&s, scope->decl);
}

struct str types_name_resolve_base(struct types *t, const struct types_decl *d,
                                   struct str *arguments, struct types_meaning *out)
{
    struct str written = base_name(d);
    struct search s = {.t = t, .is_base = true, .out = out};
    *out = (struct types_meaning){0};
    s.name = types_name_arguments(written, arguments, &s.arity);
    if (s.name.n > 0)
        resolve(&s, d);
    return written;
}
