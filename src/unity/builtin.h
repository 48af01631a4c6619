/* Facts about Unity, compiled from the tables in src/unity/data: classes and their properties by
 * version, enums, scripts of packages, attributes, built-in resources.
 *
 *     const struct builtin_class *class = builtin_class(54);                     // Rigidbody
 *     for (size_t i = 0; i < class->property_count; i++)                         // in file order
 *         if (builtin_property_is_in(builtin_property(class, i), version))
 *             printf("%s\n", builtin_property(class, i)->key);
 *     const struct builtin_enum *space = builtin_enum(STR("UnityEngine.Space"));
 *     const struct builtin_script *script = builtin_script(guid, file_id);     // e.g. UI.Image
 *
 * All data is constant and shared. Nothing is allocated, and lookups are binary searches.
 *
 * A property whose initial value or presence changed has a row per range of versions, in order and
 * without overlap: the rows with builtin_property_is_in() are the keys of that version.
 * "serializedVersion" is not a property.
 */
#pragma once

#include "base/buf.h"
#include "unity/guid.h"
#include "unity/version.h"
#include "unity/yaml.h"

struct builtin_property {
    const char *key;   /* "m_Mass" */
    const char *shape; /* "float", "bool", "int(u8)", "ref<Material>", "array<ref<Material>>",
                          "struct ShadowSettings", "layer mask" ...; "": unknown */
    const char *type;  /* full C# name of the property's type: "UnityEngine.Vector3"; "": unknown */
    const char *enumeration;    /* full C# name; "": none */
    const char *initial;        /* value in a new component: the text after "key: ". A block starts
                                   with \n and is indented as in the document. NULL: the zero of the
                                   shape (0, {fileID: 0}, [], ...) */
    struct version first, last; /* editors that write it; zero: no limit */
};

struct builtin_class {
    int32_t class_id;
    const char *name;     /* native name: "Rigidbody" */
    const char *yaml_key; /* above the body in files; differs from name for a few classes */
    const char *type;     /* C# name: "UnityEngine.Rigidbody"; "": none */
    const char *base;     /* full C# name; "": none */
    bool is_component, is_behaviour, has_enabled, is_abstract, is_editor_only;
    bool allows_many;             /* several on one GameObject */
    bool has_initial;             /* builtin_new_body() knows its values */
    struct version first, last;   /* editors that have it; zero: no limit */
    struct version initial_first; /* first version with known values; zero: no limit */
    size_t property_count;
    /* private */
    const uint16_t *rows; /* classes share properties */
};

const struct builtin_class *builtin_class(int32_t class_id);          /* NULL: unknown */
const struct builtin_class *builtin_class_of(struct str csharp_type); /* full name */
/* Return the C# name of a class in a version: PhysicMaterial became PhysicsMaterial.
 * builtin_class_of() accepts both. */
const char *builtin_type(const struct builtin_class *c, struct version v);
bool builtin_class_is_in(const struct builtin_class *c, struct version v); /* unknown version: the
                                                                              newest */
const struct builtin_class *builtin_class_at(size_t i);                    /* NULL: past the last
                                                                              one */
const struct builtin_property *builtin_property(const struct builtin_class *c, size_t i);
bool builtin_property_is_in(const struct builtin_property *p,
                            struct version v); /* unknown: the newest */
/* Return the serializedVersion of a class in a version; 0: not written. */
unsigned builtin_serialized_version(const struct builtin_class *c, struct version v);

/* Return the value in a new component, in the form of builtin_property.initial; never NULL. */
const char *builtin_initial(const struct builtin_property *p);
/* Whether the initial values of a class are known in a version. */
bool builtin_knows_initial(const struct builtin_class *c, struct version v);
/* Write the body of a new component as the editor of that version does: whole lines from
 * m_ObjectHideFlags on; link keys and m_GameObject are {fileID: 0}. Return false and write nothing
 * if the values are unknown or the version has no such class. Maps are on one line, none longer
 * than 80 columns. */
bool builtin_new_body(const struct builtin_class *c, struct version v, struct buf *out);

/* A struct of the engine that is not a class: "ShadowSettings" of Light's m_Shadows. The fields are
 * those of 6000.0; other versions may differ. */
struct builtin_struct {
    const char *name;
    const struct builtin_property *properties;
    size_t property_count;
};
const struct builtin_struct *builtin_struct(struct str name); /* NULL: unknown */
/* Return the serializedVersion of a struct in a version; 0: not written. */
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
const struct builtin_enum *builtin_enum(struct str csharp_type); /* includes those of packages */

struct builtin_initial {
    struct version first; /* first version with this value */
    const char *value;    /* in the form of builtin_property.initial; never NULL */
};
struct builtin_field { /* of a package's script, in the order of the file */
    const char *key;
    const char *type;        /* as declared in C#: "float", "UnityEngine.Vector3", "List<Object>" */
    const char *enumeration; /* full C# name; "": none */
    const struct builtin_initial *initials; /* by version; not written before the first one */
    size_t initial_count;                   /* 0: unknown */
};
struct builtin_script {
    struct guid guid;
    int64_t file_id;
    const char *type;    /* "UnityEngine.UI.Image" */
    const char *package; /* "com.unity.ugui"; in older editors "UnityEngine.UI.dll" */
    bool is_component;   /* a MonoBehaviour; else a ScriptableObject or unknown */
    size_t field_count;
    /* private */
    const uint16_t *rows;
};
const struct builtin_script *builtin_script(struct guid guid, int64_t file_id);
const struct builtin_field *builtin_field(const struct builtin_script *s, size_t i);
/* Return all rows of a class and their number: versions of a package may have several GUIDs. */
const struct builtin_script *const *builtin_scripts_of(struct str csharp_type, size_t *count);
const struct builtin_script *builtin_script_at(size_t i); /* NULL: past the last one */

/* Return the full name of the base of a package's class, which may be abstract; "": unknown
 * class. */
const char *builtin_base(struct str csharp_type);

/* Return the full names in [RequireComponent], own and inherited, ending with NULL, or NULL.
 * Transform is left out. */
const char *const *builtin_requires(struct str csharp_type);
bool builtin_disallows_multiple(struct str csharp_type);

/* Return "Cube mesh" for a built-in resource, or NULL. */
const char *builtin_resource(struct reference r);
/* Find a resource by its label, as $asset does. */
bool builtin_resource_by_label(struct str label, struct reference *out);
