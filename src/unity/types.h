/* The fields of a component: one typed view of built-in classes, scripts of packages and the
 * project's C# scripts.
 *
 *     struct types *types = types_new(&project, assets, &sink);
 *     const struct type_class *class = types_component(types, 114, script, STR(""));
 *     for (size_t i = 0; class != NULL && i < class->field_count; i++)     // NULL: missing script
 *         printf("%.*s\n", STR_ARG(class->fields[i].name));
 *     types_free(types);
 *
 * Classes are made on demand and cached; each script is read and parsed once. After scripts
 * changed, types_forget() drops everything, and all pointers that were returned become invalid.
 *
 * A built-in class has the properties of the project's version and those of older versions, which
 * files keep until Unity saves them again.
 *
 * Names: a built-in property is shown as in C#, without "m_" and with a lower-case first letter
 * ("m_Mass" is "mass", "near clip plane" is unchanged). m_Enabled keeps its name, and two
 * properties that would get the same name keep their keys. Fields of scripts keep their names; a
 * [field: SerializeField] property has its own name and the key <Name>k__BackingField.
 * type_field_find() takes names and keys.
 *
 * Serialized fields of a script are those that are public or have [SerializeField] or
 * [SerializeReference], and are not static, const, readonly or [NonSerialized]. Their types are
 * primitives, strings, enums, Unity's value types, references to UnityEngine.Object, [Serializable]
 * classes and structs (generic ones from 2020.1 on), and arrays and List<T> of those. Not
 * serialized: dictionaries, interfaces, nested arrays, nullable types. Fields of base classes come
 * first, up to MonoBehaviour; type parameters are bound through inheritance (class A : Base<int>);
 * the parts of a partial class are joined. A [Serializable] class that contains itself ends after
 * 10 levels, as in Unity.
 */
#pragma once

#include "unity/assets.h"
#include "unity/project.h"
#include "unity/type.h"

struct types;

struct types *types_new(const struct project *project, struct assets *assets,
                        const struct diagnostic_sink *sink);
void types_free(struct types *t);
void types_forget(struct types *t); /* drop everything, after scripts changed */

/* Return the class of a document, or NULL for a missing script or an unknown class id. identifier
 * is m_EditorClassIdentifier, used if the script is not found otherwise. */
const struct type_class *types_component(struct types *t, int32_t class_id, struct reference script,
                                         struct str identifier);

/* Return a class for a class id that our tables do not have. native is the name above its
 * documents; its fields are the keys that all components have. */
const struct type_class *types_class_newer(struct types *t, int32_t class_id, struct str native);

/* Find the classes that a name may mean and return their number; *out is owned by t. Search in this
 * order and stop at the first result: the full name; the simple name in UnityEngine, its UI,
 * EventSystems, Animations and Rendering, and TMPro; any class with the simple name (built-in, of a
 * package, of the project); structs, enums and interfaces. The result may include types that are
 * not components. */
size_t types_find(struct types *t, struct str name, const struct type_class *const **out);

/* Return the class with this full name, with its name and bases only, or NULL. Does not search the
 * sources of cached packages. */
const struct type_class *types_named(struct types *t, struct str full);

/* A class that can be added to a GameObject. */
struct type_entry {
    struct str name, simple;
    struct str path;  /* of its .cs; empty: none, or missing */
    int32_t class_id; /* of its documents; 114 for scripts */
    /* private */
    const struct type_class *class; /* the class or its base; NULL: a package's class of which only
                                       the name is known */
    const struct types_decl *decl;  /* of scripts */
};

/* List all of them: of the engine in the project's version, of its packages, of its scripts,
 * without abstract and editor-only classes. Sorted by simple, then by full name. The first call
 * reads the scripts that may declare a component; later calls read nothing until types_forget().
 * *out is owned by t. */
size_t types_components(struct types *t, const struct type_entry **out);
/* Find the class of one script, which may not be a component. Return false for a missing script.
 * Reads declarations without bodies, which is cheap for thousands of scripts. */
bool types_script_entry(struct types *t, struct reference script, struct str identifier,
                        struct type_entry *out);
/* Whether it is this class, derives from it or implements it (an interface in a script). */
bool types_entry_is_a(struct types *t, const struct type_entry *e, const struct type_class *of);

/* Return the assembly that a script of the project is compiled into; empty: unknown. */
struct str types_source_assembly(struct types *t, struct str path);
