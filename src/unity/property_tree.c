#include "unity/property_tree.h"

#define MANAGED  "managedReferences["
#define MAX_WORK (64u << 20) /* comparisons of keys per tree; more are hostile */

/* A value and, if a path led through it, its parts. */
struct property_part {
    struct str key; /* in a map, as in the text */
    enum yaml_kind kind;
    bool is_open;            /* the parts are valid, not value */
    bool is_new;             /* not in the original text */
    uint32_t indent;         /* of the keys or dashes in an open block */
    struct yaml_value value; /* as in the text */
    struct property_part *parts;
    size_t count, cap;
};

struct property_tree {
    struct arena *arena;
    struct property_part root;
    size_t work, grown;
    bool is_incomplete; /* missing elements may exist */
};

struct property_tree *property_tree_new(struct arena *a, struct yaml_value map)
{
    struct property_tree *b = arena_zalloc(a, sizeof *b);
    b->arena = a;
    b->root = (struct property_part){.kind = YAML_MAP, .indent = map.indent, .value = map};
    return b;
}

void property_tree_allow_more(struct property_tree *b)
{
    b->is_incomplete = true;
}

/* ---- the tree */

static struct property_part *add_part(struct property_tree *b, struct property_part *p,
                                      struct property_part new)
{
    if (p->count == p->cap) {
        size_t cap = p->cap ? p->cap * 2 : 8;
        p->parts = arena_grow(b->arena, p->parts, p->cap * sizeof new, cap * sizeof new);
        p->cap = cap;
    }
    p->parts[p->count] = new;
    return &p->parts[p->count++];
}

static bool open_part(struct property_tree *b, struct property_part *p)
{
    struct yaml_item item;
    if (p->is_open)
        return true;
    if (p->kind == YAML_SCALAR || p->kind == YAML_NONE)
        return false;
    for (struct yaml_walk w = yaml_walk(p->value); yaml_next(&w, &item);)
        add_part(
            b, p,
            (struct property_part){.key = item.key, .kind = item.value.kind, .value = item.value});
    p->indent = p->value.indent;
    p->is_open = true;
    return true;
}

/* Turn an empty value into a block or flow collection. */
static void convert_part(struct property_part *p, enum yaml_kind kind)
{
    p->kind = kind;
    p->is_open = true;
    p->indent = p->value.indent + (kind == YAML_MAP ? 2 : 0);
    p->count = 0;
}

static bool is_flow(const struct property_part *p)
{
    return p->kind == YAML_FLOW_MAP || p->kind == YAML_FLOW_LIST;
}

static struct property_part *find_key(struct property_tree *b, const struct property_part *p,
                                      struct str key)
{
    if (b->work + p->count > MAX_WORK)
        return NULL;
    for (size_t i = 0; i < p->count; i++, b->work++)
        if (str_eq(p->parts[i].key, key))
            return &p->parts[i];
    return NULL;
}

static struct property_part *add_key(struct property_tree *b, struct property_part *p,
                                     struct str key)
{
    struct property_part new = {.key = key, .kind = YAML_EMPTY, .is_new = true};
    new.value = (struct yaml_value){.kind = YAML_EMPTY, .indent = p->indent};
    return add_part(b, p, new);
}

static struct property_part make_scalar(struct str key, struct str text)
{
    return (struct property_part){
        .key = key, .kind = YAML_SCALAR, .value = {.kind = YAML_SCALAR, .text = text}};
}

/* Copy a part; parts of open elements are copied too. */
static struct property_part copy_part(struct property_tree *b, const struct property_part *p)
{
    struct property_part copy = *p;
    copy.parts = NULL;
    copy.count = copy.cap = 0;
    for (size_t i = 0; p->is_open && i < p->count; i++)
        add_part(b, &copy, copy_part(b, &p->parts[i]));
    return copy;
}

/* ---- scalars */

/* Write any text on one line. */
static struct str quote_text(struct property_tree *b, struct str text)
{
    struct buf out = buf_make(PROPERTY_TREE_MAX_BYTES);
    buf_add_char(&out, '"');
    for (size_t i = 0; i < text.n; i++) {
        unsigned char c = (unsigned char)text.p[i];
        if (c == '"' || c == '\\')
            buf_printf(&out, "\\%c", c);
        else if (c < 0x20 || c == 0x7f)
            buf_printf(&out, "\\x%02X", c);
        else
            buf_add_char(&out, (char)c);
    }
    buf_add_char(&out, '"');
    struct str copy = arena_str(b->arena, buf_str(&out));
    buf_done(&out);
    return copy;
}

/* Write a scalar of an override so that it is valid in another place. */
static struct str format_scalar(struct property_tree *b, struct yaml_value v, bool in_flow)
{
    bool is_quoted = v.text.n > 0 && (*v.text.p == '"' || *v.text.p == '\'');
    bool breaks = str_find_char(v.text, '\n') < v.text.n;
    for (size_t i = 0; in_flow && !is_quoted && !breaks && i < v.text.n; i++)
        breaks = strchr(",{}[]:#", v.text.p[i]) != NULL;
    return breaks ? quote_text(b, yaml_text(b->arena, v)) : v.text;
}

static struct str format_reference(struct property_tree *b, struct reference r)
{
    char guid[GUID_LEN + 1];
    if (reference_is_local(r))
        return arena_printf(b->arena, "{fileID: %lld}", (long long)r.file_id);
    guid_print(r.guid, guid);
    return arena_printf(b->arena, "{fileID: %lld, guid: %s, type: %d}", (long long)r.file_id, guid,
                        (int)r.type);
}

static void set_text(struct property_part *p, enum yaml_kind kind, struct str text)
{
    p->kind = p->value.kind = kind;
    p->value.text = text;
    p->is_open = false;
}

static bool set_scalar(struct property_tree *b, struct property_part *p, struct yaml_value v,
                       bool in_flow)
{
    struct reference old;
    bool is_empty = v.kind != YAML_SCALAR;
    if (p->kind == YAML_SCALAR || p->kind == YAML_EMPTY) {
        set_text(p, is_empty ? YAML_EMPTY : YAML_SCALAR,
                 is_empty ? (struct str){0} : format_scalar(b, v, in_flow));
        return true;
    }
    if (is_empty && p->kind == YAML_FLOW_MAP && !p->is_open && yaml_reference(p->value, &old)) {
        set_text(p, YAML_FLOW_MAP, STR("{fileID: 0}"));
        return true;
    }
    /* A managed reference is a map with one key. */
    if (is_empty || p->kind != YAML_MAP || !open_part(b, p) || p->count != 1 ||
        !str_eq(p->parts[0].key, STR("rid")))
        return false;
    set_text(&p->parts[0], YAML_SCALAR, format_scalar(b, v, false));
    return true;
}

static bool set_value(struct property_tree *b, struct property_part *p,
                      const struct property_value *v, bool in_flow)
{
    if (reference_is_null(v->reference))
        return set_scalar(b, p, v->scalar, in_flow);
    if (p->kind == YAML_MAP || p->kind == YAML_LIST)
        return false;
    set_text(p, YAML_FLOW_MAP, format_reference(b, v->reference));
    return true;
}

/* ---- arrays in hex */

static bool is_hex(const struct property_part *p)
{
    if (p->kind == YAML_EMPTY)
        return !p->is_new;
    if (p->kind != YAML_SCALAR || p->value.text.n % 2)
        return false;
    for (size_t i = 0; i < p->value.text.n; i++)
        if (!strchr("0123456789abcdefABCDEF", p->value.text.p[i]) || !p->value.text.p[i])
            return false;
    return true;
}

/* The text does not show the width of an element. Most arrays are ints or enums; a bool array has a
 * 1 where an int has its upper bytes. */
static size_t hex_width(struct str bytes)
{
    bool is_small = true, is_bool = false;
    if (bytes.n % 4)
        return 1;
    for (size_t i = 0; i < bytes.n; i++) {
        is_small &= (unsigned char)bytes.p[i] <= 1;
        is_bool |= i % 4 != 0 && bytes.p[i] == 1;
    }
    return is_small && is_bool ? 1 : 4;
}

static void set_hex(struct property_tree *b, struct property_part *p, struct str bytes)
{
    static const char digits[] = "0123456789abcdef";
    char *text = arena_alloc(b->arena, bytes.n * 2 + 1);
    for (size_t i = 0; i < bytes.n; i++) {
        text[2 * i] = digits[(unsigned char)bytes.p[i] >> 4];
        text[2 * i + 1] = digits[(unsigned char)bytes.p[i] & 15];
    }
    set_text(p, bytes.n ? YAML_SCALAR : YAML_EMPTY, str_make(text, bytes.n * 2));
}

static bool resize_hex(struct property_tree *b, struct property_part *p, size_t count)
{
    struct buf bytes = buf_make(PROPERTY_TREE_MAX_BYTES);
    yaml_hex(&bytes, p->value);
    size_t width = hex_width(buf_str(&bytes)), old = bytes.n / width;
    bool fits = count <= old || count - old <= PROPERTY_TREE_MAX_ELEMENTS - b->grown;
    if (fits && count > old)
        b->grown += count - old;
    for (size_t i = old; fits && i < count; i++) {
        char last[4] = {0};
        if (bytes.n >= width)
            memcpy(last, bytes.p + bytes.n - width, width);
        buf_add(&bytes, str_make(last, width));
    }
    if (fits)
        set_hex(b, p, str_head(buf_str(&bytes), count * width));
    buf_done(&bytes);
    return fits;
}

static bool set_hex_element(struct property_tree *b, struct property_part *p, size_t i,
                            struct yaml_value v)
{
    struct buf bytes = buf_make(PROPERTY_TREE_MAX_BYTES);
    int64_t number;
    yaml_hex(&bytes, p->value);
    size_t width = hex_width(buf_str(&bytes));
    bool ok = i < bytes.n / width && yaml_i64(v, &number);
    for (size_t k = 0; ok && k < width; k++)
        bytes.p[i * width + k] = (char)((uint64_t)number >> (8 * k) & 0xff);
    if (ok)
        set_hex(b, p, buf_str(&bytes));
    buf_done(&bytes);
    return ok;
}

/* ---- arrays */

static struct property_part make_empty_element(const struct property_part *list)
{
    return (struct property_part){
        .kind = YAML_EMPTY, .is_new = true, .value = {.kind = YAML_EMPTY, .indent = list->indent}};
}

static bool resize_list(struct property_tree *b, struct property_part *p, size_t count)
{
    if (p->kind == YAML_EMPTY || (p->kind == YAML_FLOW_LIST && yaml_count(p->value) == 0))
        convert_part(p, YAML_LIST);
    if ((p->kind != YAML_LIST && p->kind != YAML_FLOW_LIST) || !open_part(b, p))
        return false;
    if (count > p->count && count - p->count > PROPERTY_TREE_MAX_ELEMENTS - b->grown)
        return false;
    if (count > p->count)
        b->grown += count - p->count;
    while (p->count < count)
        add_part(b, p, p->count ? copy_part(b, &p->parts[p->count - 1]) : make_empty_element(p));
    p->count = count;
    return true;
}

/* Add a missing element to an incomplete list. */
static bool make_element(struct property_tree *b, struct property_part *p, uint64_t index)
{
    size_t old = p->count;
    if (!b->is_incomplete || index >= PROPERTY_TREE_MAX_ELEMENTS ||
        !resize_list(b, p, (size_t)index + 1))
        return false;
    for (size_t i = old; i < p->count; i++)
        p->parts[i] = make_empty_element(p);
    return true;
}

static bool resize_array(struct property_tree *b, struct property_part *p, struct yaml_value v)
{
    int64_t count;
    if (!yaml_i64(v, &count) || count < 0)
        return false;
    return is_hex(p) ? resize_hex(b, p, (size_t)count) : resize_list(b, p, (size_t)count);
}

/* Cut "data[12]" off a path. */
static bool cut_index(struct str *path, uint64_t *index)
{
    struct str number, rest = *path;
    if (!str_starts(rest, STR("data[")))
        return false;
    rest = str_skip(rest, STR("data[").n);
    if (!str_cut(&rest, ']', &number) || !str_to_u64(number, index))
        return false;
    *path = rest.n > 0 && *rest.p == '.' ? str_skip(rest, 1) : rest;
    return true;
}

/* ---- paths */

static bool has_elements(struct str path)
{
    return str_find(path, STR("Array.data[")) < path.n;
}

/* Whether it is a component of a vector or color, which are flow maps. */
static bool is_axis(struct str path)
{
    return path.n == 1 && strchr("xyzwrgba", *path.p) != NULL;
}

/* Return the part of a map that a path leads through, and cut it off the path. Keys may contain
 * dots. */
static struct property_part *find_next_part(struct property_tree *b, struct property_part *p,
                                            struct str *path)
{
    size_t first = str_find_char(*path, '.');
    for (size_t end = first;; end += 1 + str_find_char(str_skip(*path, end + 1), '.')) {
        struct property_part *found = find_key(b, p, str_head(*path, end));
        if (found) {
            *path = str_skip(*path, end + 1);
            return found;
        }
        if (end >= path->n)
            break;
    }
    struct str rest = str_skip(*path, first + 1);
    if ((has_elements(rest) && !b->is_incomplete) || (is_flow(p) && rest.n > 0) ||
        b->work > MAX_WORK)
        return NULL;
    struct property_part *made = add_key(b, p, str_head(*path, first));
    *path = rest;
    return made;
}

/* Set the value at a path below this part. */
static bool set_below(struct property_tree *b, struct property_part *p, struct str path,
                      const struct property_value *value)
{
    bool in_flow = false;
    for (unsigned depth = 0; path.n > 0; depth++) {
        uint64_t index;
        if (depth > YAML_MAX_DEPTH)
            return false;
        if (str_starts(path, STR("Array."))) {
            path = str_skip(path, STR("Array.").n);
            if (str_eq(path, STR("size")))
                return resize_array(b, p, value->scalar);
            if (!cut_index(&path, &index))
                return false;
            if (is_hex(p))
                return path.n == 0 && set_hex_element(b, p, (size_t)index, value->scalar);
            if (b->is_incomplete && p->kind == YAML_EMPTY)
                convert_part(p, YAML_LIST);
            if ((p->kind != YAML_LIST && p->kind != YAML_FLOW_LIST) || !open_part(b, p) ||
                (index >= p->count && !make_element(b, p, index)))
                return false;
            in_flow = is_flow(p);
            p = &p->parts[index];
            continue;
        }
        if (p->kind == YAML_EMPTY)
            convert_part(p, is_axis(path) ? YAML_FLOW_MAP : YAML_MAP);
        if ((p->kind != YAML_MAP && p->kind != YAML_FLOW_MAP) || !open_part(b, p))
            return false;
        in_flow = is_flow(p);
        p = find_next_part(b, p, &path);
        if (!p)
            return false;
    }
    return set_value(b, p, value, in_flow);
}

/* ---- managed references */

static struct property_part *get_child(struct property_tree *b, struct property_part *map,
                                       struct str key, enum yaml_kind kind)
{
    if (map->kind != YAML_MAP || !open_part(b, map))
        return NULL;
    struct property_part *child = find_key(b, map, key);
    if (!child) {
        child = add_key(b, map, key);
        convert_part(child, kind);
    }
    if (child->kind == YAML_FLOW_LIST && kind == YAML_LIST && yaml_count(child->value) == 0)
        convert_part(child, kind);
    return child->kind == kind && open_part(b, child) ? child : NULL;
}

/* Return the list of managed objects; make: add it if it is missing. */
static struct property_part *get_managed_list(struct property_tree *b, bool make)
{
    if (!open_part(b, &b->root) || (!make && !find_key(b, &b->root, STR("references"))))
        return NULL;
    struct property_part *references = get_child(b, &b->root, STR("references"), YAML_MAP);
    if (!references)
        return NULL;
    if (references->count == 0)
        add_part(b, references, make_scalar(STR("version"), STR("2")));
    return get_child(b, references, STR("RefIds"), YAML_LIST);
}

static struct property_part *add_managed(struct property_tree *b, struct property_part *list,
                                         int64_t id)
{
    struct property_part *entry =
        add_part(b, list, (struct property_part){.kind = YAML_MAP, .is_new = true});
    entry->value.indent = list->indent;
    convert_part(entry, YAML_MAP);
    add_part(b, entry, make_scalar(STR("rid"), arena_printf(b->arena, "%lld", (long long)id)));
    add_key(b, entry, STR("type"));
    add_key(b, entry, STR("data"));
    return entry;
}

/* Return the entry of RefIds with this id; make: add it if it is missing. */
static struct property_part *find_managed(struct property_tree *b, int64_t id, bool make)
{
    struct property_part *list = get_managed_list(b, make);
    for (size_t i = 0; list && i < list->count && b->work < MAX_WORK; i++, b->work++) {
        struct property_part *entry = &list->parts[i];
        int64_t rid;
        const struct property_part *key =
            entry->kind == YAML_MAP && open_part(b, entry) ? find_key(b, entry, STR("rid")) : NULL;
        if (key && yaml_i64(key->value, &rid) && rid == id)
            return entry;
    }
    return list && make ? add_managed(b, list, id) : NULL;
}

/* Set the type from "Assembly Namespace.Class", the value of an override of
 * managedReferences[id]. */
static bool set_managed_type(struct property_tree *b, struct property_part *entry,
                             struct yaml_value v)
{
    struct str assembly, type = yaml_text(b->arena, v), space = {0};
    if (!str_cut(&type, ' ', &assembly))
        return false;
    for (size_t i = type.n; i-- > 0;) {
        if (type.p[i] != '.')
            continue;
        space = str_head(type, i);
        type = str_skip(type, i + 1);
        break;
    }
    struct property_part *part = find_key(b, entry, STR("type"));
    if (!part)
        return false;
    set_text(part, YAML_FLOW_MAP,
             arena_printf(b->arena, "{class: %.*s, ns: %.*s, asm: %.*s}", STR_ARG(type),
                          STR_ARG(space), STR_ARG(assembly)));
    return true;
}

/* "managedReferences[12].field" */
static bool set_managed(struct property_tree *b, struct str path,
                        const struct property_value *value)
{
    struct str number, rest = str_skip(path, STR(MANAGED).n);
    int64_t id;
    if (!str_cut(&rest, ']', &number) || !str_to_i64(number, &id))
        return false;
    bool is_type = rest.n == 0;
    if (is_type && str_find_char(value->scalar.text, ' ') == value->scalar.text.n)
        return false;
    struct property_part *entry = find_managed(b, id, is_type);
    if (!entry)
        return false;
    if (is_type)
        return set_managed_type(b, entry, value->scalar);
    struct property_part *data = find_key(b, entry, STR("data"));
    return data && set_below(b, data, str_skip(rest, 1), value);
}

bool property_tree_set(struct property_tree *b, struct str path, const struct property_value *value)
{
    if (str_starts(path, STR(MANAGED)))
        return set_managed(b, path, value);
    return path.n > 0 && set_below(b, &b->root, path, value);
}

/* ---- output */

static void put_blanks(struct buf *out, size_t n)
{
    while (n-- > 0)
        buf_add_char(out, ' ');
}

static void put_line_end(struct buf *out)
{
    if (out->n == 0 || out->p[out->n - 1] != '\n')
        buf_add_char(out, '\n');
}

static void put_flow(const struct property_part *p, struct buf *out);

static void put_flow_parts(const struct property_part *p, struct buf *out)
{
    buf_add_char(out, p->kind == YAML_FLOW_MAP ? '{' : '[');
    for (size_t i = 0; i < p->count; i++) {
        if (i > 0)
            buf_add(out, STR(", "));
        if (p->kind == YAML_FLOW_MAP)
            buf_printf(out, "%.*s: ", STR_ARG(p->parts[i].key));
        put_flow(&p->parts[i], out);
    }
    buf_add_char(out, p->kind == YAML_FLOW_MAP ? '}' : ']');
}

/* Write a value on the line of its key or dash. */
static void put_flow(const struct property_part *p, struct buf *out)
{
    if (p->is_open)
        put_flow_parts(p, out);
    else
        buf_add(out, p->value.text);
}

static void put_block(const struct property_part *p, struct buf *out, bool is_inside);

/* Write the value after "key:". */
static void put_after_key(const struct property_part *p, struct buf *out)
{
    bool is_block = p->kind == YAML_MAP || p->kind == YAML_LIST;
    if (is_block && !(p->is_open && p->count == 0)) {
        buf_add_char(out, '\n');
        put_block(p, out, false);
        return;
    }
    buf_add_char(out, ' ');
    if (is_block)
        buf_add(out, p->kind == YAML_MAP ? STR("{}") : STR("[]"));
    else
        put_flow(p, out);
    put_line_end(out);
}

/* Write the value after a dash at this indent. */
static void put_after_dash(const struct property_part *p, struct buf *out, uint32_t indent)
{
    bool is_block = p->kind == YAML_MAP || p->kind == YAML_LIST;
    if (!is_block || (p->is_open && p->count == 0)) {
        put_after_key(p, out);
        return;
    }
    uint32_t column = p->is_open ? p->indent : p->value.indent;
    put_blanks(out, column > indent ? column - indent - 1 : 1);
    put_block(p, out, true);
}

/* Write the lines of a block; is_inside: the first line has been started. */
static void put_block(const struct property_part *p, struct buf *out, bool is_inside)
{
    if (!p->is_open) {
        size_t from = 0; /* move a block from below its dash to the line of the dash */
        while (is_inside && from < p->value.text.n && p->value.text.p[from] == ' ')
            from++;
        buf_add(out, str_skip(p->value.text, from));
        put_line_end(out);
        return;
    }
    for (size_t i = 0; i < p->count; i++) {
        if (i > 0 || !is_inside)
            put_blanks(out, p->indent);
        if (p->kind == YAML_MAP) {
            buf_printf(out, "%.*s:", STR_ARG(p->parts[i].key));
            put_after_key(&p->parts[i], out);
        } else {
            buf_add_char(out, '-');
            put_after_dash(&p->parts[i], out, p->indent);
        }
    }
}

struct yaml_value property_tree_value(const struct property_tree *b)
{
    struct yaml_value v = b->root.value;
    if (!b->root.is_open)
        return v;
    struct buf out = buf_make(PROPERTY_TREE_MAX_BYTES);
    put_block(&b->root, &out, false);
    v.text = arena_str(b->arena, buf_str(&out));
    if (out.overflow)
        v = (struct yaml_value){0};
    buf_done(&out);
    return v;
}
