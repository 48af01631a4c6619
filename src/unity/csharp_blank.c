#include "unity/csharp_blank.h"

#include <stdlib.h>

#include "base/mem.h"
#include "unity/csharp_scan.h"

#define SCOPES_MAX      64         /* classes in classes */
#define NESTED_MAX      64         /* brackets in brackets */
#define KEPT_MAX        (1u << 20) /* tokens the parser gets: bounds its time and memory */
#define INITIALIZER_MAX (4u << 10) /* bytes between braces that are worth keeping */
#define ARGUMENTS_MAX   256        /* tokens of a list of type arguments */

enum scope {
    SCOPE_NAMESPACE, /* or the file itself */
    SCOPE_TYPE,
    SCOPE_ENUM,
    SCOPE_ACCESSORS /* of a property, an indexer, an event */
};

struct walk {
    struct csharp_scan scan;
    size_t i; /* next token */
    char *out;
    size_t kept;
    size_t fault;
    enum scope scopes[SCOPES_MAX]; /* the first is the file itself */
    size_t depth;
    size_t unclosed; /* a body that never ended: 1 */
};

/* What a declaration has shown before its body. */
struct header {
    size_t nested; /* open parentheses and brackets */
    bool is_type, is_enum, is_namespace;
    bool is_call;   /* it has parameters: a method, a constructor, an operator */
    bool is_beyond; /* behind the name, where keywords mean other things */
    bool has_words; /* other than modifiers */
};

static bool is(const struct walk *w, char sign)
{
    return csharp_scan_is(&w->scan, w->i, sign);
}

static bool is_opening(const struct walk *w)
{
    return is(w, '(') || is(w, '[') || is(w, '{');
}

static bool is_closing(const struct walk *w)
{
    return is(w, ')') || is(w, ']') || is(w, '}');
}

static bool is_word_of(const struct walk *w, size_t i, const char *const *words)
{
    if (i >= w->scan.count || w->scan.tokens[i].kind != CSHARP_TOKEN_WORD)
        return false;
    struct str text = csharp_scan_text(&w->scan, i);
    for (; *words; words++)
        if (str_eq(text, str_from(*words)))
            return true;
    return false;
}

static bool is_word(const struct walk *w, const char *word)
{
    return is_word_of(w, w->i, (const char *const[]){word, NULL});
}

static bool is_modifier(const struct walk *w, size_t i)
{
    static const char *const words[] = {
        "public",   "private", "protected", "internal", "static", "readonly", "new",    "abstract",
        "sealed",   "virtual", "override",  "partial",  "unsafe", "extern",   "async",  "volatile",
        "required", "ref",     "file",      "scoped",   "fixed",  "const",    "params", NULL};
    return is_word_of(w, i, words);
}

/* Words no expression has outside of brackets: it lacks its end, and a new declaration begins. */
static bool is_declaration(const struct walk *w)
{
    static const char *const words[] = {
        "public",    "private",  "protected", "internal", "abstract",  "virtual", "override",
        "sealed",    "readonly", "volatile",  "event",    "namespace", "class",   "struct",
        "interface", "enum",     "void",      "const",    NULL};
    return is_word_of(w, w->i, words);
}

static void wrong(struct walk *w, size_t at)
{
    if (at < w->fault)
        w->fault = at;
}

static void keep(struct walk *w)
{
    if (w->kept++ < KEPT_MAX) {
        csharp_scan_copy(&w->scan, w->i++, w->out);
    } else {
        wrong(w, w->scan.tokens[w->i].at);
        w->i = w->scan.count;
    }
}

static void keep_if(struct walk *w, bool wanted)
{
    if (wanted)
        keep(w);
    else
        w->i++;
}

/* At a brace: it and its partner stay, nothing between them does. instead, if not 0, stands for
 * what was there. */
static void skip_block(struct walk *w, char instead)
{
    size_t depth = 1;
    keep(w);
    if (w->i < w->scan.count && instead && !is(w, '}'))
        w->out[w->scan.tokens[w->i].at] = instead;
    for (; w->i < w->scan.count; w->i++) {
        depth += is(w, '{');
        depth -= is(w, '}');
        if (depth == 0) {
            keep(w);
            return;
        }
    }
    w->unclosed++;
}

/* At a '<': the token behind the list of type arguments that it begins; itself if it is less-than.
 * What may stand in such a list and behind it tells, as in C#. */
static size_t behind_type_arguments(const struct walk *w)
{
    size_t depth = 1, end = w->i + ARGUMENTS_MAX;
    for (size_t i = w->i + 1; i < w->scan.count && i < end; i++) {
        struct csharp_token t = w->scan.tokens[i];
        char c = w->scan.text.p[t.at];
        if (t.kind == CSHARP_TOKEN_WORD || (t.kind == CSHARP_TOKEN_SIGN && t.n == 2 && c == ':'))
            continue;
        if (t.kind != CSHARP_TOKEN_SIGN || t.n != 1 || !strchr("<>.,?[]()*", c))
            break;
        depth += c == '<';
        depth -= c == '>';
        if (depth > 0)
            continue;
        struct str next = i + 1 < w->scan.count ? csharp_scan_text(&w->scan, i + 1) : STR(";");
        return strchr("()[]{}:;,.?", next.p[0]) ? i + 1 : w->i;
    }
    return w->i;
}

/* Behind "=>": one 0 stands for the whole body. A block is that of a lambda. */
static void skip_expression(struct walk *w, bool to_comma)
{
    size_t first = w->i, nested = 0, braces = 0;
    if (is(w, '{')) {
        skip_block(w, 0);
        return;
    }
    while (w->i < w->scan.count) {
        if (nested == 0 && ((is(w, ',') && to_comma) || is_closing(w) || is_declaration(w)))
            break;
        if (braces == 0 && (is(w, ';') || is(w, '}')))
            break;
        size_t behind = is(w, '<') ? behind_type_arguments(w) : w->i;
        if (behind > w->i) {
            w->i = behind;
            continue;
        }
        nested += is_opening(w);
        nested -= is_closing(w) && nested > 0;
        braces += is(w, '{');
        braces -= is(w, '}');
        w->i++;
    }
    if (w->i > first)
        w->out[w->scan.tokens[first].at] = '0';
}

/* At the brace of an initializer: whether it is longer than anybody wants to know. */
static bool is_long(const struct walk *w)
{
    size_t from = w->scan.tokens[w->i].at, depth = 0;
    for (size_t i = w->i; i < w->scan.count; i++) {
        depth += csharp_scan_is(&w->scan, i, '{');
        depth -= csharp_scan_is(&w->scan, i, '}');
        if (w->scan.tokens[i].at - from > INITIALIZER_MAX)
            return true;
        if (depth == 0)
            return false;
    }
    return true;
}

/* Behind '=': up to and with the ';'. Braces that turn out to have no end are taken back. */
static void initializer(struct walk *w)
{
    size_t nested = 0, braces = 0, open[NESTED_MAX];
    bool is_delegate = false;
    while (w->i < w->scan.count && !is(w, ';')) {
        if ((is(w, '}') && braces == 0) || (nested == 0 && is_declaration(w)))
            break;
        if (csharp_scan_is_arrow(&w->scan, w->i)) {
            keep(w);
            skip_expression(w, true);
            continue;
        }
        if (is(w, '{') && (is_delegate || nested >= NESTED_MAX || (braces == 0 && is_long(w)))) {
            skip_block(w, is_delegate ? 0 : '_');
            is_delegate = false;
            continue;
        }
        is_delegate |= is_word(w, "delegate");
        if (is(w, '{'))
            open[braces++] = w->scan.tokens[w->i].at;
        nested += is_opening(w);
        bool is_shallow = nested <= NESTED_MAX;
        /* A ')' of nothing must not undo a brace: open[] has room for what nests. */
        nested -= is_closing(w) && (is(w, '}') || nested > braces);
        braces -= is(w, '}');
        keep_if(w, is_shallow);
    }
    while (braces > 0)
        w->out[open[--braces]] = ' ';
    if (is(w, ';'))
        keep(w);
}

/* At a '}': of the scope, or one too many. */
static void close_scope(struct walk *w)
{
    if (w->depth == 0) {
        wrong(w, w->scan.tokens[w->i++].at);
        return;
    }
    bool is_property = w->scopes[w->depth--] == SCOPE_ACCESSORS;
    keep(w);
    if (is_property && is(w, '=')) {
        keep(w);
        initializer(w);
    }
}

/* At the '{' behind a header. */
static void open_body(struct walk *w, const struct header *h)
{
    enum scope outer = w->scopes[w->depth], inner = SCOPE_ACCESSORS;
    if (h->is_namespace)
        inner = SCOPE_NAMESPACE;
    else if (h->is_enum)
        inner = SCOPE_ENUM;
    else if (h->is_type)
        inner = SCOPE_TYPE;
    bool is_code = inner == SCOPE_ACCESSORS && (h->is_call || !h->has_words || outer != SCOPE_TYPE);
    if (is_code || w->depth + 1 == SCOPES_MAX) {
        skip_block(w, 0);
        return;
    }
    keep(w);
    w->scopes[++w->depth] = inner;
}

/* A word outside of brackets, with what it says about the declaration. */
static void note_word(struct walk *w, struct header *h)
{
    static const char *const types[] = {"class", "struct", "interface", NULL};
    bool was_named = h->has_words;
    h->has_words |= !is_modifier(w, w->i);
    h->is_call |= is_word(w, "operator");
    if (h->is_beyond)
        return;
    bool is_next_word =
        w->i + 1 < w->scan.count && w->scan.tokens[w->i + 1].kind == CSHARP_TOKEN_WORD;
    h->is_type = is_word_of(w, w->i, types) || (is_word(w, "record") && !was_named && is_next_word);
    h->is_enum = is_word(w, "enum");
    h->is_namespace = is_word(w, "namespace");
    h->is_beyond = h->is_type || h->is_enum || h->is_namespace || is_word(w, "where");
}

static void note_token(struct walk *w, struct header *h, size_t start)
{
    bool is_name = false;
    if (h->nested == 0 && w->i > start) {
        bool is_plain = w->scan.tokens[w->i - 1].kind == CSHARP_TOKEN_WORD;
        is_name =
            (is_plain && !is_modifier(w, w->i - 1)) || csharp_scan_is(&w->scan, w->i - 1, '>');
    }
    if (h->nested == 0 && w->scan.tokens[w->i].kind == CSHARP_TOKEN_WORD)
        note_word(w, h);
    if (h->nested == 0 && is(w, ':'))
        h->is_beyond = true;
    if (is(w, '(') && is_name)
        h->is_call = h->is_beyond = true;
    h->nested += is_opening(w);
    bool is_shallow = h->nested <= NESTED_MAX;
    h->nested -= is_closing(w) && h->nested > 0;
    keep_if(w, is_shallow);
}

/* From one of its ends to the next: a ';', the brace that opens its body or closes its scope. */
static void declaration(struct walk *w)
{
    struct header h = {0};
    for (size_t start = w->i; w->i < w->scan.count;) {
        bool is_array = h.nested > 0 && csharp_scan_is(&w->scan, w->i - 1, ']');
        if (is(w, ';')) {
            keep(w);
            return;
        }
        if (is(w, '}')) {
            close_scope(w);
            return;
        }
        if (is(w, '{') && !is_array) {
            open_body(w, &h);
            return;
        }
        if (h.nested == 0 && is(w, '=')) {
            keep(w);
            initializer(w);
            return;
        }
        if (h.nested == 0 && csharp_scan_is_arrow(&w->scan, w->i)) {
            keep(w);
            skip_expression(w, false);
            if (is(w, ';'))
                keep(w);
            return;
        }
        if (is(w, '{'))
            skip_block(w, '_'); /* of an attribute's argument */
        else
            note_token(w, &h, start);
    }
}

static void enum_members(struct walk *w)
{
    size_t nested = 0;
    while (w->i < w->scan.count && !is(w, '}')) {
        if (is(w, '{')) {
            skip_block(w, '_');
            continue;
        }
        nested += is_opening(w);
        bool is_shallow = nested <= NESTED_MAX;
        nested -= is_closing(w) && nested > 0;
        keep_if(w, is_shallow);
    }
    if (is(w, '}'))
        close_scope(w);
}

void csharp_blanked_init(struct csharp_blanked *b, struct str text,
                         const struct csharp_options *options)
{
    *b = (struct csharp_blanked){.p = mem_alloc(text.n + SCOPES_MAX + 1), .n = text.n};
    for (size_t i = 0; i < text.n; i++)
        b->p[i] = text.p[i] == '\n' || text.p[i] == '\r' ? text.p[i] : ' ';
    b->p[text.n] = 0;
    if (text.n > CSHARP_MAX_BYTES)
        return;
    struct walk w = {.out = b->p, .fault = SIZE_MAX, .scopes = {SCOPE_NAMESPACE}};
    csharp_scan_init(&w.scan, text, options);
    while (w.i < w.scan.count) {
        if (w.scopes[w.depth] == SCOPE_ENUM)
            enum_members(&w);
        else
            declaration(&w);
    }
    b->closed = w.depth + w.unclosed;
    if (b->closed > 0)
        wrong(&w, text.n);
    wrong(&w, w.scan.fault);
    memset(b->p + text.n, '}', b->closed);
    b->p[text.n + b->closed] = 0;
    b->fault = w.fault;
    csharp_scan_done(&w.scan);
}

void csharp_blanked_done(struct csharp_blanked *b)
{
    free(b->p);
    *b = (struct csharp_blanked){0};
}

void csharp_blank(struct str text, const struct csharp_options *options, struct buf *out)
{
    struct csharp_blanked b;
    csharp_blanked_init(&b, text, options);
    buf_add(out, str_make(b.p, b.n));
    csharp_blanked_done(&b);
}
