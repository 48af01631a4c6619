#include "unity/csharp_blank.h"

#include <stdlib.h>

#include "base/mem.h"
#include "unity/csharp_scan.h"

/* Limits of tokens, in bytes. */
#define KEPT_MAX        (4u << 20) /* per file */
#define PIECE_MIN       (1u << 10)
#define DECLARATION_MAX (8u << 10) /* per declaration, and for all heads around it */
#define INITIALIZER_MAX (4u << 10)
#define STRING_MAX      (4u << 10)

#define NESTED_MAX    64  /* nesting of brackets */
#define ARGUMENTS_MAX 256 /* tokens in a list of type arguments */

enum blank_scope {
    SCOPE_NAMESPACE, /* or the file itself */
    SCOPE_TYPE,
    SCOPE_ENUM,
    SCOPE_ACCESSORS /* of a property, an indexer or an event */
};

struct blank_level {
    enum blank_scope kind;
    struct csharp_span head; /* empty for the file itself */
    size_t kept;             /* bytes of this head and those around it */
    size_t before;           /* kept bytes at its start */
};

struct blank_walk {
    struct csharp_scan scan;
    size_t i; /* next token */
    struct csharp_blanked *b;
    char *out;                                    /* b->p */
    size_t kept;                                  /* bytes kept so far */
    size_t piece_kept;                            /* the same at the start of this piece */
    size_t declared;                              /* the same at the start of this declaration */
    struct blank_level levels[CSHARP_SCOPES_MAX]; /* [0] is the file itself */
    size_t depth;
    size_t unclosed; /* 1: a body without an end */
    bool heads_only;
};

/* Properties of a declaration that are known before its body. */
struct declaration_header {
    size_t from;   /* offset */
    size_t kept;   /* kept bytes before it */
    size_t start;  /* its first token */
    size_t nested; /* open parentheses and brackets */
    bool is_type, is_enum, is_namespace;
    bool is_directive; /* using, extern alias or delegate */
    bool is_call;      /* has parameters: a method, a constructor, an operator */
    bool is_beyond;    /* after the name, where keywords have other meanings */
    bool has_words;    /* other than modifiers */
};

static bool is_at(const struct blank_walk *w, char sign)
{
    return csharp_scan_is(&w->scan, w->i, sign);
}

static bool is_opening(const struct blank_walk *w)
{
    return is_at(w, '(') || is_at(w, '[') || is_at(w, '{');
}

static bool is_closing(const struct blank_walk *w)
{
    return is_at(w, ')') || is_at(w, ']') || is_at(w, '}');
}

static bool is_word_of(const struct blank_walk *w, size_t i, const char *const *words)
{
    if (i >= w->scan.count || w->scan.tokens[i].kind != CSHARP_TOKEN_WORD)
        return false;
    struct str text = csharp_scan_text(&w->scan, i);
    if (text.n < 3 || text.n > 9)
        return false; /* shorter or longer than all words in question */
    for (; *words; words++)
        if (str_eq(text, str_from(*words)))
            return true;
    return false;
}

static bool is_word(const struct blank_walk *w, const char *word)
{
    return is_word_of(w, w->i, (const char *const[]){word, NULL});
}

static bool is_modifier(const struct blank_walk *w, size_t i)
{
    static const char *const words[] = {
        "public",   "private", "protected", "internal", "static", "readonly", "new",    "abstract",
        "sealed",   "virtual", "override",  "partial",  "unsafe", "extern",   "async",  "volatile",
        "required", "ref",     "file",      "scoped",   "fixed",  "const",    "params", NULL};
    return is_word_of(w, i, words);
}

/* Words that no expression has outside of brackets: the expression has no end, and a declaration
 * starts. */
static bool is_declaration(const struct blank_walk *w)
{
    static const char *const words[] = {
        "public",    "private",  "protected", "internal", "abstract",  "virtual", "override",
        "sealed",    "readonly", "volatile",  "event",    "namespace", "class",   "struct",
        "interface", "enum",     "void",      "const",    NULL};
    return is_word_of(w, w->i, words);
}

static void report_error(struct blank_walk *w, size_t at)
{
    if (at < w->b->error_at)
        w->b->error_at = at;
}

/* The offset of the next token, or the end of the text. */
static size_t current_offset(const struct blank_walk *w)
{
    return w->i < w->scan.count ? w->scan.tokens[w->i].at : w->scan.text.n;
}

/* Blank everything since an offset, up to the next token. This also removes a block without an
 * end. */
static void blank_since(struct blank_walk *w, size_t from, size_t kept)
{
    w->unclosed = 0;
    w->kept = kept;
    for (size_t i = from, to = current_offset(w); i < to; i++)
        if (w->out[i] != '\n' && w->out[i] != '\r')
            w->out[i] = ' ';
}

static void keep_token(struct blank_walk *w)
{
    struct csharp_token t = w->scan.tokens[w->i];
    if (w->declared > KEPT_MAX) {
        report_error(w, t.at);
        w->i = w->scan.count;
        return;
    }
    if (t.kind == CSHARP_TOKEN_STRING && t.n > STRING_MAX) {
        w->out[t.at] = '_';
        w->kept++;
    } else {
        if (w->kept - w->declared <= DECLARATION_MAX)
            csharp_scan_copy(&w->scan, w->i, w->out);
        w->kept += t.n; /* if it is too much, it is blanked later */
    }
    w->i++;
}

static void keep_if(struct blank_walk *w, bool wanted)
{
    if (wanted)
        keep_token(w);
    else
        w->i++;
}

/* Keep the brace at the current token and its partner, and skip what is between them. instead, if
 * not 0, replaces that. */
static void skip_block(struct blank_walk *w, char instead)
{
    size_t depth = 1;
    keep_token(w);
    if (w->i < w->scan.count && instead && !is_at(w, '}'))
        w->out[w->scan.tokens[w->i].at] = instead;
    for (; w->i < w->scan.count; w->i++) {
        depth += is_at(w, '{');
        depth -= is_at(w, '}');
        if (depth == 0) {
            keep_token(w);
            return;
        }
    }
    w->unclosed++;
}

/* Return the token after the type arguments that start at this '<', or this token if it is
 * less-than. As in C#, the tokens inside and after the list decide. */
static size_t skip_type_arguments(const struct blank_walk *w)
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

/* Replace the expression after "=>" by one 0. A block is that of a lambda. */
static void skip_expression(struct blank_walk *w, bool to_comma)
{
    size_t first = w->i, nested = 0, braces = 0;
    if (is_at(w, '{')) {
        skip_block(w, 0);
        return;
    }
    while (w->i < w->scan.count) {
        if (nested == 0 && ((is_at(w, ',') && to_comma) || is_closing(w) || is_declaration(w)))
            break;
        if (braces == 0 && (is_at(w, ';') || is_at(w, '}')))
            break;
        size_t after = is_at(w, '<') ? skip_type_arguments(w) : w->i;
        if (after > w->i) {
            w->i = after;
            continue;
        }
        nested += is_opening(w);
        nested -= is_closing(w) && nested > 0;
        braces += is_at(w, '{');
        braces -= is_at(w, '}');
        w->i++;
    }
    if (w->i > first)
        w->out[w->scan.tokens[first].at] = '0';
}

/* Whether the initializer at this brace is too long. */
static bool is_long_initializer(const struct blank_walk *w)
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

/* Read an initializer, from after '=' up to its ';'. Braces without an end are removed. */
static void read_initializer(struct blank_walk *w)
{
    size_t nested = 0, braces = 0, open[NESTED_MAX];
    size_t from = current_offset(w), kept = w->kept;
    bool is_delegate = false;
    while (w->i < w->scan.count && !is_at(w, ';')) {
        if ((is_at(w, '}') && braces == 0) || (nested == 0 && is_declaration(w)))
            break;
        if (csharp_scan_is_arrow(&w->scan, w->i)) {
            keep_token(w);
            skip_expression(w, true);
            continue;
        }
        if (is_at(w, '{') &&
            (is_delegate || nested >= NESTED_MAX || (braces == 0 && is_long_initializer(w)))) {
            skip_block(w, is_delegate ? 0 : '_');
            is_delegate = false;
            continue;
        }
        is_delegate |= is_word(w, "delegate");
        if (is_at(w, '{'))
            open[braces++] = w->scan.tokens[w->i].at;
        nested += is_opening(w);
        bool is_shallow = nested <= NESTED_MAX;
        /* An unmatched ')' must not close a brace: open[] has room for the open brackets only. */
        nested -= is_closing(w) && (is_at(w, '}') || nested > braces);
        braces -= is_at(w, '}');
        keep_if(w, is_shallow);
    }
    while (braces > 0)
        w->out[open[--braces]] = ' ';
    if (w->kept - kept > INITIALIZER_MAX) {
        blank_since(w, from, kept + 1);
        w->out[from] = '_';
    }
    if (is_at(w, ';'))
        keep_token(w);
}

/* Close the scope at this '}', or report a surplus one. */
static void close_scope(struct blank_walk *w)
{
    if (w->depth == 0) {
        report_error(w, w->scan.tokens[w->i++].at);
        return;
    }
    bool is_property = w->levels[w->depth--].kind == SCOPE_ACCESSORS;
    keep_token(w);
    if (is_property && is_at(w, '=')) {
        keep_token(w);
        read_initializer(w);
    }
}

/* Read the '{' after a header. */
static void open_body(struct blank_walk *w, const struct declaration_header *h)
{
    struct blank_level *outer = &w->levels[w->depth], inner = {.kind = SCOPE_ACCESSORS};
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
            report_error(w, h->from);
            blank_since(w, h->from, h->kept);
        }
        return;
    }
    if (w->heads_only && inner.kind != SCOPE_NAMESPACE) {
        skip_block(w, 0);
        return;
    }
    keep_token(w);
    inner.before = w->kept;
    inner.head = (struct csharp_span){h->from, current_offset(w)};
    w->levels[++w->depth] = inner;
}

/* Classify a declaration by a word outside of brackets. */
static void classify_word(struct blank_walk *w, struct declaration_header *h)
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

static void classify_token(struct blank_walk *w, struct declaration_header *h)
{
    bool is_name = false;
    if (h->nested == 0 && w->i > h->start) {
        bool is_plain = w->scan.tokens[w->i - 1].kind == CSHARP_TOKEN_WORD;
        is_name =
            (is_plain && !is_modifier(w, w->i - 1)) || csharp_scan_is(&w->scan, w->i - 1, '>');
    }
    if (h->nested == 0 && w->scan.tokens[w->i].kind == CSHARP_TOKEN_WORD)
        classify_word(w, h);
    if (h->nested == 0 && is_at(w, ':'))
        h->is_beyond = true;
    if (is_at(w, '(') && is_name)
        h->is_call = h->is_beyond = true;
    h->nested += is_opening(w);
    bool is_shallow = h->nested <= NESTED_MAX;
    h->nested -= is_closing(w) && h->nested > 0;
    keep_if(w, is_shallow);
}

/* Drop an overlong declaration. For a method this is not an error. */
static bool is_too_long(struct blank_walk *w, const struct declaration_header *h)
{
    if (w->kept - h->kept <= DECLARATION_MAX)
        return false;
    if (!h->is_call)
        report_error(w, h->from);
    blank_since(w, h->from, h->kept);
    return true;
}

/* Drop statements outside of types: scripts have none, and errors in them slow down the parser. */
static bool is_statement(struct blank_walk *w, const struct declaration_header *h)
{
    bool is_known = h->is_type || h->is_enum || h->is_namespace || h->is_directive;
    bool is_empty = w->i == h->start || (!h->has_words && (is_at(w, '}') || w->i == w->scan.count));
    if (w->levels[w->depth].kind != SCOPE_NAMESPACE || is_known || is_empty)
        return false;
    report_error(w, h->from);
    blank_since(w, h->from, h->kept);
    return true;
}

/* Read the rest of a declaration after its header, up to the end of its scope. */
static void finish_declaration(struct blank_walk *w, const struct declaration_header *h)
{
    bool is_namespace = h->is_namespace && is_at(w, ';');
    if (is_at(w, '=')) {
        keep_token(w);
        read_initializer(w);
    } else if (csharp_scan_is_arrow(&w->scan, w->i)) {
        keep_token(w);
        skip_expression(w, false);
        if (is_at(w, ';'))
            keep_token(w);
    } else if (is_at(w, ';') && w->i > h->start) {
        keep_token(w);
    } else if (is_at(w, ';')) {
        /* After a body it is allowed and has no meaning. */
        if (w->i == 0 || !csharp_scan_is(&w->scan, w->i - 1, '}'))
            report_error(w, current_offset(w));
        w->i++;
    }
    if (!is_too_long(w, h) && !is_statement(w, h) && is_namespace && w->depth == 0) {
        w->levels[0].head = (struct csharp_span){h->from, current_offset(w)};
        w->levels[0].kept = w->kept - h->kept;
    }
}

/* Read a declaration up to a ';', the brace that opens its body, or the one that closes its
 * scope. */
static void read_declaration(struct blank_walk *w)
{
    struct declaration_header h = {.from = current_offset(w), .kept = w->kept, .start = w->i};
    w->declared = w->kept;
    while (w->i < w->scan.count) {
        bool is_array = h.nested > 0 && csharp_scan_is(&w->scan, w->i - 1, ']');
        bool is_end = is_at(w, '=') || csharp_scan_is_arrow(&w->scan, w->i);
        if (is_at(w, ';') || is_at(w, '}') || (is_end && h.nested == 0))
            break;
        if (is_at(w, '{') && !is_array) {
            open_body(w, &h);
            return;
        }
        if (is_at(w, '{'))
            skip_block(w, '_'); /* of an argument of an attribute */
        else
            classify_token(w, &h);
    }
    finish_declaration(w, &h);
    if (w->i == h.start && is_at(w, '}'))
        close_scope(w);
}

/* Read a member with its comma, or the end of the enum. */
static void read_enum_member(struct blank_walk *w)
{
    struct declaration_header h = {.from = current_offset(w), .kept = w->kept, .start = w->i};
    w->declared = w->kept;
    while (w->i < w->scan.count && !is_at(w, '}') && !(is_at(w, ',') && h.nested == 0)) {
        if (is_at(w, '{')) {
            skip_block(w, '_');
            continue;
        }
        h.nested += is_opening(w);
        bool is_shallow = h.nested <= NESTED_MAX;
        h.nested -= is_closing(w) && h.nested > 0;
        keep_if(w, is_shallow);
    }
    if (is_at(w, ','))
        keep_token(w);
    is_too_long(w, &h);
    if (w->i == h.start && is_at(w, '}'))
        close_scope(w);
}

/* Accessors cannot be split into pieces, so leave out surplus ones. */
static void skip_accessors(struct blank_walk *w)
{
    report_error(w, current_offset(w));
    for (size_t depth = 0; w->i < w->scan.count; w->i++) {
        if (is_at(w, '}') && depth == 0)
            return;
        depth += is_at(w, '{');
        depth -= is_at(w, '}');
    }
}

/* Start a piece here, with the heads around it. */
static void begin_piece(struct blank_walk *w)
{
    struct csharp_blanked *b = w->b;
    struct csharp_piece piece = {.body.from = b->piece_count ? current_offset(w) : 0,
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

static void end_piece(struct blank_walk *w)
{
    struct csharp_piece *piece = &w->b->pieces[w->b->piece_count - 1];
    piece->body.to = current_offset(w);
    piece->open = w->depth + w->unclosed;
    piece->kept += w->kept - w->piece_kept + piece->open;
}

/* A piece must be larger than the heads it repeats. */
static bool is_piece(const struct blank_walk *w)
{
    const struct blank_level *level = &w->levels[w->depth];
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
        return; /* error_at is 0 */
    struct blank_walk w = {
        .b = b, .out = b->p, .heads_only = options != NULL && options->heads_only};
    csharp_scan_init(&w.scan, text, options);
    b->error_at = w.scan.error_at;
    begin_piece(&w);
    while (w.i < w.scan.count) {
        const struct blank_level *level = &w.levels[w.depth];
        if (level->kind == SCOPE_ACCESSORS && w.kept - level->before > DECLARATION_MAX)
            skip_accessors(&w);
        if (level->kind == SCOPE_ENUM)
            read_enum_member(&w);
        else
            read_declaration(&w);
        if (is_piece(&w)) {
            end_piece(&w);
            begin_piece(&w);
        }
    }
    end_piece(&w);
    if (w.depth + w.unclosed > 0)
        report_error(&w, text.n);
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
