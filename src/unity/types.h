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
#include "unity/type.h"

struct types;

struct types *types_new(const struct project *project, struct assets *assets,
                        const struct diagnostic_sink *sink);
void types_free(struct types *t);
void types_forget(struct types *t); /* scripts changed */

/* The class of a document. identifier is m_EditorClassIdentifier, used when the script is not
 * found otherwise. NULL: a missing script, or a class id nobody knows. */
const struct type_class *types_component(struct types *t, int32_t class_id, struct reference script,
                                         struct str identifier);

/* A class of the engine that our tables do not have, by what stands above its documents: a name and
 * the keys that all components have. */
const struct type_class *types_class_newer(struct types *t, int32_t class_id, struct str native);

/* Classes a name may mean, looked for in this order: the full name; else the simple name in
 * UnityEngine, UnityEngine.UI, .EventSystems, .Animations, .Rendering, TMPro; else any
 * class with that simple name, built-in, package (of packages that the project has, or knows of) or
 * the project's own; else a struct, enum or interface. Answers their number; *out is t's own. All
 * types count, also those that are no components: who asks says what is wrong with them. */
size_t types_find(struct types *t, struct str name, const struct type_class *const **out);

/* The class with just this full name, of which only its name and bases are known; NULL: there is
 * none. Sources of the cache are not looked for it, and nothing is left behind by asking again. */
const struct type_class *types_named(struct types *t, struct str full);

/* A class that a GameObject can have a component of. */
struct type_entry {
    struct str name, simple;
    struct str path;  /* of its .cs; empty: it has none, or it is not there */
    int32_t class_id; /* of its documents: 114 for scripts */
    /* private */
    const struct type_class *class; /* it, or its base; NULL: of a package, known by its name */
    const struct types_decl *decl;  /* of scripts */
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
struct str types_source_assembly(struct types *t, struct str path);
