/* Read what a C# file declares, as far as an inspector needs it.
 *
 *     struct csharp_error error;
 *     struct csharp_options options = {.defines = symbols, .define_count = count};
 *     struct csharp_file *file = csharp_read(text, &options, &error);
 *     for (size_t i = 0; i < file->type_count; i++)
 *         printf("%.*s\n", STR_ARG(file->types[i].name));
 *     csharp_free(file);
 *
 * csharp_blank() first replaces everything irrelevant by blanks: inactive #if branches, comments,
 * bodies of methods, accessors and lambdas. All offsets stay the same. Then tree-sitter parses the
 * rest, which takes half the time of parsing the whole file, and errors in a body hide nothing. A
 * file with errors still gives the readable declarations, and *error is the first error. Types are
 * texts as in the source; unity/types.h, which knows the project, resolves them.
 *
 * All texts are valid UTF-8: invalid bytes become '?'. Names, types and bases have no unnecessary
 * blanks ("Dictionary<string,int>") and no "@". Files may be hostile: parts beyond a limit are left
 * out and reported as an error. The limits are CSHARP_MAX_BYTES, 4 MiB of declarations, 63 nested
 * types and 8 KiB for one declaration without its bodies.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#define CSHARP_MAX_BYTES (16u << 20)

struct csharp_error {
    unsigned line, column; /* from 1, in characters; 0: no error */
};

struct csharp_attribute {
    struct str name;      /* as in the source: "RequireComponent", "UnityEngine.SerializeField" */
    struct str arguments; /* between the parentheses; empty: none */
    struct str target;    /* "field" for [field: SerializeField]; empty: none */
};

enum csharp_modifier {
    CSHARP_PUBLIC = 1u << 0,
    CSHARP_PRIVATE = 1u << 1,
    CSHARP_PROTECTED = 1u << 2,
    CSHARP_INTERNAL = 1u << 3,
    CSHARP_STATIC = 1u << 4,
    CSHARP_CONST = 1u << 5,
    CSHARP_READONLY = 1u << 6,
    CSHARP_ABSTRACT = 1u << 7,
    CSHARP_SEALED = 1u << 8,
    CSHARP_PARTIAL = 1u << 9
};

struct csharp_field {
    struct str name;
    struct str type;        /* "Transform[]", "List<Vector3>", "int?"; "byte[8]" for a fixed
                               buffer */
    struct str initializer; /* after "="; empty: none. A body in it is 0 or blank, text longer than
                               4 KiB is _, code in a string is {_  } */
    unsigned modifiers;
    bool is_property; /* an auto property: serialized as <name>k__BackingField if it has [field:
                         SerializeField]. Readonly without "set". */
    const struct csharp_attribute *attributes;
    size_t attribute_count;
    unsigned line;
};

struct csharp_member { /* of an enum */
    struct str name;
    struct str value; /* the expression; empty: the previous value plus one */
};

enum csharp_kind {
    CSHARP_CLASS,
    CSHARP_STRUCT,
    CSHARP_ENUM,
    CSHARP_INTERFACE,
    CSHARP_RECORD /* of a class; a record struct is a CSHARP_STRUCT */
};

struct csharp_type {
    enum csharp_kind kind;
    struct str name;                 /* simple name */
    struct str namespace_;           /* "A.B"; empty: the global namespace */
    const struct csharp_type *outer; /* the enclosing type; NULL: none */
    const struct str *parameters;    /* of a generic type: "T" */
    size_t parameter_count;
    const struct str *bases; /* as in the source, the base class first; of an enum: its underlying
                                type */
    size_t base_count;
    unsigned modifiers;
    const struct csharp_attribute *attributes;
    size_t attribute_count;
    const struct csharp_field *fields;
    size_t field_count;
    const struct csharp_member *members;
    size_t member_count;
    unsigned line;
};

struct csharp_using {
    struct str name;  /* a namespace, or the type of an alias */
    struct str alias; /* empty: none */
    bool is_static, is_global;
    struct str scope; /* the enclosing namespace; empty: the whole file */
};

struct csharp_file {
    const struct csharp_type *types; /* also nested ones, outer before inner */
    size_t type_count;
    const struct csharp_using *usings;
    size_t using_count;
    /* private */
    struct arena arena;
};

struct csharp_options {
    const struct str *defines; /* symbols that are defined for #if */
    size_t define_count;
    bool heads_only; /* leave out the members of types: several times as fast, but without lines and
                        errors */
};

/* Never NULL. All texts are owned by the file. options and error may be NULL. */
struct csharp_file *csharp_read(struct str text, const struct csharp_options *options,
                                struct csharp_error *error);
void csharp_free(struct csharp_file *f);

/* Append the text with blanks for the irrelevant parts, of the same length and with the same lines.
 * The body after "=>" becomes 0, one in braces becomes blank. Without errors, blanking the result
 * again changes nothing. */
void csharp_blank(struct str text, const struct csharp_options *options, struct buf *out);
