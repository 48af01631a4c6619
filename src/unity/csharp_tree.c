#include "unity/csharp_tree.h"

#include <assert.h>
#include <stdlib.h>

#include "unity/csharp_member.h"

/* Declarations nest less deep, by csharp_blank.h; nodes of errors are between them. */
#define DEPTH_MAX 256

#define BROKEN_MAX (32u << 10) /* bytes of pieces with errors: those take the parser long */

#define NO_TYPE SIZE_MAX

const TSLanguage *tree_sitter_c_sharp(void);

/* What stands in the body of a type. */
struct body {
    size_t at;                  /* offset of the type's name */
    size_t outer;               /* index of the type around it, or NO_TYPE */
    struct csharp_list fields;  /* struct csharp_field */
    struct csharp_list members; /* struct csharp_member */
};

/* Where a declaration stands. */
struct place {
    struct str namespace_;
    size_t type; /* index, or NO_TYPE */
    unsigned depth;
};

static struct body *body_of(const struct csharp_reader *r, const struct place *at)
{
    return (struct body *)r->bodies.items + at->type;
}

static void read_using(struct csharp_reader *r, TSTreeCursor *c, const struct place *at)
{
    struct csharp_using u = {.scope = at->namespace_};
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (csharp_node_is(node, "static"))
            u.is_static = true;
        else if (csharp_node_is(node, "global"))
            u.is_global = true;
        else if (csharp_node_is_field(c, "name"))
            u.alias = csharp_node_compact(r, node);
        else if (ts_node_is_named(node) && !csharp_node_is(node, "ERROR"))
            u.name = csharp_node_compact(r, node);
    }
    if (!str_is_empty(u.name))
        *(struct csharp_using *)csharp_list_add(&r->usings, sizeof u) = u;
}

/* At a type_parameter_list. */
static void read_parameters(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *names)
{
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (csharp_node_is(node, "type_parameter"))
            *(struct str *)csharp_list_add(names, sizeof(struct str)) =
                csharp_node_compact(r, csharp_node_child(node, "name"));
    }
}

/* At a base_list. */
static void read_bases(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *bases)
{
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (csharp_node_is(node, "primary_constructor_base_type"))
            node = csharp_node_child(node, "type");
        if (ts_node_is_named(node) && !csharp_node_is(node, "argument_list") &&
            !csharp_node_is(node, "ERROR"))
            *(struct str *)csharp_list_add(bases, sizeof(struct str)) =
                csharp_node_compact(r, node);
    }
}

static void read_declarations(struct csharp_reader *r, TSTreeCursor *c, struct place at);

/* A type that an earlier piece has begun; NO_TYPE: there is none. */
static size_t find_type(const struct csharp_reader *r, TSNode name)
{
    const struct body *bodies = r->bodies.items;
    size_t at = csharp_node_offset(r, name), low = 0, high = r->bodies.count;
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
static void read_type_head(struct csharp_reader *r, TSTreeCursor *c, struct csharp_type *t)
{
    struct csharp_head head = {0};
    struct csharp_list parameters = {0}, bases = {0};
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (csharp_member_head(r, c, &head))
            continue;
        if (csharp_node_is_field(c, "name")) {
            t->name = csharp_node_compact(r, node);
            t->line = csharp_node_line(r, node);
        } else if (csharp_node_is(node, "type_parameter_list")) {
            read_parameters(r, c, &parameters);
        } else if (csharp_node_is(node, "base_list")) {
            read_bases(r, c, &bases);
        } else if (csharp_node_is(node, "struct")) {
            t->kind = CSHARP_STRUCT; /* also a "record struct" */
        }
    }
    t->modifiers = head.modifiers;
    t->attribute_count = head.attributes.count;
    t->attributes = csharp_list_settle(&head.attributes, sizeof *t->attributes, r->arena);
    t->parameter_count = parameters.count;
    t->parameters = csharp_list_settle(&parameters, sizeof *t->parameters, r->arena);
    t->base_count = bases.count;
    t->bases = csharp_list_settle(&bases, sizeof *t->bases, r->arena);
}

/* At a declaration of a type. */
static void read_type(struct csharp_reader *r, TSTreeCursor *c, enum csharp_kind kind,
                      struct place at)
{
    TSNode node = ts_tree_cursor_current_node(c);
    TSNode name = csharp_node_child(node, "name");
    if (str_is_empty(csharp_node_compact(r, name)))
        return;
    size_t index = find_type(r, name);
    if (index == NO_TYPE) {
        struct csharp_type t = {.kind = kind, .namespace_ = at.namespace_};
        read_type_head(r, c, &t);
        index = r->types.count;
        *(struct csharp_type *)csharp_list_add(&r->types, sizeof t) = t;
        *(struct body *)csharp_list_add(&r->bodies, sizeof(struct body)) = (struct body){
            .at = csharp_node_offset(r, csharp_node_child(node, "name")), .outer = at.type};
    }
    at.type = index;
    at.depth++;
    EACH_CHILD(c)
    {
        if (csharp_node_is_field(c, "body"))
            read_declarations(r, c, at);
    }
}

static struct str inner_namespace(struct csharp_reader *r, TSNode node, struct str outer)
{
    struct str name = csharp_node_compact(r, csharp_node_child(node, "name"));
    if (str_is_empty(outer) || str_is_empty(name))
        return str_is_empty(name) ? outer : name;
    return arena_printf(r->arena, "%.*s.%.*s", STR_ARG(outer), STR_ARG(name));
}

/* At a namespace_declaration. */
static void read_namespace(struct csharp_reader *r, TSTreeCursor *c, struct place at)
{
    at.namespace_ = inner_namespace(r, ts_tree_cursor_current_node(c), at.namespace_);
    at.depth++;
    EACH_CHILD(c)
    {
        if (csharp_node_is_field(c, "body"))
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
        if (csharp_node_is(node, kinds[i])) {
            *kind = (enum csharp_kind)i;
            return true;
        }
    }
    return false;
}

/* At one declaration in the body of a type. */
static void read_in_type(struct csharp_reader *r, TSTreeCursor *c, const struct place *at)
{
    TSNode node = ts_tree_cursor_current_node(c);
    const struct csharp_type *type = (const struct csharp_type *)r->types.items + at->type;
    if (csharp_node_is(node, "field_declaration"))
        csharp_member_fields(r, c, &body_of(r, at)->fields);
    else if (csharp_node_is(node, "property_declaration") && type->kind != CSHARP_INTERFACE)
        csharp_member_property(r, c, &body_of(r, at)->fields);
    else if (csharp_node_is(node, "enum_member_declaration"))
        csharp_member_of_enum(r, node, &body_of(r, at)->members);
}

/* At a node that has declarations as its children. */
static void read_declarations(struct csharp_reader *r, TSTreeCursor *c, struct place at)
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
        } else if (csharp_node_is(node, "using_directive")) {
            read_using(r, c, &at);
        } else if (csharp_node_is(node, "namespace_declaration")) {
            read_namespace(r, c, at);
        } else if (csharp_node_is(node, "file_scoped_namespace_declaration")) {
            at.namespace_ = inner_namespace(r, node, (struct str){0});
        } else if (csharp_node_is(node, "ERROR")) {
            struct place inside = at;
            inside.depth++;
            read_declarations(r, c, inside);
        } else if (at.type != NO_TYPE) {
            read_in_type(r, c, &at);
        }
    }
}

/* The first of the innermost nodes with an error. A token that is missing may be hidden in one that
 * has no children to show. */
static size_t find_fault(TSNode root)
{
    if (!ts_node_has_error(root))
        return SIZE_MAX;
    TSTreeCursor c = ts_tree_cursor_new(root);
    TSNode fault = root;
    for (bool more = true; more;) {
        TSNode node = ts_tree_cursor_current_node(&c);
        if (ts_node_has_error(node)) {
            fault = node;
            more = !csharp_node_is(node, "ERROR") && ts_tree_cursor_goto_first_child(&c);
        } else {
            more = ts_tree_cursor_goto_next_sibling(&c);
        }
    }
    ts_tree_cursor_delete(&c);
    return ts_node_start_byte(fault);
}

/* Types know the ones around them once none of them moves any more. */
static void finish(struct csharp_reader *r, struct csharp_file *f)
{
    f->type_count = r->types.count;
    struct csharp_type *types = csharp_list_settle(&r->types, sizeof *types, r->arena);
    struct body *bodies = r->bodies.items;
    for (size_t i = 0; i < f->type_count; i++) {
        types[i].outer = bodies[i].outer == NO_TYPE ? NULL : &types[bodies[i].outer];
        types[i].field_count = bodies[i].fields.count;
        types[i].fields =
            csharp_list_settle(&bodies[i].fields, sizeof(struct csharp_field), r->arena);
        types[i].member_count = bodies[i].members.count;
        types[i].members =
            csharp_list_settle(&bodies[i].members, sizeof(struct csharp_member), r->arena);
    }
    free(bodies);
    f->types = types;
    f->using_count = r->usings.count;
    f->usings = csharp_list_settle(&r->usings, sizeof *f->usings, r->arena);
}

/* Answers where the first error of the piece is. */
static size_t read_piece(struct csharp_reader *r, TSParser *parser, struct buf *text)
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
    struct csharp_reader r = {.b = b, .arena = &f->arena, .line = 1};
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
