#include "unity/csharp_blank.h"

#include <stdlib.h>

#include "base/mem.h"
#include "unity/csharp_scan.h"

/* Bytes of tokens that are kept. */
#define KEPT_MAX        (4u << 20) /* of a file */
#define PIECE_MIN       (1u << 10)
#define DECLARATION_MAX (8u << 10) /* of one declaration, and of all heads around it */
#define INITIALIZER_MAX (4u << 10)
#define STRING_MAX      (4u << 10)

#define NESTED_MAX    64  /* brackets in brackets */
#define ARGUMENTS_MAX 256 /* tokens of a list of type arguments */

enum scope {
    SCOPE_NAMESPACE, /* or the file itself */
    SCOPE_TYPE,
    SCOPE_ENUM,
    SCOPE_ACCESSORS /* of a property, an indexer, an event */
};

struct level {
    enum scope kind;
    struct csharp_span head; /* empty for the file itself */
    size_t kept;             /* of this head and those around it */
    size_t before;           /* kept when it began */
};

struct walk {
    struct csharp_scan scan;
    size_t i; /* next token */
    struct csharp_blanked *b;
    char *out;                              /* b->p */
    size_t kept;                            /* so far, */
    size_t piece_kept;                      /* at the start of this piece, */
    size_t declared;                        /* and of this declaration */
    struct level levels[CSHARP_SCOPES_MAX]; /* the first is the file itself */
    size_t depth;
    size_t unclosed; /* a body that never ended: 1 */
    bool heads_only;
};

/* What a declaration has shown before its body. */
struct header {
    size_t from;   /* offset */
    size_t kept;   /* before it */
    size_t start;  /* its first token */
    size_t nested; /* open parentheses and brackets */
    bool is_type, is_enum, is_namespace;
    bool is_directive; /* using, extern alias; or a delegate */
    bool is_call;      /* it has parameters: a method, a constructor, an operator */
    bool is_beyond;    /* behind the name, where keywords mean other things */
    bool has_words;    /* other than modifiers */
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
    if (text.n < 3 || text.n > 9)
        return false; /* as are all of the words that are asked for */
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
    if (at < w->b->fault)
        w->b->fault = at;
}

/* Where the next token stands, or the text ends. */
static size_t here(const struct walk *w)
{
    return w->i < w->scan.count ? w->scan.tokens[w->i].at : w->scan.text.n;
}

/* Blanks what was kept since then, up to the next token. A block without an end can only have been
 * in it. */
static void take_back(struct walk *w, size_t from, size_t kept)
{
    w->unclosed = 0;
    w->kept = kept;
    for (size_t i = from, to = here(w); i < to; i++)
        if (w->out[i] != '\n' && w->out[i] != '\r')
            w->out[i] = ' ';
}

static void keep(struct walk *w)
{
    struct csharp_token t = w->scan.tokens[w->i];
    if (w->declared > KEPT_MAX) {
        wrong(w, t.at);
        w->i = w->scan.count;
        return;
    }
    if (t.kind == CSHARP_TOKEN_STRING && t.n > STRING_MAX) {
        w->out[t.at] = '_';
        w->kept++;
    } else {
        if (w->kept - w->declared <= DECLARATION_MAX)
            csharp_scan_copy(&w->scan, w->i, w->out);
        w->kept += t.n; /* if it is too much it will be taken back */
    }
    w->i++;
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
    size_t from = here(w), kept = w->kept;
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
    if (w->kept - kept > INITIALIZER_MAX) {
        take_back(w, from, kept + 1);
        w->out[from] = '_';
    }
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
    bool is_property = w->levels[w->depth--].kind == SCOPE_ACCESSORS;
    keep(w);
    if (is_property && is(w, '=')) {
        keep(w);
        initializer(w);
    }
}

/* At the '{' behind a header. */
static void open_body(struct walk *w, const struct header *h)
{
    struct level *outer = &w->levels[w->depth], inner = {.kind = SCOPE_ACCESSORS};
    if (h->is_namespace)
        inner.kind = SCOPE_NAMESPACE;
    else if (h->is_enum)
        inner.kind = SCOPE_ENUM;
    else if (h->is_type)
        inner.kind = SCOPE_TYPE;
    bool is_code =
        inner.kind == SCOPE_ACCESSORS && (h->is_call || !h->has_words || outer->kind != SCOPE_TYPE);
    inner.kept = outer->kept + (w->kept - h->kept);
    bool is_deep = w->depth + 1 == CSHARP_SCOPES_MAX || inner.kept > DECLARATION_MAX;
    if (is_code || is_deep) {
        skip_block(w, 0);
        if (outer->kind == SCOPE_NAMESPACE || !is_code) {
            wrong(w, h->from);
            take_back(w, h->from, h->kept);
        }
        return;
    }
    if (w->heads_only && inner.kind != SCOPE_NAMESPACE) {
        skip_block(w, 0);
        return;
    }
    keep(w);
    inner.before = w->kept;
    inner.head = (struct csharp_span){h->from, here(w)};
    w->levels[++w->depth] = inner;
}

/* A word outside of brackets, with what it says about the declaration. */
static void note_word(struct walk *w, struct header *h)
{
    static const char *const types[] = {"class", "struct", "interface", NULL};
    static const char *const directives[] = {"using", "global", "alias", "delegate", NULL};
    bool was_named = h->has_words;
    h->has_words |= !is_modifier(w, w->i);
    h->is_call |= is_word(w, "operator");
    if (h->is_beyond)
        return;
    bool is_next_word =
        w->i + 1 < w->scan.count && w->scan.tokens[w->i + 1].kind == CSHARP_TOKEN_WORD;
    h->is_type = is_word_of(w, w->i, types) || (is_word(w, "record") && !was_named && is_next_word);
    h->is_directive |= is_word_of(w, w->i, directives);
    h->is_enum = is_word(w, "enum");
    h->is_namespace = is_word(w, "namespace");
    h->is_beyond = h->is_type || h->is_enum || h->is_namespace || is_word(w, "where");
}

static void note_token(struct walk *w, struct header *h)
{
    bool is_name = false;
    if (h->nested == 0 && w->i > h->start) {
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

/* One too long would cost more than it is worth. Whoever writes such a method does no harm. */
static bool is_too_long(struct walk *w, const struct header *h)
{
    if (w->kept - h->kept <= DECLARATION_MAX)
        return false;
    if (!h->is_call)
        wrong(w, h->from);
    take_back(w, h->from, h->kept);
    return true;
}

/* Statements outside of types: no script has them, and the parser is slow where they are wrong. */
static bool is_statement(struct walk *w, const struct header *h)
{
    bool is_known = h->is_type || h->is_enum || h->is_namespace || h->is_directive;
    bool is_empty = w->i == h->start || (!h->has_words && (is(w, '}') || w->i == w->scan.count));
    if (w->levels[w->depth].kind != SCOPE_NAMESPACE || is_known || is_empty)
        return false;
    wrong(w, h->from);
    take_back(w, h->from, h->kept);
    return true;
}

/* Behind the header: up to the end of the declaration, if that is before the end of its scope. */
static void finish(struct walk *w, const struct header *h)
{
    bool is_namespace = h->is_namespace && is(w, ';');
    if (is(w, '=')) {
        keep(w);
        initializer(w);
    } else if (csharp_scan_is_arrow(&w->scan, w->i)) {
        keep(w);
        skip_expression(w, false);
        if (is(w, ';'))
            keep(w);
    } else if (is(w, ';') && w->i > h->start) {
        keep(w);
    } else if (is(w, ';')) {
        /* Behind a body it is allowed, and means nothing. */
        if (w->i == 0 || !csharp_scan_is(&w->scan, w->i - 1, '}'))
            wrong(w, here(w));
        w->i++;
    }
    if (!is_too_long(w, h) && !is_statement(w, h) && is_namespace && w->depth == 0) {
        w->levels[0].head = (struct csharp_span){h->from, here(w)};
        w->levels[0].kept = w->kept - h->kept;
    }
}

/* From one of its ends to the next: a ';', the brace that opens its body or closes its scope. */
static void declaration(struct walk *w)
{
    struct header h = {.from = here(w), .kept = w->kept, .start = w->i};
    w->declared = w->kept;
    while (w->i < w->scan.count) {
        bool is_array = h.nested > 0 && csharp_scan_is(&w->scan, w->i - 1, ']');
        bool is_end = is(w, '=') || csharp_scan_is_arrow(&w->scan, w->i);
        if (is(w, ';') || is(w, '}') || (is_end && h.nested == 0))
            break;
        if (is(w, '{') && !is_array) {
            open_body(w, &h);
            return;
        }
        if (is(w, '{'))
            skip_block(w, '_'); /* of an attribute's argument */
        else
            note_token(w, &h);
    }
    finish(w, &h);
    if (w->i == h.start && is(w, '}'))
        close_scope(w);
}

/* One of them, with its comma, or the end of the enum. */
static void enum_member(struct walk *w)
{
    struct header h = {.from = here(w), .kept = w->kept, .start = w->i};
    w->declared = w->kept;
    while (w->i < w->scan.count && !is(w, '}') && !(is(w, ',') && h.nested == 0)) {
        if (is(w, '{')) {
            skip_block(w, '_');
            continue;
        }
        h.nested += is_opening(w);
        bool is_shallow = h.nested <= NESTED_MAX;
        h.nested -= is_closing(w) && h.nested > 0;
        keep_if(w, is_shallow);
    }
    if (is(w, ','))
        keep(w);
    is_too_long(w, &h);
    if (w->i == h.start && is(w, '}'))
        close_scope(w);
}

/* Accessors are not cut into pieces: what are too many of them is left out. */
static void skip_accessors(struct walk *w)
{
    wrong(w, here(w));
    for (size_t depth = 0; w->i < w->scan.count; w->i++) {
        if (is(w, '}') && depth == 0)
            return;
        depth += is(w, '{');
        depth -= is(w, '}');
    }
}

/* A piece begins here: those around it are to be said again. */
static void begin_piece(struct walk *w)
{
    struct csharp_blanked *b = w->b;
    struct csharp_piece piece = {.body.from = b->piece_count ? here(w) : 0,
                                 .first_head = b->head_count};
    for (size_t i = 0; i <= w->depth; i++) {
        struct csharp_span head = w->levels[i].head;
        if (head.to == head.from)
            continue;
        if (b->head_count == b->head_cap)
            mem_grow((void **)&b->heads, &b->head_cap, b->head_count + 1, sizeof *b->heads);
        b->heads[b->head_count++] = head;
    }
    piece.head_count = b->head_count - piece.first_head;
    piece.kept = w->levels[w->depth].kept;
    if (b->piece_count == b->piece_cap)
        mem_grow((void **)&b->pieces, &b->piece_cap, b->piece_count + 1, sizeof *b->pieces);
    b->pieces[b->piece_count++] = piece;
    w->piece_kept = w->kept;
}

static void end_piece(struct walk *w)
{
    struct csharp_piece *piece = &w->b->pieces[w->b->piece_count - 1];
    piece->body.to = here(w);
    piece->open = w->depth + w->unclosed;
    piece->kept += w->kept - w->piece_kept + piece->open;
}

/* Heads are not said more often than there is something to say. */
static bool is_piece(const struct walk *w)
{
    const struct level *level = &w->levels[w->depth];
    size_t least = level->kept > PIECE_MIN ? level->kept : PIECE_MIN;
    return w->i < w->scan.count && level->kind != SCOPE_ACCESSORS &&
           w->kept - w->piece_kept >= least;
}

void csharp_blank_init(struct csharp_blanked *b, struct str text,
                       const struct csharp_options *options)
{
    *b = (struct csharp_blanked){.p = mem_alloc(text.n + 1), .n = text.n};
    for (size_t i = 0; i < text.n; i++)
        b->p[i] = text.p[i] == '\n' || text.p[i] == '\r' ? text.p[i] : ' ';
    b->p[text.n] = 0;
    if (text.n > CSHARP_MAX_BYTES)
        return; /* with the fault at its beginning */
    struct walk w = {.b = b, .out = b->p, .heads_only = options != NULL && options->heads_only};
    csharp_scan_init(&w.scan, text, options);
    b->fault = w.scan.fault;
    begin_piece(&w);
    while (w.i < w.scan.count) {
        const struct level *level = &w.levels[w.depth];
        if (level->kind == SCOPE_ACCESSORS && w.kept - level->before > DECLARATION_MAX)
            skip_accessors(&w);
        if (level->kind == SCOPE_ENUM)
            enum_member(&w);
        else
            declaration(&w);
        if (is_piece(&w)) {
            end_piece(&w);
            begin_piece(&w);
        }
    }
    end_piece(&w);
    if (w.depth + w.unclosed > 0)
        wrong(&w, text.n);
    csharp_scan_done(&w.scan);
}

void csharp_blank_done(struct csharp_blanked *b)
{
    free(b->p);
    free(b->pieces);
    free(b->heads);
    *b = (struct csharp_blanked){0};
}

void csharp_blank_piece(const struct csharp_blanked *b, size_t i, struct buf *out)
{
    const struct csharp_piece *piece = &b->pieces[i];
    buf_clear(out);
    for (size_t k = 0; k < piece->head_count; k++) {
        struct csharp_span head = b->heads[piece->first_head + k];
        buf_add(out, str_make(b->p + head.from, head.to - head.from));
    }
    buf_add(out, str_make(b->p + piece->body.from, piece->body.to - piece->body.from));
    for (size_t k = 0; k < piece->open; k++)
        buf_add_char(out, '}');
}

size_t csharp_blank_offset(const struct csharp_blanked *b, size_t i, size_t at)
{
    const struct csharp_piece *piece = &b->pieces[i];
    for (size_t k = 0; k < piece->head_count; k++) {
        struct csharp_span head = b->heads[piece->first_head + k];
        if (at < head.to - head.from)
            return head.from + at;
        at -= head.to - head.from;
    }
    at += piece->body.from;
    return at < piece->body.to ? at : b->n;
}

void csharp_blank(struct str text, const struct csharp_options *options, struct buf *out)
{
    struct csharp_blanked b;
    csharp_blank_init(&b, text, options);
    buf_add(out, str_make(b.p, b.n));
    csharp_blank_done(&b);
}
