/* Facts about Unity itself, compiled from the tables in src/unity/data: classes and their
 * properties by version, enums, scripts of packages, attributes, built-in resources.
 *
 *     const struct builtin_class *c = builtin_class(54);       // Rigidbody
 *     for (size_t i = 0; i < c->property_count; i++)
 *         if (builtin_property_is_in(builtin_property(c, i), version)) ...   // in the order of the file
 *     const struct builtin_enum *e = builtin_enum(STR("UnityEngine.RigidbodyConstraints"));
 *     const struct builtin_script *s = builtin_script(guid, file_id);  // UnityEngine.UI.Image
 *
 * All of it is constant and shared; nothing is allocated, every lookup is a binary search.
 *
 * A property whose initial value or presence changed more than once has a row for each range of
 * versions, one behind the other; the ranges never overlap, so that the rows of which builtin_property_is_in()
 * is true are the key list of that version. "serializedVersion" is no property.
 */
#pragma once

#include "base/buf.h"
#include "unity/guid.h"
#include "unity/version.h"
#include "unity/yaml.h"

struct builtin_property {
    const char *key;   /* "m_Mass" */
    const char *shape; /* "float", "bool", "int(u8)", "ref<Material>", "array<ref<Material>>",
                          "struct ShadowSettings", "layer mask" ...; "": not known */
    const char *type;  /* C# full name of the property: "UnityEngine.Vector3"; "": not known */
    const char *enumeration;    /* C# full name; "": none */
    const char *initial;        /* as a new component has it: what stands behind "key:" and
                                   its blank; a block starts with \n and its lines are indented as
                                   in the document; NULL: that of the shape (0, {fileID: 0}, [],
                                   ...) */
    struct version first, last; /* editors that write it; zero: no bound */
};

struct builtin_class {
    int32_t class_id;
    const char *name;     /* native: "Rigidbody" */
    const char *yaml_key; /* what stands above the body; differs for a few */
    const char *type;     /* C#: "UnityEngine.Rigidbody"; "": none */
    const char *base;     /* C# full name of the base class; "": none */
    bool is_component, is_behaviour, has_enabled, is_abstract, is_editor_only;
    bool allows_many;             /* more than one on a GameObject */
    bool has_initial;             /* builtin_new_body() knows its values */
    struct version first, last;   /* editors that have it; zero: no bound */
    struct version initial_first; /* from which on it does; zero: no bound */
    size_t property_count;
    /* private */
    const uint16_t *rows; /* many classes share their properties */
};

const struct builtin_class *builtin_class(int32_t class_id);          /* NULL: unknown */
const struct builtin_class *builtin_class_of(struct str csharp_type); /* full name */
/* The C# name of a class in that version: PhysicMaterial became PhysicsMaterial. builtin_class_of()
 * knows both. */
const char *builtin_type(const struct builtin_class *c, struct version v);
bool builtin_class_is_in(const struct builtin_class *c, struct version v); /* unknown: newest */
const struct builtin_class *builtin_class_at(size_t i);                    /* NULL: no more */
const struct builtin_property *builtin_property(const struct builtin_class *c, size_t i);
bool builtin_property_is_in(const struct builtin_property *p,
                            struct version v); /* unknown v: newest */
/* serializedVersion of the class in that version; 0: not written. */
unsigned builtin_serialized_version(const struct builtin_class *c, struct version v);

/* What a new component has there, as struct builtin_property says; never NULL. */
const char *builtin_initial(const struct builtin_property *p);
/* Whether the initial values of this class are known in that version. */
bool builtin_knows_initial(const struct builtin_class *c, struct version v);
/* The body of a document of this class as the editor of that version writes it for a component that
 * was just added: whole lines from m_ObjectHideFlags on, ending with a line feed; the link keys and
 * m_GameObject are {fileID: 0}. False: its values are not known, or that editor has no such class;
 * out is untouched. Maps are on one line; none is longer than 80 columns. */
bool builtin_new_body(const struct builtin_class *c, struct version v, struct buf *out);

/* A struct of the engine that is no class of its own: "ShadowSettings" of Light's m_Shadows. The
 * fields are those of 6000.0; other versions may have fewer or more. */
struct builtin_struct {
    const char *name;
    const struct builtin_property *properties;
    size_t property_count;
};
const struct builtin_struct *builtin_struct(struct str name); /* NULL: unknown */
/* serializedVersion, its first key, in that version; 0: not written. */
unsigned builtin_struct_version(struct str name, struct version v);

struct builtin_member {
    const char *name;
    int64_t value;
};
struct builtin_enum {
    const char *type;
    bool flags;
    const struct builtin_member *members;
    size_t count;
};
const struct builtin_enum *builtin_enum(struct str csharp_type); /* also those of packages */

struct builtin_initial {
    struct version first; /* from which on it is so */
    const char *value;    /* as builtin_property.initial; never NULL */
};
struct builtin_field { /* of a package's script, in the order of the file */
    const char *key;
    const char *type;        /* C# as declared: "float", "UnityEngine.Vector3", "List<Object>" */
    const char *enumeration; /* C# full name; "": none */
    const struct builtin_initial *initials; /* by version; before the first it is not written */
    size_t initial_count;                   /* 0: not known */
};
struct builtin_script {
    struct guid guid;
    int64_t file_id;
    const char *type;    /* "UnityEngine.UI.Image" */
    const char *package; /* "com.unity.ugui"; of older editors "UnityEngine.UI.dll" */
    bool is_component;   /* a MonoBehaviour; else a ScriptableObject or unknown */
    size_t field_count;
    /* private */
    const uint16_t *rows;
};
const struct builtin_script *builtin_script(struct guid guid, int64_t file_id);
const struct builtin_field *builtin_field(const struct builtin_script *s, size_t i);
/* All rows of that class (several versions of a package have several GUIDs): the first and their
 * number. */
const struct builtin_script *const *builtin_scripts_of(struct str csharp_type, size_t *count);
const struct builtin_script *builtin_script_at(size_t i); /* NULL: no more */

/* The base class of a package's class, which may be abstract and no script: full name; "": that
 * class is not known. */
const char *builtin_base(struct str csharp_type);

/* [RequireComponent], own and inherited: full names, NULL at the end; NULL: none. Transform, which
 * everything has, is left out. */
const char *const *builtin_requires(struct str csharp_type);
bool builtin_disallows_multiple(struct str csharp_type);

/* "Cube mesh" for a built-in resource; NULL: not known. */
const char *builtin_resource(struct reference r);
/* For $asset: the reference of a resource by this label. */
bool builtin_resource_by_label(struct str label, struct reference *out);
