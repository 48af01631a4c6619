/* Types as data: a class, its fields, their types and enums. unity/types.h makes them.
 *
 *     const struct type_field *field = type_field_find(class, STR("mass"));   // or "m_Mass"
 *     if (field != NULL && field->type->kind == TYPE_FLOAT)
 *         value = type_field_value(field, body);
 */
#pragma once

#include "unity/yaml.h"

enum type_kind {
    TYPE_UNKNOWN, /* shown as in the file, cannot be set */
    TYPE_BOOL,
    TYPE_INT, /* bits, is_signed; includes char */
    TYPE_FLOAT,
    TYPE_DOUBLE,
    TYPE_STRING,
    TYPE_ENUM, /* bits, is_signed, values */
    TYPE_VECTOR2,
    TYPE_VECTOR3,
    TYPE_VECTOR4,
    TYPE_VECTOR2_INT,
    TYPE_VECTOR3_INT,
    TYPE_QUATERNION,
    TYPE_COLOR,   /* floats, a flow map */
    TYPE_COLOR32, /* "rgba: 4294967295" in a block */
    TYPE_RECT,
    TYPE_RECT_INT,
    TYPE_BOUNDS,
    TYPE_BOUNDS_INT,
    TYPE_LAYER_MASK,
    TYPE_CURVE,
    TYPE_GRADIENT,
    TYPE_OBJECT,  /* a reference to an object of class `of` */
    TYPE_ARRAY,   /* T[] or List<T> of `element` */
    TYPE_STRUCT,  /* fields of class `of`; includes structs of the engine such as Light's
                     m_Shadows */
    TYPE_MANAGED, /* [SerializeReference]: rid */
    TYPE_KIND_COUNT
};

struct type_member {
    struct str name;
    int64_t value;
};

struct type_enum {
    struct str name; /* full name */
    bool flags;
    const struct type_member *members; /* in the order of declaration */
    size_t count;
};

struct type {
    enum type_kind kind;
    uint8_t bits; /* 8, 16, 32 or 64, of an integer or enum */
    bool is_signed;
    bool is_list;    /* List<T>, not T[] */
    bool is_hex;     /* stored as one hex string (bools, bytes, ints, enums) */
    struct str name; /* C# full name: "System.Single", "UnityEngine.Transform[]",
                        "System.Collections.Generic.List<UnityEngine.Transform>", "A.B+Inner" */
    const struct type *element;
    const struct type_class *of; /* of a reference: the name and bases only, not the fields */
    const struct type_enum *values;
};

struct type_hints { /* attributes for the inspector */
    bool has_min, has_max;
    double min, max;    /* [Range], [Min]; of the elements of an array. Not enforced. */
    bool is_multiline;  /* [TextArea], [Multiline] */
    bool is_hidden;     /* [HideInInspector] */
    struct str tooltip; /* [Tooltip]; empty: none, or not a literal */
};

struct type_field {
    struct str key;  /* name in the file */
    struct str name; /* name for clients */
    const struct type *type;
    struct str
        initial; /* the value if the file has none, in the form of the file: "5", "{x: 0, y: 0, z:
                    0}", "Hero". A block starts with a line end and is indented from 0. */
    const struct str *former; /* [FormerlySerializedAs]: keys in older files */
    size_t former_count;
    const struct type_hints *hints; /* NULL: no such attributes */
    bool is_internal;               /* link keys, m_Script, m_Name ...: neither shown nor set */
    bool is_read_only; /* m_GameObject, m_Father, m_Children: shown elsewhere, not set */
    bool is_filled_in; /* of a built-in class: Unity uses `initial`, which is known, for a missing
                          key */
    bool is_left_out;  /* a new component leaves out the key: its initial value is not a known
                          constant, and Unity fills it in on load */
};

struct type_class {
    struct str name;               /* full name: "MyGame.EnemyChaser", nested "A.B+Inner" */
    struct str simple;             /* "EnemyChaser" */
    struct str native;             /* name in builtin.h, if it is a struct of the engine */
    const struct type_class *base; /* NULL: UnityEngine.Object, System.Object or unknown */
    int32_t class_id;              /* class id of its documents; 114 for scripts; 0: not an
                                      Object */
    struct reference script;       /* of a script: the value of m_Script */
    struct str path;               /* of a script in the project: its .cs; else empty */
    bool is_object;                /* derives from UnityEngine.Object */
    bool is_component;             /* can be added to a GameObject; a script's file must have the
                                      name of the class */
    bool is_abstract;              /* abstract, static or an open generic */
    bool is_editor_only;           /* in an Editor folder or an editor assembly */
    bool is_single;                /* at most one on a GameObject */
    bool is_known; /* its fields are known; false: only the name is, e.g. because the .cs is
                      missing */
    const struct type_field *fields; /* in the order of the file */
    size_t field_count;
    const struct str *requires_; /* [RequireComponent], own and inherited: full names */
    size_t require_count;
};

struct str type_simple_name(struct str full); /* "B" for "A+B`1" */
/* Return the shown name of a key of a built-in class: "mass" for "m_Mass". */
struct str type_shown_name(struct arena *a, struct str key);

/* Whether c is this class or derives from it. A name without a dot matches simple names too. */
bool type_class_is_a(const struct type_class *c, struct str name);

/* The same, but by full name only. */
bool type_class_derives(const struct type_class *c, struct str full);

/* Find a field by its shown name or key, or return NULL. Internal fields are not found. */
const struct type_field *type_field_find(const struct type_class *c, struct str name);
bool type_field_is(const struct type_field *f, struct str key); /* the key or a former key */
/* Return the value of a field in a map, also under a former key, or YAML_NONE. */
struct yaml_value type_field_value(const struct type_field *f, struct yaml_value map);

const struct type_member *type_enum_by_name(const struct type_enum *e, struct str name);
/* Return the name of a value, "A, B" for flags, or an empty text. */
struct str type_enum_name(const struct type_enum *e, int64_t value, struct arena *a);
