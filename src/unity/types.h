/* What the fields of a component are: one typed view over built-in classes, scripts of packages and
 * the project's own C#.
 *
 *     struct types *t = types_new(&project, assets, &sink);
 *     const struct type_class *c = types_component(t, 114, script, STR(""));
 *     if (c == NULL) ...                                    // a missing script
 *     for (size_t i = 0; i < c->field_count; i++)
 *         c->fields[i].name, c->fields[i].type->kind ...
 *     types_free(t);
 *
 * Classes are made when asked for and kept; a script is read and parsed once. types_forget() drops
 * what came from the project's scripts after they changed; pointers got before are then dead.
 *
 * A built-in class has the properties of the project's version and older ones, which files keep
 * until Unity saves them again: what a file has not, and the version neither, is not there.
 *
 * Names. A built-in property is shown under its scripting form: "m_" dropped, first letter lower
 * ("m_Mass": mass, "near clip plane": "near clip plane"); m_Enabled stays; where two would collapse
 * both keep the raw name. Fields of scripts keep their own name; [field: SerializeField] properties
 * are shown by the property's name, and their key is <Name>k__BackingField. type_field_find() takes
 * either spelling.
 *
 * What Unity serializes of a script: public or [SerializeField] ([SerializeReference]) fields, not
 * static, const, readonly, [NonSerialized]; of a type it can: primitives, strings, enums, Unity's
 * value types, references to UnityEngine.Object,
 * [Serializable] classes and structs (not generic ones before 2020.1, no Dictionary, no interface,
 * no nested arrays, no nullable), arrays and List<T> of those. Base classes first, as far as
 * MonoBehaviour; generics closed by inheritance (class A : Base<int>); partial classes of all files
 * of the assembly's folder. A field whose type is not serializable does not exist here. A
 * [Serializable] class that contains itself is cut at 10 levels, as Unity does.
 */
#pragma once

#include "unity/assets.h"
#include "unity/project.h"
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

struct types;

struct types *types_new(const struct project *project, struct assets *assets,
                        const struct note_sink *sink);
void types_free(struct types *t);
void types_forget(struct types *t); /* scripts changed */

/* The class of a document. identifier is m_EditorClassIdentifier, used when the script is not
 * found otherwise. NULL: a missing script, or a class id nobody knows. */
const struct type_class *types_component(struct types *t, int32_t class_id, struct reference script,
                                         struct str identifier);

/* A class of the engine that our tables do not have, by what stands above its documents: a name and
 * the keys that all components have. */
const struct type_class *types_newer(struct types *t, int32_t class_id, struct str native);

/* Classes a name may mean, looked for in this order: the full name; else the simple name in
 * UnityEngine, UnityEngine.UI, .EventSystems, .Animations, .Rendering, TMPro; else any
 * class with that simple name, built-in, package (of packages that the project has, or knows of) or
 * the project's own; else a struct, enum or interface. Answers their number; *out is t's own. All
 * types count, also those that are no components: who asks says what is wrong with them. */
size_t types_find(struct types *t, struct str name, const struct type_class *const **out);

/* The class with just this full name, of which only its name and bases are known; NULL: there is
 * none. Sources of the cache are not looked for it, and nothing is left behind by asking again. */
const struct type_class *types_named(struct types *t, struct str full);

/* Whether c is that class or derives from it; by full or, if it has no dot, simple name. */
bool type_class_is_a(const struct type_class *c, struct str name);

/* The same by full name alone: a class without a namespace is not one of a namespace. */
bool type_class_derives(const struct type_class *c, struct str full);

/* A class that a GameObject can have a component of. */
struct type_entry {
    struct str name, simple;
    struct str path;  /* of its .cs; empty: it has none, or it is not there */
    int32_t class_id; /* of its documents: 114 for scripts */
    /* private */
    const struct type_class *class; /* it, or its base; NULL: of a package, known by its name */
    const struct decl *decl;        /* of scripts */
};

/* All of them: of the engine in the project's version, of packages that it has, of the scripts in
 * it; not those that are abstract or for the editor. Sorted by simple, then by full name. The first
 * call reads the scripts that may declare one, later ones nothing, until types_forget(). *out is
 * t's own. */
size_t types_components(struct types *t, const struct type_entry **out);
/* The class of one script, which may be no component: by its heads alone, so that thousands of them
 * cost little. False: a missing script. */
bool types_script_entry(struct types *t, struct reference script, struct str identifier,
                        struct type_entry *out);
/* Whether it is that class, derives from it, or implements it (an interface of a script). */
bool types_entry_is_a(struct types *t, const struct type_entry *e, const struct type_class *of);

/* The assembly that a script of the project is compiled into; empty: not known. */
struct str types_assembly(struct types *t, struct str path);
struct str types_simple(struct str full); /* "B" of "A+B`1" */
/* What a key of an engine's class is shown as, if no other is: "m_Mass" is mass. */
struct str types_shown_name(struct arena *a, struct str key);

/* By shown name or key; NULL: none. Internal ones are not found. */
const struct type_field *type_field_find(const struct type_class *c, struct str name);
bool type_field_is(const struct type_field *f, struct str key); /* its key, or a former one */
/* What a map has for a field, be it under a former name; YAML_NONE: nothing. */
struct yaml_value type_field_value(const struct type_field *f, struct yaml_value map);

const struct type_member *type_enum_by_name(const struct type_enum *e, struct str name);
/* The name of a value; of flags "A, B"; empty: it has none. */
struct str type_enum_name(const struct type_enum *e, int64_t value, struct arena *a);
