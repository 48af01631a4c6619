#include "unity/csharp.h"

#include <assert.h>
#include <stdlib.h>
#include <tree_sitter/api.h>

#include "base/mem.h"
#include "unity/csharp_blank.h"

/* csharp_blank.h limits the nesting of declarations; error nodes add to it. */
#define DEPTH_MAX 256

#define BROKEN_MAX (32u << 10) /* bytes of pieces with errors: parsing those is slow */

#define NO_TYPE SIZE_MAX

const TSLanguage *tree_sitter_c_sharp(void);

/* Grows on the heap, then moves into the arena. */
struct csharp_list {
    void *items;
    size_t count, cap;
};

struct csharp_reader {
    const struct csharp_blanked *b;
    struct arena *arena;
    size_t piece;    /* index of the piece that is read */
    struct str text; /* of the piece */
    size_t line_at;  /* lines are counted up to this offset of the file */
    unsigned line;
    struct csharp_list types;  /* struct csharp_type */
    struct csharp_list bodies; /* struct type_body, one per type */
    struct csharp_list usings; /* struct csharp_using */
};

/* The start of a declaration. */
struct declaration_head {
    unsigned modifiers;
    struct csharp_list attributes; /* struct csharp_attribute */
};

static bool enter_children(TSTreeCursor *c)
{
    return ts_tree_cursor_goto_first_child(c);
}

static bool next_child(TSTreeCursor *c)
{
    if (ts_tree_cursor_goto_next_sibling(c))
        return true;
    ts_tree_cursor_goto_parent(c);
    return false;
}

#define EACH_CHILD(c) for (bool more_ = enter_children(c); more_; more_ = next_child(c))

static bool node_is(TSNode node, const char *kind)
{
    return strcmp(ts_node_type(node), kind) == 0;
}

static bool is_field(const TSTreeCursor *c, const char *name)
{
    const char *field = ts_tree_cursor_current_field_name(c);
    return field && strcmp(field, name) == 0;
}

static TSNode node_child(TSNode node, const char *field)
{
    return ts_node_child_by_field_name(node, field, (uint32_t)strlen(field));
}

static void *add_item(struct csharp_list *l, size_t size)
{
    if (l->count == l->cap)
        mem_grow(&l->items, &l->cap, l->count + 1, size);
    void *item = (char *)l->items + l->count++ * size;
    memset(item, 0, size);
    return item;
}

/* Move the items into the arena. */
static void *move_items(struct csharp_list *l, size_t size, struct arena *arena)
{
    void *items = NULL;
    if (l->count > 0) {
        items = arena_alloc(arena, l->count * size);
        memcpy(items, l->items, l->count * size);
    }
    free(l->items);
    l->items = NULL;
    return items;
}

static struct str node_span(const struct csharp_reader *r, TSNode node)
{
    if (ts_node_is_null(node))
        return (struct str){0};
    size_t from = ts_node_start_byte(node), to = ts_node_end_byte(node);
    return str_trim(str_make(r->text.p + from, to - from));
}

static struct str copy_text(struct csharp_reader *r, TSNode node)
{
    return arena_str(r->arena, node_span(r, node));
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static struct str copy_compact(struct csharp_reader *r, TSNode node)
{
    struct str s = node_span(r, node);
    char *to = arena_alloc(r->arena, s.n + 1);
    size_t n = 0;
    bool blank = false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == ' ' || c == '\n' || c == '\r') {
            blank = true;
        } else if (c != '@') {
            if (blank && n > 0 && is_word(to[n - 1]) && is_word(c))
                to[n++] = ' '; /* never longer than the input */
            to[n++] = c;
            blank = false;
        }
    }
    to[n] = 0;
    return str_make(to, n);
}

static size_t node_offset(const struct csharp_reader *r, TSNode node)
{
    return csharp_blank_offset(r->b, r->piece, ts_node_start_byte(node));
}

static unsigned node_line(struct csharp_reader *r, TSNode node)
{
    const char *p = r->b->p; /* ends with a NUL */
    for (size_t to = node_offset(r, node); r->line_at < to; r->line_at++)
        r->line += p[r->line_at] == '\n' || (p[r->line_at] == '\r' && p[r->line_at + 1] != '\n');
    return r->line;
}

/* Read an attribute_list: [A, B(1)], [field: C]. */
static void read_attributes(struct csharp_reader *r, TSTreeCursor *c, struct declaration_head *head)
{
    struct str target = {0};
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (node_is(node, "attribute_target_specifier")) {
            target = copy_compact(r, node);
            target = str_head(target, str_find_char(target, ':'));
        } else if (node_is(node, "attribute")) {
            struct csharp_attribute *a = add_item(&head->attributes, sizeof *a);
            a->target = target;
            a->name = copy_compact(r, node_child(node, "name"));
            TSNode last = ts_node_named_child(node, ts_node_named_child_count(node) - 1);
            struct str list =
                node_is(last, "attribute_argument_list") ? node_span(r, last) : STR("");
            if (list.n > 2)
                a->arguments = arena_str(r->arena, str_trim(str_make(list.p + 1, list.n - 2)));
        }
    }
}

static unsigned modifier_flag(struct str word)
{
    static const struct {
        const char *word;
        unsigned flag;
    } modifiers[] = {
        {"public", CSHARP_PUBLIC},       {"private", CSHARP_PRIVATE},
        {"protected", CSHARP_PROTECTED}, {"internal", CSHARP_INTERNAL},
        {"static", CSHARP_STATIC},       {"const", CSHARP_CONST},
        {"readonly", CSHARP_READONLY},   {"abstract", CSHARP_ABSTRACT},
        {"sealed", CSHARP_SEALED},       {"partial", CSHARP_PARTIAL},
    };
    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers; i++)
        if (str_eq(word, str_from(modifiers[i].word)))
            return modifiers[i].flag;
    return 0;
}

static bool read_head_part(struct csharp_reader *r, TSTreeCursor *c, struct declaration_head *head)
{
    TSNode node = ts_tree_cursor_current_node(c);
    if (node_is(node, "attribute_list")) {
        read_attributes(r, c, head);
        return true;
    }
    if (node_is(node, "modifier")) {
        head->modifiers |= modifier_flag(node_span(r, node));
        return true;
    }
    return false;
}

/* Read a variable_declarator; f has the other properties of the field. */
static void read_declarator(struct csharp_reader *r, TSTreeCursor *c, struct csharp_field f,
                            struct csharp_list *fields)
{
    bool is_value = false;
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (is_field(c, "name")) {
            f.name = copy_compact(r, node);
            f.line = node_line(r, node);
        } else if (node_is(node, "bracketed_argument_list")) {
            struct str size = copy_compact(r, node); /* fixed int a[4] */
            f.type = arena_printf(r->arena, "%.*s%.*s", STR_ARG(f.type), STR_ARG(size));
        } else if (node_is(node, "=")) {
            is_value = true;
        } else if (is_value && ts_node_is_named(node)) {
            f.initializer = copy_text(r, node);
            is_value = false;
        }
    }
    if (!str_is_empty(f.name))
        *(struct csharp_field *)add_item(fields, sizeof f) = f;
}

/* Read a variable_declaration: one type, any number of fields. */
static void read_variables(struct csharp_reader *r, TSTreeCursor *c, struct csharp_field f,
                           struct csharp_list *fields)
{
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (is_field(c, "type"))
            f.type = copy_compact(r, node);
        else if (node_is(node, "variable_declarator"))
            read_declarator(r, c, f, fields);
    }
}

static void read_fields(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *fields)
{
    struct declaration_head head = {0};
    size_t first = fields->count;
    EACH_CHILD(c)
    {
        if (!read_head_part(r, c, &head) &&
            node_is(ts_tree_cursor_current_node(c), "variable_declaration"))
            read_variables(r, c, (struct csharp_field){0}, fields);
    }
    size_t attribute_count = head.attributes.count;
    struct csharp_attribute *attributes =
        move_items(&head.attributes, sizeof(struct csharp_attribute), r->arena);
    for (size_t i = first; i < fields->count; i++) {
        struct csharp_field *f = (struct csharp_field *)fields->items + i;
        f->modifiers = head.modifiers;
        f->attributes = attributes;
        f->attribute_count = attribute_count;
    }
}

/* Read an accessor_list: whether it belongs to an auto property, and whether it has a setter. */
static bool read_accessors(TSTreeCursor *c, bool *has_set)
{
    bool is_auto = false, has_body = false;
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (!node_is(node, "accessor_declaration"))
            continue;
        TSNode name = node_child(node, "name");
        is_auto |= !ts_node_is_null(name) && node_is(name, "get");
        *has_set |= !ts_node_is_null(name) && node_is(name, "set");
        has_body |= !ts_node_is_null(node_child(node, "body"));
    }
    return is_auto && !has_body;
}

static void read_property(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *fields)
{
    struct declaration_head head = {0};
    struct csharp_field f = {.is_property = true};
    bool is_auto = false, has_set = false, is_explicit = false;
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (read_head_part(r, c, &head))
            continue;
        if (is_field(c, "type")) {
            f.type = copy_compact(r, node);
        } else if (is_field(c, "name")) {
            f.name = copy_compact(r, node);
            f.line = node_line(r, node);
        } else if (is_field(c, "accessors")) {
            is_auto = read_accessors(c, &has_set);
        } else if (is_field(c, "value")) {
            f.initializer = copy_text(r, node);
        }
        is_explicit |= node_is(node, "explicit_interface_specifier");
    }
    f.attribute_count = head.attributes.count;
    f.attributes = move_items(&head.attributes, sizeof *f.attributes, r->arena);
    f.modifiers = head.modifiers | (has_set ? 0 : CSHARP_READONLY);
    bool has_field = is_auto && !(f.modifiers & (CSHARP_ABSTRACT | CSHARP_PARTIAL));
    if (has_field && !is_explicit && !str_is_empty(f.name))
        *(struct csharp_field *)add_item(fields, sizeof f) = f;
}

static void read_enum_member(struct csharp_reader *r, TSNode node, struct csharp_list *members)
{
    struct csharp_member m = {.name = copy_compact(r, node_child(node, "name"))};
    m.value = copy_text(r, node_child(node, "value"));
    if (!str_is_empty(m.name))
        *(struct csharp_member *)add_item(members, sizeof m) = m;
}

/* The members of a type. */
struct type_body {
    size_t at;                  /* offset of the type's name */
    size_t outer;               /* index of the enclosing type, or NO_TYPE */
    struct csharp_list fields;  /* struct csharp_field */
    struct csharp_list members; /* struct csharp_member */
};

/* Where a declaration is. */
struct declaration_place {
    struct str namespace_;
    size_t type; /* index, or NO_TYPE */
    unsigned depth;
};

static struct type_body *get_type_body(const struct csharp_reader *r,
                                       const struct declaration_place *at)
{
    return (struct type_body *)r->bodies.items + at->type;
}

static void read_using(struct csharp_reader *r, TSTreeCursor *c, const struct declaration_place *at)
{
    struct csharp_using u = {.scope = at->namespace_};
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (node_is(node, "static"))
            u.is_static = true;
        else if (node_is(node, "global"))
            u.is_global = true;
        else if (is_field(c, "name"))
            u.alias = copy_compact(r, node);
        else if (ts_node_is_named(node) && !node_is(node, "ERROR"))
            u.name = copy_compact(r, node);
    }
    if (!str_is_empty(u.name))
        *(struct csharp_using *)add_item(&r->usings, sizeof u) = u;
}

static void read_parameters(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *names)
{
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (node_is(node, "type_parameter"))
            *(struct str *)add_item(names, sizeof(struct str)) =
                copy_compact(r, node_child(node, "name"));
    }
}

static void read_bases(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *bases)
{
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (node_is(node, "primary_constructor_base_type"))
            node = node_child(node, "type");
        if (ts_node_is_named(node) && !node_is(node, "argument_list") && !node_is(node, "ERROR"))
            *(struct str *)add_item(bases, sizeof(struct str)) = copy_compact(r, node);
    }
}

static void read_declarations(struct csharp_reader *r, TSTreeCursor *c,
                              struct declaration_place at);

/* Return a type that an earlier piece started, or NO_TYPE. */
static size_t find_type(const struct csharp_reader *r, TSNode name)
{
    const struct type_body *bodies = r->bodies.items;
    size_t at = node_offset(r, name), low = 0, high = r->bodies.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bodies[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->bodies.count && bodies[low].at == at ? low : NO_TYPE;
}

/* Read a type up to its body. */
static void read_type_head(struct csharp_reader *r, TSTreeCursor *c, struct csharp_type *t)
{
    struct declaration_head head = {0};
    struct csharp_list parameters = {0}, bases = {0};
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (read_head_part(r, c, &head))
            continue;
        if (is_field(c, "name")) {
            t->name = copy_compact(r, node);
            t->line = node_line(r, node);
        } else if (node_is(node, "type_parameter_list")) {
            read_parameters(r, c, &parameters);
        } else if (node_is(node, "base_list")) {
            read_bases(r, c, &bases);
        } else if (node_is(node, "struct")) {
            t->kind = CSHARP_STRUCT; /* also for "record struct" */
        }
    }
    t->modifiers = head.modifiers;
    t->attribute_count = head.attributes.count;
    t->attributes = move_items(&head.attributes, sizeof *t->attributes, r->arena);
    t->parameter_count = parameters.count;
    t->parameters = move_items(&parameters, sizeof *t->parameters, r->arena);
    t->base_count = bases.count;
    t->bases = move_items(&bases, sizeof *t->bases, r->arena);
}

static void read_type(struct csharp_reader *r, TSTreeCursor *c, enum csharp_kind kind,
                      struct declaration_place at)
{
    TSNode node = ts_tree_cursor_current_node(c);
    TSNode name = node_child(node, "name");
    if (str_is_empty(copy_compact(r, name)))
        return;
    size_t index = find_type(r, name);
    if (index == NO_TYPE) {
        struct csharp_type t = {.kind = kind, .namespace_ = at.namespace_};
        read_type_head(r, c, &t);
        index = r->types.count;
        *(struct csharp_type *)add_item(&r->types, sizeof t) = t;
        *(struct type_body *)add_item(&r->bodies, sizeof(struct type_body)) =
            (struct type_body){.at = node_offset(r, node_child(node, "name")), .outer = at.type};
    }
    at.type = index;
    at.depth++;
    EACH_CHILD(c)
    {
        if (is_field(c, "body"))
            read_declarations(r, c, at);
    }
}

static struct str inner_namespace(struct csharp_reader *r, TSNode node, struct str outer)
{
    struct str name = copy_compact(r, node_child(node, "name"));
    if (str_is_empty(outer) || str_is_empty(name))
        return str_is_empty(name) ? outer : name;
    return arena_printf(r->arena, "%.*s.%.*s", STR_ARG(outer), STR_ARG(name));
}

static void read_namespace(struct csharp_reader *r, TSTreeCursor *c, struct declaration_place at)
{
    at.namespace_ = inner_namespace(r, ts_tree_cursor_current_node(c), at.namespace_);
    at.depth++;
    EACH_CHILD(c)
    {
        if (is_field(c, "body"))
            read_declarations(r, c, at);
    }
}

static bool type_kind(TSNode node, enum csharp_kind *kind)
{
    static const char *const kinds[] = {
        [CSHARP_CLASS] = "class_declaration",   [CSHARP_STRUCT] = "struct_declaration",
        [CSHARP_ENUM] = "enum_declaration",     [CSHARP_INTERFACE] = "interface_declaration",
        [CSHARP_RECORD] = "record_declaration",
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (node_is(node, kinds[i])) {
            *kind = (enum csharp_kind)i;
            return true;
        }
    }
    return false;
}

/* Read one declaration in the body of a type. */
static void read_member(struct csharp_reader *r, TSTreeCursor *c,
                        const struct declaration_place *at)
{
    TSNode node = ts_tree_cursor_current_node(c);
    const struct csharp_type *type = (const struct csharp_type *)r->types.items + at->type;
    if (node_is(node, "field_declaration"))
        read_fields(r, c, &get_type_body(r, at)->fields);
    else if (node_is(node, "property_declaration") && type->kind != CSHARP_INTERFACE)
        read_property(r, c, &get_type_body(r, at)->fields);
    else if (node_is(node, "enum_member_declaration"))
        read_enum_member(r, node, &get_type_body(r, at)->members);
}

/* Read all declarations below a node. */
static void read_declarations(struct csharp_reader *r, TSTreeCursor *c, struct declaration_place at)
{
    enum csharp_kind kind;
    if (at.depth > DEPTH_MAX)
        return;
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (!ts_node_is_named(node))
            continue;
        if (type_kind(node, &kind)) {
            read_type(r, c, kind, at);
        } else if (node_is(node, "using_directive")) {
            read_using(r, c, &at);
        } else if (node_is(node, "namespace_declaration")) {
            read_namespace(r, c, at);
        } else if (node_is(node, "file_scoped_namespace_declaration")) {
            at.namespace_ = inner_namespace(r, node, (struct str){0});
        } else if (node_is(node, "ERROR")) {
            struct declaration_place inside = at;
            inside.depth++;
            read_declarations(r, c, inside);
        } else if (at.type != NO_TYPE) {
            read_member(r, c, &at);
        }
    }
}

/* Return the offset of the first innermost node with an error. A missing token may be in a node
 * without children. */
static size_t find_error(TSNode root)
{
    if (!ts_node_has_error(root))
        return SIZE_MAX;
    TSTreeCursor c = ts_tree_cursor_new(root);
    TSNode bad = root;
    for (bool more = true; more;) {
        TSNode node = ts_tree_cursor_current_node(&c);
        if (ts_node_has_error(node)) {
            bad = node;
            more = !node_is(node, "ERROR") && ts_tree_cursor_goto_first_child(&c);
        } else {
            more = ts_tree_cursor_goto_next_sibling(&c);
        }
    }
    ts_tree_cursor_delete(&c);
    return ts_node_start_byte(bad);
}

/* Types point to their enclosing types, so fill that in after the last one was added. */
static void finish_file(struct csharp_reader *r, struct csharp_file *f)
{
    f->type_count = r->types.count;
    struct csharp_type *types = move_items(&r->types, sizeof *types, r->arena);
    struct type_body *bodies = r->bodies.items;
    for (size_t i = 0; i < f->type_count; i++) {
        types[i].outer = bodies[i].outer == NO_TYPE ? NULL : &types[bodies[i].outer];
        types[i].field_count = bodies[i].fields.count;
        types[i].fields = move_items(&bodies[i].fields, sizeof(struct csharp_field), r->arena);
        types[i].member_count = bodies[i].members.count;
        types[i].members = move_items(&bodies[i].members, sizeof(struct csharp_member), r->arena);
    }
    free(bodies);
    f->types = types;
    f->using_count = r->usings.count;
    f->usings = move_items(&r->usings, sizeof *f->usings, r->arena);
}

/* Return the offset of the first error, or SIZE_MAX. */
static size_t read_piece(struct csharp_reader *r, TSParser *parser, struct buf *text)
{
    csharp_blank_piece(r->b, r->piece, text);
    r->text = buf_str(text);
    TSTree *tree = ts_parser_parse_string(parser, NULL, text->p, (uint32_t)text->n);
    assert(tree); /* no time limit and no cancellation */
    TSNode root = ts_tree_root_node(tree);
    TSTreeCursor c = ts_tree_cursor_new(root);
    read_declarations(r, &c, (struct declaration_place){.type = NO_TYPE});
    ts_tree_cursor_delete(&c);
    size_t at = find_error(root);
    ts_tree_delete(tree);
    return at == SIZE_MAX ? at : csharp_blank_offset(r->b, r->piece, at);
}

static size_t read_pieces(struct csharp_file *f, const struct csharp_blanked *b)
{
    struct csharp_reader r = {.b = b, .arena = &f->arena, .line = 1};
    struct buf text = {0};
    size_t error_at = SIZE_MAX, broken = 0;
    TSParser *parser = ts_parser_new();
    bool ok = ts_parser_set_language(parser, tree_sitter_c_sharp());
    assert(ok);
    for (; r.piece < b->piece_count && broken < BROKEN_MAX; r.piece++) {
        assert(b->pieces[r.piece].kept < CSHARP_PIECE_MAX);
        size_t at = read_piece(&r, parser, &text);
        if (at != SIZE_MAX)
            broken += b->pieces[r.piece].kept;
        error_at = at < error_at ? at : error_at;
    }
    ts_parser_delete(parser);
    buf_done(&text);
    finish_file(&r, f);
    return error_at;
}

static struct csharp_error position_of(struct str text, size_t at)
{
    struct csharp_error f = {1, 1};
    at = at < text.n ? at : text.n;
    for (size_t i = 0; i < at; i++) {
        char c = text.p[i];
        bool is_crlf = c == '\r' && i + 1 < text.n && text.p[i + 1] == '\n';
        if ((c == '\n' || c == '\r') && !is_crlf) {
            f.line++;
            f.column = 1;
        } else {
            f.column += ((unsigned char)c & 0xc0) != 0x80; /* characters, not bytes */
        }
    }
    return f;
}

/* A file without bodies is mostly blanks, which are slow to parse. Positions are lost, but not
 * used. */
static void collapse_blanks(struct buf *text)
{
    size_t n = 0;
    for (size_t i = 0; i < text->n; i++) {
        bool is_blank = text->p[i] == ' ' || text->p[i] == '\n' || text->p[i] == '\r';
        if (!is_blank || n == 0 || text->p[n - 1] != ' ')
            text->p[n++] = is_blank ? ' ' : text->p[i];
    }
    text->n = n;
}

static struct csharp_file *read_heads(struct str text, const struct csharp_options *options)
{
    struct buf heads = {0};
    struct csharp_options all = *options;
    all.heads_only = false;
    csharp_blank(text, options, &heads);
    collapse_blanks(&heads);
    struct csharp_file *f = csharp_read(buf_str(&heads), &all, NULL);
    buf_done(&heads);
    return f;
}

struct csharp_file *csharp_read(struct str text, const struct csharp_options *options,
                                struct csharp_error *error)
{
    if (options != NULL && options->heads_only) {
        if (error)
            *error = (struct csharp_error){0};
        return read_heads(text, options);
    }
    struct csharp_file *f = mem_zalloc(sizeof *f);
    struct csharp_blanked b;
    csharp_blank_init(&b, text, options);
    size_t at = read_pieces(f, &b);
    at = at < b.error_at ? at : b.error_at;
    csharp_blank_done(&b);
    if (error)
        *error = at == SIZE_MAX ? (struct csharp_error){0} : position_of(text, at);
    return f;
}

void csharp_free(struct csharp_file *f)
{
    if (!f)
        return;
    arena_done(&f->arena);
    free(f);
}
