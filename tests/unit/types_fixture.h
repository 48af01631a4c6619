/* The types of a test's project, as text. */
#pragma once

#include "project_fixture.h"
#include "unity/types.h"

#define GUID(digit) "0000000000000000000000000000000" digit

static struct assets *assets;
static struct types *types;

static inline int setup_types(void **state)
{
    assets = NULL;
    types = NULL;
    return setup(state);
}

static inline int teardown_types(void **state)
{
    types_free(types);
    assets_close(assets);
    return teardown(state);
}

static inline void put_script(const char *path, const char *guid, const char *text)
{
    put(path, text);
    put_meta(path, guid);
}

static inline void open_types(void)
{
    if (!project.root)
        open_project();
    assets = assets_open(&project, &sink);
    types = types_new(&project, assets, &sink);
    buf_clear(&notes);
}

static inline void put_version(const char *version)
{
    struct buf text = {0};
    buf_printf(&text, "m_EditorVersion: %s\n", version);
    put("ProjectSettings/ProjectVersion.txt", text.p);
    buf_done(&text);
}

static inline struct reference script(const char *guid)
{
    struct reference r = {.file_id = 11500000, .type = 3};
    assert_true(guid_parse(str_from(guid), &r.guid));
    return r;
}

static inline const struct type_class *component(const char *guid)
{
    const struct type_class *c = types_component(types, 114, script(guid), STR(""));
    assert_non_null(c);
    return c;
}

static inline const struct type_class *engine(int32_t class_id)
{
    const struct type_class *c =
        types_component(types, class_id, (struct reference){0}, (struct str){0});
    assert_non_null(c);
    return c;
}

static const char *const kinds[TYPE_KIND_COUNT] = {
    "unknown",  "bool",    "int",     "float",    "double",   "string",     "enum",
    "vector2",  "vector3", "vector4", "vector2i", "vector3i", "quaternion", "color",
    "color32",  "rect",    "recti",   "bounds",   "boundsi",  "mask",       "curve",
    "gradient", "object",  "array",   "struct",   "managed"};

static inline void put_fields(struct buf *out, const struct type_class *c, unsigned indent)
{
    for (size_t i = 0; i < c->field_count; i++) {
        const struct type_field *f = &c->fields[i];
        if (f->is_internal || f->is_read_only || str_eq(f->key, STR("m_Enabled")))
            continue;
        buf_printf(out, "%*s%.*s: %s %.*s", (int)indent, "", STR_ARG(f->name), kinds[f->type->kind],
                   STR_ARG(f->type->name));
        if (f->initial.n > 0)
            buf_printf(out, " = %.*s", STR_ARG(f->initial));
        buf_add_char(out, '\n');
        if (f->type->kind == TYPE_STRUCT && indent < 4)
            put_fields(out, f->type->of, indent + 2);
    }
}

/* "name: kind C# name = initial"; fields of structs are indented by two columns. */
static inline void check_fields(const struct type_class *c, const char *want)
{
    struct buf got = {0};
    put_fields(&got, c, 0);
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

static inline const struct type_field *field(const struct type_class *c, const char *name)
{
    const struct type_field *f = type_field_find(c, str_from(name));
    if (f == NULL)
        fail_msg("no field %s", name);
    return f;
}

/* A component in one file; `before` precedes its class. */
static inline void check_script(const char *before, const char *members, const char *want)
{
    struct buf text = {0};
    buf_printf(&text, "%s\npublic class Thing : UnityEngine.MonoBehaviour {\n%s\n}\n", before,
               members);
    put_script("Assets/Thing.cs", GUID("1"), text.p);
    buf_done(&text);
    open_types();
    check_fields(component(GUID("1")), want);
}
