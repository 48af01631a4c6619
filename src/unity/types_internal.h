/* The parts of types.c, for each other: which source declares a name, what a written name means,
 * and how classes and types are made of it.
 *
 *     written "EnemyStats[]" --types_name--> a declaration or a built-in fact
 *                            --types_kind--> struct type
 *     declaration            --types_script--> struct type_class with its fields
 *
 * All of it lives in one arena and is dropped at once (types_forget). Sources are found by an index
 * of the names that files declare, which is made of a quick look at every file (no parsing): first
 * of the project's own, and only for a name that is found nowhere of the cached packages.
 */
#pragma once

#include "base/map.h"
#include "unity/builtin.h"
#include "unity/csharp.h"
#include "unity/types.h"

#define TYPES_MAX_BASES     64u /* length of a chain of base classes */
#define TYPES_MAX_LEVELS    10u /* of [Serializable] classes inside one another, as Unity has it */
#define TYPES_MAX_LEAVES    8000u   /* fields of one class with those of all structs in it */
#define TYPES_MAX_VALUES    500000u /* fields of all [Serializable] types, at each level anew */
#define TYPES_MAX_ARGUMENTS 16u     /* of a generic type */
#define TYPES_MAX_WRITTEN   1024u   /* bytes of a type as written */

struct types_source { /* a .cs file that was read */
    struct str path;
    struct csharp_file *file;
    bool is_editor;
};

struct types_decl { /* a declared type, or one part of it */
    const struct csharp_type *type;
    const struct types_source *source;
    struct str full;               /* "A.B+Inner`1" */
    const struct types_decl *next; /* another part of a partial type */
};

/* What a type parameter stands for: List<T> where T is float. */
struct types_binding {
    struct str name;
    const struct type *type;
};

/* Where a name is written. */
struct types_scope {
    const struct types_decl
        *decl; /* NULL: nowhere; only full names and those of UnityEngine mean anything */
    const struct types_binding *bindings;
    size_t binding_count;
    unsigned level; /* of [Serializable] classes around it */
};

/* What a name means; all NULL: nothing known. */
struct types_meaning {
    const struct types_decl *decl;
    const struct builtin_class *engine;
    const struct builtin_enum *enumeration;
    const struct builtin_struct *fixed; /* a struct of the engine by its C# name */
    struct str fixed_name;              /* which, for UnityEvents, is more than the struct's */
    const struct type *value;           /* a primitive or one of the engine's value types */
    struct str package;                 /* full name of a package's class that is in the tables */
};

/* A class, which at first is a name with a base: its fields are looked for when it is asked for
 * itself, so that references from class to class do not pull in the whole project. */
struct types_class {
    struct type_class class; /* first, so that one is the other */
    const struct types_decl *decl;
    const struct builtin_class *engine;
    const struct builtin_script *script; /* of a package */
    bool is_complete;
    bool is_behaviour; /* it derives from a Component, whether or not it can be added */
    size_t leaves;     /* of a [Serializable] class: its fields and those of the structs in it */
};

struct types {
    const struct project *project;
    struct assets *assets;
    struct diagnostic_sink sink;
    struct arena arena;
    struct map
        classes; /* full name; of a field's class with level and arguments -> struct types_class */
    struct map enums;    /* full name -> struct type_enum */
    struct map sources;  /* path -> struct types_source */
    struct map entries;  /* path of a script -> struct script_entry */
    struct map outlines; /* the same of files of which only the heads of types were read */
    struct map decls;    /* full name -> struct types_decl */
    struct map names[2]; /* simple name -> struct name_files; own files, cached packages */
    bool is_indexed[2];
    struct map packages; /* names of those that the project lists or has -> anything */
    struct asmdef *asmdefs;
    size_t asmdef_count;
    bool asmdefs_read;
    const struct type_entry *components; /* NULL: not asked for yet */
    size_t component_count;
    unsigned depth;      /* of base classes that are being made */
    size_t value_fields; /* made so far of [Serializable] types */
};

/* ---- types_source.c */

/* The declaration with this full name ("A.B+C`1"); cached: also in packages of the cache. */
const struct types_decl *types_source_decl(struct types *t, struct str full, bool cached);
/* All declarations with this simple name, first parts only; the number of them. */
size_t types_source_decls(struct types *t, struct str simple, bool cached,
                          const struct types_decl ***out);
const struct types_source *types_source(struct types *t, struct str path); /* NULL: not readable */
struct str types_source_full_name(struct types *t,
                                  const struct csharp_type *type);   /* "A.B+Inner`1" */
bool types_source_is_cached(const struct types *t, struct str path); /* of a package in the cache */
struct str types_source_stem(struct str path); /* "Hero" of "Assets/Hero.cs" */
bool types_source_is_editor_only(struct types *t, struct str path);
/* Whether that file, which is not of the cache, seems to declare a type of that name: a quick look
 * that was taken at all of them. */
bool types_source_may_declare(struct types *t, struct str path, struct str simple);
/* Whether the project lists or has this package. */
bool types_source_has_package(struct types *t, struct str package);
void types_source_forget(struct types *t);

/* Its types with nothing in them, unless all of it was read already; NULL: not readable. What is
 * declared there is not known by that. */
const struct types_source *types_source_outline(struct types *t, struct str path);

/* ---- types_name.c */

bool types_name_meaning(struct types *t, struct str full, bool cached, struct types_meaning *out);
/* A name as written ("Stats", "UI.Image", "global::A.B"), with the number of its type arguments. */
bool types_name_resolve(struct types *t, const struct types_scope *s, struct str written,
                        size_t arity, struct types_meaning *out);
/* The same for the first of the base list; answers it as written, empty: there is none. It may mean
 * an interface. */
struct str types_name_resolve_base(struct types *t, const struct types_decl *d,
                                   struct str *arguments, struct types_meaning *out);
/* Of "Base<A, B>" the name, and what is in the brackets with its number. */
struct str types_name_arguments(struct str written, struct str *arguments, size_t *arity);

/* ---- types_kind.c */

/* What a field of this written type is; NULL: nothing Unity serializes. */
const struct type *types_kind(struct types *t, const struct types_scope *s, struct str written);
/* A [SerializeReference] field, or array of them. */
const struct type *types_kind_managed(struct types *t, const struct types_scope *s,
                                      struct str written);
/* The arguments of a generic type, bound to its parameters; their number, at most
 * TYPES_MAX_ARGUMENTS. */
size_t types_kind_bind(struct types *t, const struct types_scope *s, const struct types_decl *d,
                       struct str arguments, struct types_binding *out);
/* Of the tables: shape and C# names. Never NULL. */
const struct type *types_kind_of_property(struct types *t, const struct builtin_property *p);
const struct type *types_kind_of_field(struct types *t, const struct builtin_field *f);
const struct type *types_kind_unknown(void);
const struct type *types_kind_value(
    struct str full); /* System.Single, UnityEngine.Vector3; else NULL */
const struct type *types_kind_array(struct types *t, const struct type *element, bool is_list);

/* ---- types_enum.c */

const struct type_enum *types_enum_of(struct types *t, const struct types_decl *d);
const struct type_enum *types_enum_builtin(struct types *t, const struct builtin_enum *e);
/* Bits of an enum's underlying type; negative: signed. */
int types_enum_bits(const struct types_decl *d);
/* A constant expression of whole numbers and, if e is given, its members. */
bool types_enum_constant(struct str text, const struct type_enum *e, int64_t *out);

/* ---- types_class.c */

/* By full name, wherever it comes from; NULL: no such class. */
struct types_class *types_class(struct types *t, struct str full);
struct types_class *types_class_meant(struct types *t, const struct types_meaning *m);
struct types_class *types_class_builtin(struct types *t, const struct builtin_class *b);
struct types_class *types_class_package(struct types *t, struct str full,
                                        const struct builtin_script *script);
const struct type_class *types_class_struct(struct types *t, const struct builtin_struct *s);
/* Only a name: a script whose source is not there. */
struct types_class *types_class_unknown(struct types *t, struct str name, struct str path,
                                        struct reference script);
const struct type_class *types_class_complete(struct types *t,
                                              struct types_class *m); /* NULL: NULL */
struct types_class *types_class_new(struct types *t, struct str key); /* enters it */
/* The fields every script has, in *out; their number. */
size_t types_class_script_head(struct types *t, struct type_field **out);
struct type_field *types_class_add_field(struct types *t, struct type_class *c);

struct types_class *types_class_script(struct types *t, const struct types_decl *d);
/* A [Serializable] type as the type of a field at s->level; NULL: it is none, or too deep. */
const struct type_class *types_class_value(struct types *t, const struct types_decl *d,
                                           const struct types_scope *s);
/* The class that d derives from; NULL: none but System.Object, or not known. is_script: it is of a
 * file of its own name. */
struct types_class *types_class_base(struct types *t, const struct types_decl *d, bool is_script);
bool types_class_is_object(struct types *t, const struct types_decl *d); /* of UnityEngine */
const struct csharp_attribute *types_class_attribute(const struct types_decl *d, const char *name);

/* The type that makes the class of a script file: the one of its name; NULL: none. */
const struct csharp_type *types_class_main_type(const struct types_source *s);
struct types_class *types_class_of_file(struct types *t,
                                        const struct types_source *s); /* NULL: none */

/* ---- types_initial.c */

/* The initializer of a field in file form; empty: none that is a constant. */
struct str types_initial(struct types *t, const struct type *type, struct str initializer);
/* Whether an initializer says no more than the zero of its type: "null", "new List<int>()". */
bool types_initial_is_zero(const struct type *type, struct str initializer);
/* Literals: "-1_000.5f", "Mathf.PI"; "\"text\"", "@\"text\"". False: it is none. */
bool types_initial_number(struct str text, double *out);
bool types_initial_text(struct str text, struct buf *out);
