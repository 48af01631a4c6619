#include "unity/csharp_member.h"

/* At an attribute_list: [A, B(1)], [field: C]. */
static void read_attributes(struct csharp_reader *r, TSTreeCursor *c, struct csharp_head *head)
{
    struct str target = {0};
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (csharp_node_is(node, "attribute_target_specifier")) {
            target = csharp_node_compact(r, node);
            target = str_head(target, str_find_char(target, ':'));
        } else if (csharp_node_is(node, "attribute")) {
            struct csharp_attribute *a = csharp_list_add(&head->attributes, sizeof *a);
            a->target = target;
            a->name = csharp_node_compact(r, csharp_node_child(node, "name"));
            TSNode last = ts_node_named_child(node, ts_node_named_child_count(node) - 1);
            struct str list = csharp_node_is(last, "attribute_argument_list")
                                  ? csharp_node_span(r, last)
                                  : STR("");
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

bool csharp_member_head(struct csharp_reader *r, TSTreeCursor *c, struct csharp_head *head)
{
    TSNode node = ts_tree_cursor_current_node(c);
    if (csharp_node_is(node, "attribute_list")) {
        read_attributes(r, c, head);
        return true;
    }
    if (csharp_node_is(node, "modifier")) {
        head->modifiers |= modifier(csharp_node_span(r, node));
        return true;
    }
    return false;
}

/* At a variable_declarator of the field that is given but for this. */
static void read_declarator(struct csharp_reader *r, TSTreeCursor *c, struct csharp_field f,
                            struct csharp_list *fields)
{
    bool is_value = false;
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (csharp_node_is_field(c, "name")) {
            f.name = csharp_node_compact(r, node);
            f.line = csharp_node_line(r, node);
        } else if (csharp_node_is(node, "bracketed_argument_list")) {
            struct str size = csharp_node_compact(r, node); /* fixed int a[4] */
            f.type = arena_printf(r->arena, "%.*s%.*s", STR_ARG(f.type), STR_ARG(size));
        } else if (csharp_node_is(node, "=")) {
            is_value = true;
        } else if (is_value && ts_node_is_named(node)) {
            f.initializer = csharp_node_text(r, node);
            is_value = false;
        }
    }
    if (!str_is_empty(f.name))
        *(struct csharp_field *)csharp_list_add(fields, sizeof f) = f;
}

/* At a variable_declaration: one type, any number of fields. */
static void read_variables(struct csharp_reader *r, TSTreeCursor *c, struct csharp_field f,
                           struct csharp_list *fields)
{
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (csharp_node_is_field(c, "type"))
            f.type = csharp_node_compact(r, node);
        else if (csharp_node_is(node, "variable_declarator"))
            read_declarator(r, c, f, fields);
    }
}

void csharp_member_fields(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *fields)
{
    struct csharp_head head = {0};
    size_t first = fields->count;
    EACH_CHILD(c)
    {
        if (!csharp_member_head(r, c, &head) &&
            csharp_node_is(ts_tree_cursor_current_node(c), "variable_declaration"))
            read_variables(r, c, (struct csharp_field){0}, fields);
    }
    size_t attribute_count = head.attributes.count;
    struct csharp_attribute *attributes =
        csharp_list_settle(&head.attributes, sizeof(struct csharp_attribute), r->arena);
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
        if (!csharp_node_is(node, "accessor_declaration"))
            continue;
        TSNode name = csharp_node_child(node, "name");
        is_auto |= !ts_node_is_null(name) && csharp_node_is(name, "get");
        *has_set |= !ts_node_is_null(name) && csharp_node_is(name, "set");
        has_body |= !ts_node_is_null(csharp_node_child(node, "body"));
    }
    return is_auto && !has_body;
}

void csharp_member_property(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *fields)
{
    struct csharp_head head = {0};
    struct csharp_field f = {.is_property = true};
    bool is_auto = false, has_set = false, is_explicit = false;
    EACH_CHILD(c)
    {
        TSNode node = ts_tree_cursor_current_node(c);
        if (csharp_member_head(r, c, &head))
            continue;
        if (csharp_node_is_field(c, "type")) {
            f.type = csharp_node_compact(r, node);
        } else if (csharp_node_is_field(c, "name")) {
            f.name = csharp_node_compact(r, node);
            f.line = csharp_node_line(r, node);
        } else if (csharp_node_is_field(c, "accessors")) {
            is_auto = read_accessors(c, &has_set);
        } else if (csharp_node_is_field(c, "value")) {
            f.initializer = csharp_node_text(r, node);
        }
        is_explicit |= csharp_node_is(node, "explicit_interface_specifier");
    }
    f.attribute_count = head.attributes.count;
    f.attributes = csharp_list_settle(&head.attributes, sizeof *f.attributes, r->arena);
    f.modifiers = head.modifiers | (has_set ? 0 : CSHARP_READONLY);
    bool has_field = is_auto && !(f.modifiers & (CSHARP_ABSTRACT | CSHARP_PARTIAL));
    if (has_field && !is_explicit && !str_is_empty(f.name))
        *(struct csharp_field *)csharp_list_add(fields, sizeof f) = f;
}

void csharp_member_of_enum(struct csharp_reader *r, TSNode node, struct csharp_list *members)
{
    struct csharp_member m = {.name = csharp_node_compact(r, csharp_node_child(node, "name"))};
    m.value = csharp_node_text(r, csharp_node_child(node, "value"));
    if (!str_is_empty(m.name))
        *(struct csharp_member *)csharp_list_add(members, sizeof m) = m;
}
