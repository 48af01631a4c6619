#include "unity/yaml.h"

static bool is_list(struct yaml_value v)
{
    return v.kind == YAML_LIST || v.kind == YAML_FLOW_LIST;
}

/* "prefix12]rest" of *path: the number is answered, rest stays. */
static bool take_index(struct str *path, struct str prefix, int64_t *index)
{
    if (!str_starts(*path, prefix))
        return false;
    struct str rest = str_skip(*path, prefix.n), number;
    if (!str_cut(&rest, ']', &number) || !str_to_i64(number, index))
        return false;
    *path = rest;
    return true;
}

/* The object with this id of [SerializeReference]: they stand at the end of the document. */
static struct yaml_value managed(struct yaml_value body, int64_t rid)
{
    struct yaml_item item;
    struct yaml_value ids = yaml_get(yaml_get(body, STR("references")), STR("RefIds"));
    for (struct yaml_walk w = yaml_walk(ids); yaml_next(&w, &item);) {
        int64_t id;
        if (yaml_i64(yaml_get(item.value, STR("rid")), &id) && id == rid)
            return yaml_get(item.value, STR("data"));
    }
    return (struct yaml_value){0};
}

static struct yaml_value follow(struct yaml_value v, struct str path);

/* What the path is behind a value that was found: over, or ".rest". */
static struct yaml_value go_on(struct yaml_value v, struct str path)
{
    if (path.n == 0)
        return v;
    return path.p[0] == '.' ? follow(v, str_skip(path, 1)) : (struct yaml_value){0};
}

/* Every key that the path can start with is tried: one of them may contain dots. Each value is
 * looked into once at most, so this is a walk however many there are. */
static struct yaml_value follow(struct yaml_value v, struct str path)
{
    struct yaml_value none = {0};
    struct yaml_item item;
    int64_t index;
    if (is_list(v)) {
        if (!take_index(&path, STR("Array.data["), &index) || index < 0)
            return none;
        return go_on(yaml_at(v, (size_t)index), path);
    }
    for (struct yaml_walk w = yaml_walk(v); yaml_next(&w, &item);) {
        struct str key = item.key;
        if (key.n >= 2 && (*key.p == '\'' || *key.p == '"'))
            key = str_make(key.p + 1, key.n - 2);
        if (key.n == 0 || !str_starts(path, key))
            continue;
        struct yaml_value found = go_on(item.value, str_skip(path, key.n));
        if (found.kind != YAML_NONE)
            return found;
    }
    return none;
}

struct yaml_value yaml_path(struct yaml_value map, struct str path)
{
    int64_t rid;
    if (take_index(&path, STR("managedReferences["), &rid))
        return go_on(managed(map, rid), path);
    return follow(map, path);
}
