#include "unity/property_tree.h"

#define MANAGED  "managedReferences["
#define MAX_WORK (64u << 20) /* keys compared for one body: whoever has more is up to no good */

/* A value and, once a path has led through it, what it consists of. */
struct part {
    struct str key; /* in a map, as it stands */
    enum yaml_kind kind;
    bool is_open;            /* parts count, not value */
    bool is_new;             /* it was not in the text */
    uint32_t indent;         /* of the keys or dashes inside, if it is an open block */
    struct yaml_value value; /* as it stands */
    struct part *parts;
    size_t count, cap;
};

struct property_tree {
    struct arena *arena;
    struct part root;
    size_t work, grown;
    bool may_lack; /* elements */
};

struct property_tree *property_tree_new(struct arena *a, struct yaml_value map)
{
    struct property_tree *b = arena_zalloc(a, sizeof *b);
    b->arena = a;
    b->root = (struct part){.kind = YAML_MAP, .indent = map.indent, .value = map};
    return b;
}

void property_tree_allow_more(struct property_tree *b)
{
    b->may_lack = true;
}

/* ---- the tree */

static struct part *add_part(struct property_tree *b, struct part *p, struct part new)
{
    if (p->count == p->cap) {
        size_t cap = p->cap ? p->cap * 2 : 8;
        p->parts = arena_grow(b->arena, p->parts, p->cap * sizeof new, cap * sizeof new);
        p->cap = cap;
    }
    p->parts[p->count] = new;
    return &p->parts[p->count++];
}

static bool open_part(struct property_tree *b, struct part *p)
{
    struct yaml_item item;
    if (p->is_open)
        return true;
    if (p->kind == YAML_SCALAR || p->kind == YAML_NONE)
        return false;
    for (struct yaml_walk w = yaml_walk(p->value); yaml_next(&w, &item);)
        add_part(b, p,
                 (struct part){.key = item.key, .kind = item.value.kind, .value = item.value});
    p->indent = p->value.indent;
    p->is_open = true;
    return true;
}

/* Something that was empty becomes a block or flow collection. */
static void turn_into(struct part *p, enum yaml_kind kind)
{
    p->kind = kind;
    p->is_open = true;
    p->indent = p->value.indent + (kind == YAML_MAP ? 2 : 0);
    p->count = 0;
}

static bool is_flow(const struct part *p)
{
    return p->kind == YAML_FLOW_MAP || p->kind == YAML_FLOW_LIST;
}

static struct part *find_key(struct property_tree *b, const struct part *p, struct str key)
{
    if (b->work + p->count > MAX_WORK)
        return NULL;
    for (size_t i = 0; i < p->count; i++, b->work++)
        if (str_eq(p->parts[i].key, key))
            return &p->parts[i];
    return NULL;
}

static struct part *add_key(struct property_tree *b, struct part *p, struct str key)
{
    struct part new = {.key = key, .kind = YAML_EMPTY, .is_new = true};
    new.value = (struct yaml_value){.kind = YAML_EMPTY, .indent = p->indent};
    return add_part(b, p, new);
}

static struct part scalar_part(struct str key, struct str text)
{
    return (struct part){
        .key = key, .kind = YAML_SCALAR, .value = {.kind = YAML_SCALAR, .text = text}};
}

/* Taken apart elements have parts of their own. */
static struct part copy_part(struct property_tree *b, const struct part *p)
{
    struct part copy = *p;
    copy.parts = NULL;
    copy.count = copy.cap = 0;
    for (size_t i = 0; p->is_open && i < p->count; i++)
        add_part(b, &copy, copy_part(b, &p->parts[i]));
    return copy;
}

/* ---- scalars */

/* On one line, whatever is in it. */
static struct str quoted(struct property_tree *b, struct str text)
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

/* A text of an override, so that it can stand in another place. */
static struct str scalar_text(struct property_tree *b, struct yaml_value v, bool in_flow)
{
    bool is_quoted = v.text.n > 0 && (*v.text.p == '"' || *v.text.p == '\'');
    bool breaks = str_find_char(v.text, '\n') < v.text.n;
    for (size_t i = 0; in_flow && !is_quoted && !breaks && i < v.text.n; i++)
        breaks = strchr(",{}[]:#", v.text.p[i]) != NULL;
    return breaks ? quoted(b, yaml_text(b->arena, v)) : v.text;
}

static struct str reference_text(struct property_tree *b, struct reference r)
{
    char guid[GUID_LEN + 1];
    if (reference_is_local(r))
        return arena_printf(b->arena, "{fileID: %lld}", (long long)r.file_id);
    guid_print(r.guid, guid);
    return arena_printf(b->arena, "{fileID: %lld, guid: %s, type: %d}", (long long)r.file_id, guid,
                        (int)r.type);
}

static void set_text(struct part *p, enum yaml_kind kind, struct str text)
{
    p->kind = p->value.kind = kind;
    p->value.text = text;
    p->is_open = false;
}

static bool set_scalar(struct property_tree *b, struct part *p, struct yaml_value v, bool in_flow)
{
    struct reference old;
    bool is_empty = v.kind != YAML_SCALAR;
    if (p->kind == YAML_SCALAR || p->kind == YAML_EMPTY) {
        set_text(p, is_empty ? YAML_EMPTY : YAML_SCALAR,
                 is_empty ? (struct str){0} : scalar_text(b, v, in_flow));
        return true;
    }
    if (is_empty && p->kind == YAML_FLOW_MAP && !p->is_open && yaml_reference(p->value, &old)) {
        set_text(p, YAML_FLOW_MAP, STR("{fileID: 0}"));
        return true;
    }
    /* A managed reference is a map of one key. */
    if (is_empty || p->kind != YAML_MAP || !open_part(b, p) || p->count != 1 ||
        !str_eq(p->parts[0].key, STR("rid")))
        return false;
    set_text(&p->parts[0], YAML_SCALAR, scalar_text(b, v, false));
    return true;
}

static bool set_value(struct property_tree *b, struct part *p, const struct property_value *v,
                      bool in_flow)
{
    if (reference_is_null(v->reference))
        return set_scalar(b, p, v->scalar, in_flow);
    if (p->kind == YAML_MAP || p->kind == YAML_LIST)
        return false;
    set_text(p, YAML_FLOW_MAP, reference_text(b, v->reference));
    return true;
}

/* ---- arrays that are one hex text */

static bool is_hex(const struct part *p)
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

/* The text does not say how wide an element is. Most are ints or enums; bools show by a 1 where an
 * int has its upper bytes. */
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

static void set_hex(struct property_tree *b, struct part *p, struct str bytes)
{
    static const char digits[] = "0123456789abcdef";
    char *text = arena_alloc(b->arena, bytes.n * 2 + 1);
    for (size_t i = 0; i < bytes.n; i++) {
        text[2 * i] = digits[(unsigned char)bytes.p[i] >> 4];
        text[2 * i + 1] = digits[(unsigned char)bytes.p[i] & 15];
    }
    set_text(p, bytes.n ? YAML_SCALAR : YAML_EMPTY, str_make(text, bytes.n * 2));
}

static bool resize_hex(struct property_tree *b, struct part *p, size_t count)
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

static bool set_hex_element(struct property_tree *b, struct part *p, size_t i, struct yaml_value v)
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

static struct part empty_element(const struct part *list)
{
    return (struct part){
        .kind = YAML_EMPTY, .is_new = true, .value = {.kind = YAML_EMPTY, .indent = list->indent}};
}

static bool resize_list(struct property_tree *b, struct part *p, size_t count)
{
    if (p->kind == YAML_EMPTY || (p->kind == YAML_FLOW_LIST && yaml_count(p->value) == 0))
        turn_into(p, YAML_LIST);
    if ((p->kind != YAML_LIST && p->kind != YAML_FLOW_LIST) || !open_part(b, p))
        return false;
    if (count > p->count && count - p->count > PROPERTY_TREE_MAX_ELEMENTS - b->grown)
        return false;
    if (count > p->count)
        b->grown += count - p->count;
    while (p->count < count)
        add_part(b, p, p->count ? copy_part(b, &p->parts[p->count - 1]) : empty_element(p));
    p->count = count;
    return true;
}

/* Makes room for an element of a list that is not known to the end. */
static bool make_element(struct property_tree *b, struct part *p, uint64_t index)
{
    size_t old = p->count;
    if (!b->may_lack || index >= PROPERTY_TREE_MAX_ELEMENTS ||
        !resize_list(b, p, (size_t)index + 1))
        return false;
    for (size_t i = old; i < p->count; i++)
        p->parts[i] = empty_element(p);
    return true;
}

static bool resize(struct property_tree *b, struct part *p, struct yaml_value v)
{
    int64_t count;
    if (!yaml_i64(v, &count) || count < 0)
        return false;
    return is_hex(p) ? resize_hex(b, p, (size_t)count) : resize_list(b, p, (size_t)count);
}

/* Cuts "data[12]" off a path. */
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

/* x, y, z, w and r, g, b, a: of vectors and colours, which are flow maps. */
static bool is_axis(struct str path)
{
    return path.n == 1 && strchr("xyzwrgba", *path.p) != NULL;
}

/* The part of a map that a path goes through next; a key may contain dots. *path becomes what is
 * left of it. */
static struct part *step_key(struct property_tree *b, struct part *p, struct str *path)
{
    size_t first = str_find_char(*path, '.');
    for (size_t end = first;; end += 1 + str_find_char(str_skip(*path, end + 1), '.')) {
        struct part *found = find_key(b, p, str_head(*path, end));
        if (found) {
            *path = str_skip(*path, end + 1);
            return found;
        }
        if (end >= path->n)
            break;
    }
    struct str rest = str_skip(*path, first + 1);
    if ((has_elements(rest) && !b->may_lack) || (is_flow(p) && rest.n > 0) || b->work > MAX_WORK)
        return NULL;
    struct part *made = add_key(b, p, str_head(*path, first));
    *path = rest;
    return made;
}

/* Sets what a path leads to, from this part on. */
static bool set_below(struct property_tree *b, struct part *p, struct str path,
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
                return resize(b, p, value->scalar);
            if (!cut_index(&path, &index))
                return false;
            if (is_hex(p))
                return path.n == 0 && set_hex_element(b, p, (size_t)index, value->scalar);
            if (b->may_lack && p->kind == YAML_EMPTY)
                turn_into(p, YAML_LIST);
            if ((p->kind != YAML_LIST && p->kind != YAML_FLOW_LIST) || !open_part(b, p) ||
                (index >= p->count && !make_element(b, p, index)))
                return false;
            in_flow = is_flow(p);
            p = &p->parts[index];
            continue;
        }
        if (p->kind == YAML_EMPTY)
            turn_into(p, is_axis(path) ? YAML_FLOW_MAP : YAML_MAP);
        if ((p->kind != YAML_MAP && p->kind != YAML_FLOW_MAP) || !open_part(b, p))
            return false;
        in_flow = is_flow(p);
        p = step_key(b, p, &path);
        if (!p)
            return false;
    }
    return set_value(b, p, value, in_flow);
}

/* ---- managed references */

static struct part *child_of(struct property_tree *b, struct part *map, struct str key,
                             enum yaml_kind kind)
{
    if (map->kind != YAML_MAP || !open_part(b, map))
        return NULL;
    struct part *child = find_key(b, map, key);
    if (!child) {
        child = add_key(b, map, key);
        turn_into(child, kind);
    }
    if (child->kind == YAML_FLOW_LIST && kind == YAML_LIST && yaml_count(child->value) == 0)
        turn_into(child, kind);
    return child->kind == kind && open_part(b, child) ? child : NULL;
}

/* The list of managed objects, which may be made for it. */
static struct part *managed_list(struct property_tree *b, bool make)
{
    if (!open_part(b, &b->root) || (!make && !find_key(b, &b->root, STR("references"))))
        return NULL;
    struct part *references = child_of(b, &b->root, STR("references"), YAML_MAP);
    if (!references)
        return NULL;
    if (references->count == 0)
        add_part(b, references, scalar_part(STR("version"), STR("2")));
    return child_of(b, references, STR("RefIds"), YAML_LIST);
}

static struct part *add_managed(struct property_tree *b, struct part *list, int64_t id)
{
    struct part *entry = add_part(b, list, (struct part){.kind = YAML_MAP, .is_new = true});
    entry->value.indent = list->indent;
    turn_into(entry, YAML_MAP);
    add_part(b, entry, scalar_part(STR("rid"), arena_printf(b->arena, "%lld", (long long)id)));
    add_key(b, entry, STR("type"));
    add_key(b, entry, STR("data"));
    return entry;
}

/* The entry of RefIds with this id; a new one, if so wanted and it is not there. */
static struct part *find_managed(struct property_tree *b, int64_t id, bool make)
{
    struct part *list = managed_list(b, make);
    for (size_t i = 0; list && i < list->count && b->work < MAX_WORK; i++, b->work++) {
        struct part *entry = &list->parts[i];
        int64_t rid;
        const struct part *key =
            entry->kind == YAML_MAP && open_part(b, entry) ? find_key(b, entry, STR("rid")) : NULL;
        if (key && yaml_i64(key->value, &rid) && rid == id)
            return entry;
    }
    return list && make ? add_managed(b, list, id) : NULL;
}

/* "Assembly Namespace.Class", as an override of managedReferences[id] itself says it. */
static bool set_managed_type(struct property_tree *b, struct part *entry, struct yaml_value v)
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
    struct part *part = find_key(b, entry, STR("type"));
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
    struct part *entry = find_managed(b, id, is_type);
    if (!entry)
        return false;
    if (is_type)
        return set_managed_type(b, entry, value->scalar);
    struct part *data = find_key(b, entry, STR("data"));
    return data && set_below(b, data, str_skip(rest, 1), value);
}

bool property_tree_set(struct property_tree *b, struct str path, const struct property_value *value)
{
    if (str_starts(path, STR(MANAGED)))
        return set_managed(b, path, value);
    return path.n > 0 && set_below(b, &b->root, path, value);
}

/* ---- the text */

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

static void put_flow(const struct part *p, struct buf *out);

static void put_flow_parts(const struct part *p, struct buf *out)
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

/* Whatever stands on the line of its key or dash. */
static void put_flow(const struct part *p, struct buf *out)
{
    if (p->is_open)
        put_flow_parts(p, out);
    else
        buf_add(out, p->value.text);
}

static void put_block(const struct part *p, struct buf *out, bool is_inside);

/* What stands behind "key:". */
static void put_behind_key(const struct part *p, struct buf *out)
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

/* What stands behind the dash at this indent. */
static void put_behind_dash(const struct part *p, struct buf *out, uint32_t indent)
{
    bool is_block = p->kind == YAML_MAP || p->kind == YAML_LIST;
    if (!is_block || (p->is_open && p->count == 0)) {
        put_behind_key(p, out);
        return;
    }
    uint32_t column = p->is_open ? p->indent : p->value.indent;
    put_blanks(out, column > indent ? column - indent - 1 : 1);
    put_block(p, out, true);
}

/* The lines of a block; is_inside: the first one has begun already. */
static void put_block(const struct part *p, struct buf *out, bool is_inside)
{
    if (!p->is_open) {
        size_t from = 0; /* a block below its dash goes beside it */
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
            put_behind_key(&p->parts[i], out);
        } else {
            buf_add_char(out, '-');
            put_behind_dash(&p->parts[i], out, p->indent);
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
