#include "unity/csharp_tree.h"

#include <assert.h>
#include <stdlib.h>
#include <tree_sitter/api.h>

#include "base/mem.h"
#include "unity/csharp_blank.h"

/* Declarations nest less deep, by csharp_blank.h; nodes of errors are between them. */
#define DEPTH_MAX 256

#define BROKEN_MAX (128u << 10) /* bytes of pieces with errors: those take the parser long */

#define NO_TYPE SIZE_MAX

const TSLanguage *tree_sitter_c_sharp(void);

struct list {
    void *items;
    size_t count, cap;
};

/* What stands in the body of a type. */
struct body {
    size_t at;           /* offset of the type's name */
    size_t outer;        /* index of the type around it, or NO_TYPE */
    struct list fields;  /* struct csharp_field */
    struct list members; /* struct csharp_member */
};

struct reader {
    const struct csharp_blanked *b;
    struct arena *arena;
    size_t piece;    /* of b: the one that is read */
    struct str text; /* of it */
    size_t line_at;  /* lines are counted up to this offset of the whole text: */
    unsigned line;
    struct list types;  /* struct csharp_type */
    struct list bodies; /* struct body, one for each */
    struct list usings; /* struct csharp_using */
};

/* What a declaration begins with. */
struct head {
    unsigned modifiers;
    struct list attributes; /* struct csharp_attribute */
};

/* Where a declaration stands. */
struct place {
    struct str namespace_;
    size_t type; /* index, or NO_TYPE */
    unsigned depth;
};

#define EACH_CHILD(c) for (bool more_ = go_down(c); more_; more_ = go_on(c))

static bool go_down(TSTreeCursor *c)
{
    return ts_tree_cursor_goto_first_child(c);
}

static bool go_on(TSTreeCursor *c)
{
    if (ts_tree_cursor_goto_next_sibling(c))
        return true;
    ts_tree_cursor_goto_parent(c);
    return false;
}

static bool is(TSNode node, const char *kind)
{
    return strcmp(ts_node_type(node), kind) == 0;
}

static bool cursor_is(const TSTreeCursor *c, const char *kind)
{
    return is(ts_tree_cursor_current_node(c), kind);
}

static bool is_field(const TSTreeCursor *c, const char *name)
{
    const char *field = ts_tree_cursor_current_field_name(c);
    return field && strcmp(field, name) == 0;
}

static TSNode child(TSNode node, const char *field)
{
    return ts_node_child_by_field_name(node, field, (uint32_t)strlen(field));
}

static void *add(struct list *l, size_t size)
{
    if (l->count == l->cap)
        mem_grow(&l->items, &l->cap, l->count + 1, size);
    void *item = (char *)l->items + l->count++ * size;
    memset(item, 0, size);
    return item;
}

/* Moves the items into the arena. */
static void *settle(struct reader *r, struct list *l, size_t size)
{
    void *items = NULL;
    if (l->count > 0) {
        items = arena_alloc(r->arena, l->count * size);
        memcpy(items, l->items, l->count * size);
    }
    free(l->items);
    l->items = NULL;
    return items;
}

static struct str span(const struct reader *r, TSNode node)
{
    if (ts_node_is_null(node))
        return (struct str){0};
    size_t from = ts_node_start_byte(node), to = ts_node_end_byte(node);
    return str_trim(str_make(r->text.p + from, to - from));
}

static struct str text_of(struct reader *r, TSNode node)
{
    return arena_str(r->arena, span(r, node));
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

/* A name or a type, without the blanks and line ends in it, and without the @ that lets a keyword
 * be a name. */
static struct str compact(struct reader *r, TSNode node)
{
    struct str s = span(r, node);
    char *to = arena_alloc(r->arena, s.n + 1);
    size_t n = 0;
    bool blank = false;
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c == ' ' || c == '\n' || c == '\r') {
            blank = true;
        } else if (c != '@') {
            if (blank && n > 0 && is_word(to[n - 1]) && is_word(c))
                to[n++] = ' '; /* never more than there were */
            to[n++] = c;
            blank = false;
        }
    }
    to[n] = 0;
    return str_make(to, n);
}

static size_t offset_of(const struct reader *r, TSNode node)
{
    return csharp_blanked_offset(r->b, r->piece, ts_node_start_byte(node));
}

/* Asked for in the order of the text. */
static unsigned line_of(struct reader *r, TSNode node)
{
    const char *p = r->b->p; /* with a NUL at its end */
    for (size_t to = offset_of(r, node); r->line_at < to; r->line_at++)
        r->line += p[r->line_at] == '\n' || (p[r->line_at] == '\r' && p[r->line_at + 1] != '\n');
    return r->line;
}

static struct body *body_of(const struct reader *r, const struct place *at)
{
    return (struct body *)r->bodies.items + at->type;
}

/* At an attribute_list: [A, B(1)], [field: C]. */
static void read_attributes(struct reader *r, TSTreeCursor *c, struct head *head)
{
    struct str target = {0};
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (is(node, "attribute_target_specifier")) {
            target = compact(r, node);
            target = str_head(target, str_find_char(target, ':'));
        } else if (is(node, "attribute")) {
            struct csharp_attribute *a = add(&head->attributes, sizeof *a);
            a->target = target;
            a->name = compact(r, child(node, "name"));
            TSNode last = ts_node_named_child(node, ts_node_named_child_count(node) - 1);
            struct str list = is(last, "attribute_argument_list") ? span(r, last) : STR("");
            if (list.n > 2)
                a->arguments = arena_str(r->arena, str_trim(str_make(list.p + 1, list.n - 2)));
        }
    }
}

static unsigned modifier(struct str word)
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

/* At a child of a declaration: whether it was a part of its head. */
static bool read_head(struct reader *r, TSTreeCursor *c, struct head *head)
{
    TSNode node = ts_tree_cursor_current_node(c);
    if (is(node, "attribute_list")) {
        read_attributes(r, c, head);
        return true;
    }
    if (is(node, "modifier")) {
        head->modifiers |= modifier(span(r, node));
        return true;
    }
    return false;
}

static void read_using(struct reader *r, TSTreeCursor *c, const struct place *at)
{
    struct csharp_using u = {.scope = at->namespace_};
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (is(node, "static"))
            u.is_static = true;
        else if (is(node, "global"))
            u.is_global = true;
        else if (is_field(c, "name"))
            u.alias = compact(r, node);
        else if (ts_node_is_named(node) && !is(node, "ERROR"))
            u.name = compact(r, node);
    }
    if (!str_is_empty(u.name))
        *(struct csharp_using *)add(&r->usings, sizeof u) = u;
}

/* At a variable_declarator of the field that is given but for this. */
static void read_declarator(struct reader *r, TSTreeCursor *c, struct csharp_field f,
                            struct list *fields)
{
    bool is_value = false;
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (is_field(c, "name")) {
            f.name = compact(r, node);
            f.line = line_of(r, node);
        } else if (is(node, "bracketed_argument_list")) {
            struct str size = compact(r, node); /* fixed int a[4] */
            f.type = arena_printf(r->arena, "%.*s%.*s", STR_ARG(f.type), STR_ARG(size));
        } else if (is(node, "=")) {
            is_value = true;
        } else if (is_value && ts_node_is_named(node)) {
            f.initializer = text_of(r, node);
            is_value = false;
        }
    }
    if (!str_is_empty(f.name))
        *(struct csharp_field *)add(fields, sizeof f) = f;
}

/* At a variable_declaration: one type, any number of fields. */
static void read_variables(struct reader *r, TSTreeCursor *c, struct csharp_field f,
                           struct list *fields)
{
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (is_field(c, "type"))
            f.type = compact(r, node);
        else if (is(node, "variable_declarator"))
            read_declarator(r, c, f, fields);
    }
}

static void read_fields(struct reader *r, TSTreeCursor *c, struct list *fields)
{
    struct head head = {0};
    size_t first = fields->count;
    EACH_CHILD(c)
    {
        if (!read_head(r, c, &head) && cursor_is(c, "variable_declaration"))
            read_variables(r, c, (struct csharp_field){0}, fields);
    }
    size_t attribute_count = head.attributes.count;
    struct csharp_attribute *attributes =
        settle(r, &head.attributes, sizeof(struct csharp_attribute));
    for (size_t i = first; i < fields->count; i++) {
        struct csharp_field *f = (struct csharp_field *)fields->items + i;
        f->modifiers = head.modifiers;
        f->attributes = attributes;
        f->attribute_count = attribute_count;
    }
}

/* At an accessor_list: whether it is that of an auto property, and whether that can be set. */
static bool read_accessors(TSTreeCursor *c, bool *has_set)
{
    bool is_auto = false, has_body = false;
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (!is(node, "accessor_declaration"))
            continue;
        TSNode name = child(node, "name");
        is_auto |= !ts_node_is_null(name) && is(name, "get");
        *has_set |= !ts_node_is_null(name) && is(name, "set");
        has_body |= !ts_node_is_null(child(node, "body"));
    }
    return is_auto && !has_body;
}

static void read_property(struct reader *r, TSTreeCursor *c, struct list *fields)
{
    struct head head = {0};
    struct csharp_field f = {.is_property = true};
    bool is_auto = false, has_set = false, is_explicit = false;
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (read_head(r, c, &head))
            continue;
        if (is_field(c, "type")) {
            f.type = compact(r, node);
        } else if (is_field(c, "name")) {
            f.name = compact(r, node);
            f.line = line_of(r, node);
        } else if (is_field(c, "accessors")) {
            is_auto = read_accessors(c, &has_set);
        } else if (is_field(c, "value")) {
            f.initializer = text_of(r, node);
        }
        is_explicit |= is(node, "explicit_interface_specifier");
    }
    f.attribute_count = head.attributes.count;
    f.attributes = settle(r, &head.attributes, sizeof *f.attributes);
    f.modifiers = head.modifiers | (has_set ? 0 : CSHARP_READONLY);
    bool has_field = is_auto && !(f.modifiers & (CSHARP_ABSTRACT | CSHARP_PARTIAL));
    if (has_field && !is_explicit && !str_is_empty(f.name))
        *(struct csharp_field *)add(fields, sizeof f) = f;
}

static void read_member(struct reader *r, TSNode node, struct list *members)
{
    struct csharp_member m = {.name = compact(r, child(node, "name"))};
    m.value = text_of(r, child(node, "value"));
    if (!str_is_empty(m.name))
        *(struct csharp_member *)add(members, sizeof m) = m;
}

/* At a type_parameter_list. */
static void read_parameters(struct reader *r, TSTreeCursor *c, struct list *names)
{
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (is(node, "type_parameter"))
            *(struct str *)add(names, sizeof(struct str)) = compact(r, child(node, "name"));
    }
}

/* At a base_list. */
static void read_bases(struct reader *r, TSTreeCursor *c, struct list *bases)
{
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (is(node, "primary_constructor_base_type"))
            node = child(node, "type");
        if (ts_node_is_named(node) && !is(node, "argument_list") && !is(node, "ERROR"))
            *(struct str *)add(bases, sizeof(struct str)) = compact(r, node);
    }
}

static void read_declarations(struct reader *r, TSTreeCursor *c, struct place at);

/* A type that an earlier piece has begun; NO_TYPE: there is none. */
static size_t find_type(const struct reader *r, TSNode node)
{
    const struct body *bodies = r->bodies.items;
    size_t at = offset_of(r, child(node, "name")), low = 0, high = r->bodies.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (bodies[middle].at < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->bodies.count && bodies[low].at == at ? low : NO_TYPE;
}

/* At the head of a type; its body comes later. */
static void read_type_head(struct reader *r, TSTreeCursor *c, struct csharp_type *t)
{
    struct head head = {0};
    struct list parameters = {0}, bases = {0};
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (read_head(r, c, &head))
            continue;
        if (is_field(c, "name")) {
            t->name = compact(r, node);
            t->line = line_of(r, node);
        } else if (is(node, "type_parameter_list")) {
            read_parameters(r, c, &parameters);
        } else if (is(node, "base_list")) {
            read_bases(r, c, &bases);
        } else if (is(node, "struct")) {
            t->kind = CSHARP_STRUCT; /* also a "record struct" */
        }
    }
    t->modifiers = head.modifiers;
    t->attribute_count = head.attributes.count;
    t->attributes = settle(r, &head.attributes, sizeof *t->attributes);
    t->parameter_count = parameters.count;
    t->parameters = settle(r, &parameters, sizeof *t->parameters);
    t->base_count = bases.count;
    t->bases = settle(r, &bases, sizeof *t->bases);
}

/* At a declaration of a type. */
static void read_type(struct reader *r, TSTreeCursor *c, enum csharp_kind kind, struct place at)
{
    TSNode node = ts_tree_cursor_current_node(c);
    if (ts_node_is_null(child(node, "name")))
        return;
    size_t index = find_type(r, node);
    if (index == NO_TYPE) {
        struct csharp_type t = {.kind = kind, .namespace_ = at.namespace_};
        read_type_head(r, c, &t);
        index = r->types.count;
        *(struct csharp_type *)add(&r->types, sizeof t) = t;
        *(struct body *)add(&r->bodies, sizeof(struct body)) =
            (struct body){.at = offset_of(r, child(node, "name")), .outer = at.type};
    }
    at.type = index;
    at.depth++;
    EACH_CHILD(c)
    {
        if (is_field(c, "body"))
            read_declarations(r, c, at);
    }
}

static struct str inner_namespace(struct reader *r, TSNode node, struct str outer)
{
    struct str name = compact(r, child(node, "name"));
    if (str_is_empty(outer) || str_is_empty(name))
        return str_is_empty(name) ? outer : name;
    return arena_printf(r->arena, "%.*s.%.*s", STR_ARG(outer), STR_ARG(name));
}

/* At a namespace_declaration. */
static void read_namespace(struct reader *r, TSTreeCursor *c, struct place at)
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
        if (is(node, kinds[i])) {
            *kind = (enum csharp_kind)i;
            return true;
        }
    }
    return false;
}

/* At one declaration in the body of a type. */
static void read_in_type(struct reader *r, TSTreeCursor *c, const struct place *at)
{
    TSNode node = ts_tree_cursor_current_node(c);
    const struct csharp_type *type = (const struct csharp_type *)r->types.items + at->type;
    if (is(node, "field_declaration"))
        read_fields(r, c, &body_of(r, at)->fields);
    else if (is(node, "property_declaration") && type->kind != CSHARP_INTERFACE)
        read_property(r, c, &body_of(r, at)->fields);
    else if (is(node, "enum_member_declaration"))
        read_member(r, node, &body_of(r, at)->members);
}

/* At a node that has declarations as its children. */
static void read_declarations(struct reader *r, TSTreeCursor *c, struct place at)
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
        } else if (is(node, "using_directive")) {
            read_using(r, c, &at);
        } else if (is(node, "namespace_declaration")) {
            read_namespace(r, c, at);
        } else if (is(node, "file_scoped_namespace_declaration")) {
            at.namespace_ = inner_namespace(r, node, (struct str){0});
        } else if (is(node, "ERROR")) {
            struct place inside = at;
            inside.depth++;
            read_declarations(r, c, inside);
        } else if (at.type != NO_TYPE) {
            read_in_type(r, c, &at);
        }
    }
}

static size_t find_fault(TSNode root)
{
    size_t fault = SIZE_MAX;
    if (!ts_node_has_error(root))
        return fault;
    TSTreeCursor c = ts_tree_cursor_new(root);
    for (bool more = true; more;) {
        TSNode node = ts_tree_cursor_current_node(&c);
        if (is(node, "ERROR") || ts_node_is_missing(node)) {
            fault = ts_node_start_byte(node);
            break;
        }
        if (ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&c))
            continue;
        more = ts_tree_cursor_goto_next_sibling(&c);
    }
    ts_tree_cursor_delete(&c);
    return fault;
}

/* Types know the ones around them once none of them moves any more. */
static void finish(struct reader *r, struct csharp_file *f)
{
    f->type_count = r->types.count;
    struct csharp_type *types = settle(r, &r->types, sizeof *types);
    struct body *bodies = r->bodies.items;
    for (size_t i = 0; i < f->type_count; i++) {
        types[i].outer = bodies[i].outer == NO_TYPE ? NULL : &types[bodies[i].outer];
        types[i].field_count = bodies[i].fields.count;
        types[i].fields = settle(r, &bodies[i].fields, sizeof(struct csharp_field));
        types[i].member_count = bodies[i].members.count;
        types[i].members = settle(r, &bodies[i].members, sizeof(struct csharp_member));
    }
    free(bodies);
    f->types = types;
    f->using_count = r->usings.count;
    f->usings = settle(r, &r->usings, sizeof *f->usings);
}

/* Answers where the first error of the piece is. */
static size_t read_piece(struct reader *r, TSParser *parser, struct buf *text)
{
    csharp_blanked_piece(r->b, r->piece, text);
    r->text = buf_str(text);
    TSTree *tree = ts_parser_parse_string(parser, NULL, text->p, (uint32_t)text->n);
    assert(tree); /* there is no limit in time, and nobody cancels */
    TSNode root = ts_tree_root_node(tree);
    TSTreeCursor c = ts_tree_cursor_new(root);
    read_declarations(r, &c, (struct place){.type = NO_TYPE});
    ts_tree_cursor_delete(&c);
    size_t at = find_fault(root);
    ts_tree_delete(tree);
    return at == SIZE_MAX ? at : csharp_blanked_offset(r->b, r->piece, at);
}

size_t csharp_tree_read(struct csharp_file *f, const struct csharp_blanked *b)
{
    struct reader r = {.b = b, .arena = &f->arena, .line = 1};
    struct buf text = {0};
    size_t fault = SIZE_MAX, broken = 0;
    TSParser *parser = ts_parser_new();
    bool ok = ts_parser_set_language(parser, tree_sitter_c_sharp());
    assert(ok);
    for (; r.piece < b->piece_count && broken < BROKEN_MAX; r.piece++) {
        assert(b->pieces[r.piece].kept < CSHARP_PIECE_MAX);
        size_t at = read_piece(&r, parser, &text);
        if (at != SIZE_MAX)
            broken += b->pieces[r.piece].kept;
        fault = at < fault ? at : fault;
    }
    ts_parser_delete(parser);
    buf_done(&text);
    finish(&r, f);
    return fault;
}
