/* Shared by types*.c: which source declares a name, what a written name means, and how classes and
 * types are made of declarations.
 *
 *     written "EnemyStats[]" --types_name--> a declaration or a built-in fact
 *                            --types_kind--> struct type
 *     declaration            --types_class--> struct type_class with its fields
 *
 * All data is in one arena, which types_forget() drops. Sources are found by an index of the names
 * that files declare. A quick scan of every file (no parsing) builds it: first of the project's own
 * files; of cached packages only for a name that was not found.
 */
#pragma once

#include "base/map.h"
#include "unity/builtin.h"
#include "unity/csharp.h"
#include "unity/types.h"

#define TYPES_MAX_BASES     64u     /* length of a chain of base classes */
#define TYPES_MAX_LEVELS    10u     /* nesting of [Serializable] classes, as in Unity */
#define TYPES_MAX_LEAVES    8000u   /* fields of a class, with the fields of all structs in it */
#define TYPES_MAX_VALUES    500000u /* fields of all [Serializable] types, counted per level */
#define TYPES_MAX_ARGUMENTS 16u     /* of a generic type */
#define TYPES_MAX_WRITTEN   1024u   /* bytes of a type in the source */

struct types_source { /* a .cs file */
    struct str path;
    struct csharp_file *file;
    bool is_editor;
};

struct types_decl { /* a declared type, or one part of it */
    const struct csharp_type *type;
    const struct types_source *source;
    struct str full;               /* "A.B+Inner`1" */
    const struct types_decl *next; /* the next part of a partial type */
};

/* The value of a type parameter: float for the T of List<T>. */
struct types_binding {
    struct str name;
    const struct type *type;
};

/* Where a name is written. */
struct types_scope {
    const struct types_decl
        *decl; /* NULL: outside of scripts; only full names and those of UnityEngine are known */
    const struct types_binding *bindings;
    size_t binding_count;
    unsigned level; /* number of enclosing [Serializable] classes */
};

/* What a name means. All NULL: unknown. */
struct types_meaning {
    const struct types_decl *decl;
    const struct builtin_class *engine;
    const struct builtin_enum *enumeration;
    const struct builtin_struct *fixed; /* a struct of the engine by its C# name */
    struct str fixed_name;              /* the written name; UnityEvents share one struct */
    const struct type *value;           /* a primitive or a value type of the engine */
    struct str package;                 /* full name of a package's class in the tables */
};

/* A class. At first it has a name and a base only. Fields are added by types_class_complete(), so
 * that a reference to a class does not load every class it refers to. */
struct types_class {
    struct type_class class; /* first member: the pointer can be cast */
    const struct types_decl *decl;
    const struct builtin_class *engine;
    const struct builtin_script *script; /* of a package */
    bool is_complete;
    bool is_behaviour; /* derives from Component, even if it cannot be added */
    size_t leaves;     /* of a [Serializable] class: its fields and those of the structs in it */
};

struct types {
    const struct project *project;
    struct assets *assets;
    struct diagnostic_sink sink;
    struct arena arena;
    struct map classes;  /* full name, for values with level and arguments -> struct types_class */
    struct map enums;    /* full name -> struct type_enum */
    struct map sources;  /* path -> struct types_source */
    struct map entries;  /* path of a script -> struct script_entry */
    struct map outlines; /* the same, for files of which only declarations were read */
    struct map decls;    /* full name -> struct types_decl */
    struct map names[2]; /* simple name -> struct name_files; [0] own files, [1] cached packages */
    bool is_indexed[2];
    struct map packages; /* names of packages that the project lists or has; values unused */
    struct asmdef *asmdefs;
    size_t asmdef_count;
    bool asmdefs_read;
    const struct type_entry *components; /* NULL: not listed yet */
    size_t component_count;
    unsigned depth;      /* base classes being made */
    size_t value_fields; /* of [Serializable] types, made so far */
};

/* ---- types_source.c */

/* Return the declaration with this full name ("A.B+C`1"), or NULL. cached: also search packages in
 * the cache. */
const struct types_decl *types_source_decl(struct types *t, struct str full, bool cached);
/* Find all declarations with this simple name (the first part of each) and return their number. */
size_t types_source_decls(struct types *t, struct str simple, bool cached,
                          const struct types_decl ***out);
const struct types_source *types_source(struct types *t, struct str path); /* NULL: not readable */
struct str types_source_full_name(struct types *t,
                                  const struct csharp_type *type);   /* "A.B+Inner`1" */
bool types_source_is_cached(const struct types *t, struct str path); /* in a package of the cache */
struct str types_source_stem(struct str path); /* "Hero" of "Assets/Hero.cs" */
bool types_source_is_editor_only(struct types *t, struct str path);
/* Whether a file, which is not in the cache, seems to declare a type of this name. Uses the
 * index. */
bool types_source_may_declare(struct types *t, struct str path, struct str simple);
/* Whether the project lists or has this package. */
bool types_source_has_package(struct types *t, struct str package);
void types_source_forget(struct types *t);

/* Return a file with declarations but without members (with them if it was read before), or NULL if
 * it is not readable. Does not register the declarations. */
const struct types_source *types_source_outline(struct types *t, struct str path);

/* ---- types_name.c */

bool types_name_meaning(struct types *t, struct str full, bool cached, struct types_meaning *out);
/* Resolve a name as written ("Stats", "UI.Image", "global::A.B") with a number of type
 * arguments. */
bool types_name_resolve(struct types *t, const struct types_scope *s, struct str written,
                        size_t arity, struct types_meaning *out);
/* Resolve the first entry of the base list, which may be an interface. Return it as written; empty:
 * none. */
struct str types_name_resolve_base(struct types *t, const struct types_decl *d,
                                   struct str *arguments, struct types_meaning *out);
/* Split "Base<A, B>": return the name; set the text between the brackets and the number of
 * arguments. */
struct str types_name_arguments(struct str written, struct str *arguments, size_t *arity);

/* ---- types_kind.c */

/* Return the type of a field from its written type, or NULL if Unity does not serialize it. */
const struct type *types_kind(struct types *t, const struct types_scope *s, struct str written);
/* The same for a field with [SerializeReference], or an array of them. */
const struct type *types_kind_managed(struct types *t, const struct types_scope *s,
                                      struct str written);
/* Bind the arguments of a generic type to its parameters. Return their number, at most
 * TYPES_MAX_ARGUMENTS. */
size_t types_kind_bind(struct types *t, const struct types_scope *s, const struct types_decl *d,
                       struct str arguments, struct types_binding *out);
/* Return the type of a row of the tables. Never NULL. */
const struct type *types_kind_of_property(struct types *t, const struct builtin_property *p);
const struct type *types_kind_of_field(struct types *t, const struct builtin_field *f);
const struct type *types_kind_unknown(void);
const struct type *types_kind_value(
    struct str full); /* System.Single, UnityEngine.Vector3; else NULL */
const struct type *types_kind_array(struct types *t, const struct type *element, bool is_list);

/* ---- types_enum.c */

const struct type_enum *types_enum_of(struct types *t, const struct types_decl *d);
const struct type_enum *types_enum_builtin(struct types *t, const struct builtin_enum *e);
/* Return the bits of an enum's underlying type; negative: signed. */
int types_enum_bits(const struct types_decl *d);
/* Evaluate a constant integer expression, with the members of e if it is not NULL. */
bool types_enum_constant(struct str text, const struct type_enum *e, int64_t *out);

/* ---- types_class.c */

/* Return the class with this full name from any source, or NULL. */
struct types_class *types_class(struct types *t, struct str full);
struct types_class *types_class_meant(struct types *t, const struct types_meaning *m);
struct types_class *types_class_builtin(struct types *t, const struct builtin_class *b);
struct types_class *types_class_package(struct types *t, struct str full,
                                        const struct builtin_script *script);
const struct type_class *types_class_struct(struct types *t, const struct builtin_struct *s);
/* Make a class of which only the name is known: the script's source is missing. */
struct types_class *types_class_unknown(struct types *t, struct str name, struct str path,
                                        struct reference script);
const struct type_class *types_class_complete(struct types *t,
                                              struct types_class *m); /* NULL: NULL */
struct types_class *types_class_new(struct types *t, struct str key); /* registers it */
/* Set *out to the fields that every script has, and return their number. */
size_t types_class_script_head(struct types *t, struct type_field **out);
struct type_field *types_class_add_field(struct types *t, struct type_class *c);

struct types_class *types_class_script(struct types *t, const struct types_decl *d);
/* Return the class of a [Serializable] type in a field at s->level, or NULL if it is none or too
 * deep. */
const struct type_class *types_class_value(struct types *t, const struct types_decl *d,
                                           const struct types_scope *s);
/* Return the base class of d, or NULL if it is System.Object or unknown. is_script: the file has
 * the name of the class. */
struct types_class *types_class_base(struct types *t, const struct types_decl *d, bool is_script);
bool types_class_is_object(struct types *t, const struct types_decl *d); /* derives from
                                                                            UnityEngine.Object */
const struct csharp_attribute *types_class_attribute(const struct types_decl *d, const char *name);

/* Return the type with the name of the file, or NULL. */
const struct csharp_type *types_class_main_type(const struct types_source *s);
struct types_class *types_class_of_file(struct types *t,
                                        const struct types_source *s); /* NULL: none */

/* ---- types_initial.c */

/* Convert the initializer of a field to the form of the file; empty: not a constant. */
struct str types_initial(struct types *t, const struct type *type, struct str initializer);
/* Whether an initializer is the zero value of its type: "null", "new List<int>()". */
bool types_initial_is_zero(const struct type *type, struct str initializer);
/* Read a literal: "-1_000.5f", "Mathf.PI"; "\"text\"", "@\"text\"". */
bool types_initial_number(struct str text, double *out);
bool types_initial_text(struct str text, struct buf *out);
