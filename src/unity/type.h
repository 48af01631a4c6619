/* What a class of a component, a field and a type are, and questions about them. */
#pragma once

#include "unity/yaml.h"

enum type_kind {
    TYPE_UNKNOWN, /* shown as it stands, not settable */
    TYPE_BOOL,
    TYPE_INT, /* bits, is_signed; also char */
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
    TYPE_OBJECT,  /* a reference: of says to what */
    TYPE_ARRAY,   /* T[] or List<T>: element */
    TYPE_STRUCT,  /* of says which fields; also built-in structs such as Light's m_Shadows */
    TYPE_MANAGED, /* [SerializeReference]: rid */
    TYPE_KIND_COUNT
};

struct type_member {
    struct str name;
    int64_t value;
};

struct type_enum {
    struct str name; /* full */
    bool flags;
    const struct type_member *members; /* as declared */
    size_t count;
};

struct type {
    enum type_kind kind;
    uint8_t bits; /* of integers and enums: 8, 16, 32, 64 */
    bool is_signed;
    bool is_list;    /* List<T>, not T[] */
    bool is_hex;     /* an array the file keeps as one hex string (bool, bytes, ints, enums) */
    struct str name; /* C# full name: "System.Single", "UnityEngine.Transform[]",
                        "System.Collections.Generic.List<UnityEngine.Transform>", "A.B+Inner" */
    const struct type *element;
    const struct type_class *of; /* of a reference: only its name and bases, not its fields */
    const struct type_enum *values;
};

struct type_hints { /* what attributes of a field tell an inspector */
    bool has_min, has_max;
    double min, max; /* [Range], [Min]: of the elements, if it is an array. Nobody enforces them */
    bool is_multiline;  /* [TextArea], [Multiline] */
    bool is_hidden;     /* [HideInInspector] */
    struct str tooltip; /* [Tooltip]; empty: none, or no literal */
};

struct type_field {
    struct str key;  /* in the file */
    struct str name; /* shown */
    const struct type *type;
    struct str
        initial; /* its value while the file has none, in file form ("5", "{x: 0, y: 0, z: 0}",
                           "Hero"; a block: lines, first one after a line end, indented from 0) */
    const struct str *former; /* [FormerlySerializedAs]: keys of older files */
    size_t former_count;
    const struct type_hints *hints; /* NULL: no attribute says anything */
    bool is_internal;               /* link keys, m_Script, m_Name ...: neither shown nor set */
    bool is_read_only; /* m_GameObject, m_Father, m_Children: shown elsewhere, not set */
    bool is_filled_in; /* of a built-in class: where a file lacks the key Unity puts its initial
                          value there, which is known */
    bool is_left_out;  /* by a new component: what it starts with is told by code that is not here
                          or no constant, and Unity puts it there for a key that is missing */
};

struct type_class {
    struct str name;               /* full: "MyGame.EnemyChaser", nested "A.B+Inner" */
    struct str simple;             /* "EnemyChaser" */
    struct str native;             /* of a struct of the engine: its name in builtin.h */
    const struct type_class *base; /* NULL: UnityEngine.Object, System.Object, or not known */
    int32_t class_id;              /* of its documents: 54; scripts 114; 0: not an Object */
    struct reference script;       /* of scripts: what m_Script holds */
    struct str path;               /* of the project's own: the .cs; empty: built-in or package */
    bool is_object;                /* a UnityEngine.Object */
    bool is_component;             /* and can be one: a script's class is called as its file */
    bool is_abstract;              /* or static, or generic and open */
    bool is_editor_only;           /* in an Editor folder or assembly */
    bool is_single;                /* at most one on a GameObject */
    bool is_known; /* its fields are; false: only its name is (a .cs that is not there) */
    const struct type_field *fields; /* in the order of the file */
    size_t field_count;
    const struct str *requires_; /* [RequireComponent], own and inherited: full names */
    size_t require_count;
};

struct str type_simple_name(struct str full); /* "B" of "A+B`1" */
/* What a key of an engine's class is shown as, if no other is: "m_Mass" is mass. */
struct str type_shown_name(struct arena *a, struct str key);

/* Whether c is that class or derives from it; by full or, if it has no dot, simple name. */
bool type_class_is_a(const struct type_class *c, struct str name);

/* The same by full name alone: a class without a namespace is not one of a namespace. */
bool type_class_derives(const struct type_class *c, struct str full);

/* By shown name or key; NULL: none. Internal ones are not found. */
const struct type_field *type_field_find(const struct type_class *c, struct str name);
bool type_field_is(const struct type_field *f, struct str key); /* its key, or a former one */
/* What a map has for a field, be it under a former name; YAML_NONE: nothing. */
struct yaml_value type_field_value(const struct type_field *f, struct yaml_value map);

const struct type_member *type_enum_by_name(const struct type_enum *e, struct str name);
/* The name of a value; of flags "A, B"; empty: it has none. */
struct str type_enum_name(const struct type_enum *e, int64_t value, struct arena *a);
