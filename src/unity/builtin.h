/* Facts about Unity itself, compiled from the tables in src/unity/data: classes and their
 * properties by version, enums, scripts of packages, attributes, built-in resources.
 *
 *     const struct builtin_class *c = builtin_class(54);       // Rigidbody
 *     for (size_t i = 0; i < c->property_count; i++)
 *         if (builtin_has(&c->properties[i], version)) ...     // in the order of the file
 *     const struct builtin_enum *e = builtin_enum(STR("UnityEngine.RigidbodyConstraints"));
 *     const struct builtin_script *s = builtin_script(guid, file_id);  // UnityEngine.UI.Image
 *
 * All of it is constant and shared; nothing is allocated, every lookup is a binary search.
 */
#pragma once

#include "unity/guid.h"
#include "unity/version.h"
#include "unity/yaml.h"

struct builtin_property {
    const char *key;   /* "m_Mass" */
    const char *shape; /* "float", "bool", "int(u8)", "ref<Material>", "array<ref<Material>>",
                              "struct{m_Bits} (layer mask)" ...: parsed by types.c */
    const char *type;  /* C# full name of the property: "UnityEngine.Vector3"; "": not known */
    const char *enumeration;    /* C# full name; "": none */
    const char *api;            /* scripting name, "mass"; "": none */
    const char *initial;        /* as a new component has it, in file form; lines of a block are
                              separated by \n and indented as in the document; NULL: that of the
                              shape (0, {fileID: 0}, [] ...) */
    struct version first, last; /* editors that write it; zero: no bound */
};

struct builtin_class {
    int32_t class_id;
    const char *name;     /* native: "Rigidbody" */
    const char *yaml_key; /* what stands above the body; differs for a few */
    const char *type;     /* C#: "UnityEngine.Rigidbody"; "": none */
    const char *base;     /* C# full name of the base class; "": none */
    bool is_component, is_behaviour, has_enabled, is_abstract, is_editor_only;
    bool allows_many; /* more than one on a GameObject */
    const struct builtin_property *properties;
    size_t property_count;
};

const struct builtin_class *builtin_class(int32_t class_id);          /* NULL: unknown */
const struct builtin_class *builtin_class_of(struct str csharp_type); /* full name */
const struct builtin_class *builtin_class_at(size_t i);               /* NULL: no more */
bool builtin_has(const struct builtin_property *p, struct version v); /* unknown v: newest */
/* serializedVersion of the class in that version; 0 or 1: not written. */
unsigned builtin_serialized_version(const struct builtin_class *c, struct version v);

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

struct builtin_field { /* of a package's script, in the order of the file */
    const char *key;
    const char *type;        /* C# as declared: "float", "UnityEngine.Vector3", "List<Object>" */
    const char *enumeration; /* C# full name; "": none */
    const char *api;
};
struct builtin_script {
    struct guid guid;
    int64_t file_id;
    const char *type;  /* "UnityEngine.UI.Image" */
    bool is_component; /* a MonoBehaviour; else a ScriptableObject or unknown */
    const struct builtin_field *fields;
    size_t field_count;
};
const struct builtin_script *builtin_script(struct guid guid, int64_t file_id);
/* All rows of that class (several versions of a package have several GUIDs): the first and their
 * number. */
const struct builtin_script *const *builtin_scripts_of(struct str csharp_type, size_t *count);
const struct builtin_script *builtin_script_at(size_t i); /* NULL: no more */

/* [RequireComponent]: full names, NULL at the end; NULL: none. */
const char *const *builtin_requires(struct str csharp_type);
bool builtin_disallows_multiple(struct str csharp_type);

/* "Cube mesh" for a built-in resource; NULL: not known. */
const char *builtin_resource(struct reference r);
/* For $asset: the reference of a resource by this label. */
bool builtin_resource_by_label(struct str label, struct reference *out);
