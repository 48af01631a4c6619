/* What a C# file declares, as far as an inspector needs it.
 *
 *     struct csharp_options options = {.defines = symbols, .define_count = count};
 *     struct csharp_file *f = csharp_read(text, &options, &fault);
 *     for (size_t i = 0; i < f->type_count; i++) f->types[i].name ...
 *     csharp_free(f);
 *
 * csharp_blank() first blanks what does not count: inactive #if branches, comments, bodies of
 * methods, accessors and lambdas, keeping every offset; then tree-sitter reads the rest. That
 * takes half the time of parsing the whole file, and what is wrong in a body hides nothing. A
 * file with errors still gives what could be read, and fault says where the first error is. Types
 * are texts as they stand in the source; what they mean is for types.c, which knows the project.
 *
 * Every text is valid UTF-8: bytes that are not are '?'. Names, types and bases are without blanks
 * where they can be ("Dictionary<string,int>"), and without the @ of "@class". A file may be
 * hostile: what goes beyond a limit (CSHARP_MAX_BYTES, 4 MiB of declarations, 63 types in each
 * other, 8 KiB for one declaration without its bodies) is left out and is a fault.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#define CSHARP_MAX_BYTES (16u << 20)

struct csharp_error {
    unsigned line, column; /* from 1, in characters; 0: none */
};

struct csharp_attribute {
    struct str name;      /* as written: "RequireComponent", "UnityEngine.SerializeField" */
    struct str arguments; /* between the parentheses; empty: none */
    struct str target;    /* "field" of [field: SerializeField]; empty: none */
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
    struct str type;        /* "Transform[]", "List<Vector3>", "int?"; "byte[8]" if it is fixed */
    struct str initializer; /* behind "="; empty: none. A body in it is 0 or blank, what is longer
                               than 4 KiB is _, code in a string is {_  } */
    unsigned modifiers;
    bool is_property; /* an auto property: serialized as <name>k__BackingField if
                         [field: SerializeField]. Readonly unless it has "set" */
    const struct csharp_attribute *attributes;
    size_t attribute_count;
    unsigned line;
};

struct csharp_member { /* of an enum */
    struct str name;
    struct str value; /* the expression as written; empty: one more than the one before */
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
    struct str name;                 /* simple */
    struct str namespace_;           /* "A.B"; empty: the global one */
    const struct csharp_type *outer; /* it is nested in this one; NULL: not nested */
    const struct str *parameters;    /* of a generic type: "T" */
    size_t parameter_count;
    const struct str *bases; /* as written, base class first if there is one; of an enum: its
                                underlying type */
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
    struct str name;  /* namespace, or the type an alias stands for */
    struct str alias; /* empty: none */
    bool is_static, is_global;
    struct str scope; /* the namespace it stands in; empty: the whole file */
};

struct csharp_file {
    const struct csharp_type *types; /* nested ones too, outer before inner */
    size_t type_count;
    const struct csharp_using *usings;
    size_t using_count;
    /* private */
    struct arena arena;
};

struct csharp_options {
    const struct str *defines; /* symbols that #if finds defined */
    size_t define_count;
    bool heads_only; /* types are read as if nothing was in them, which is several times as fast;
                        lines and faults are not told */
};

/* Never NULL; all texts are the file's own copies. options and fault may be NULL. */
struct csharp_file *csharp_read(struct str text, const struct csharp_options *options,
                                struct csharp_error *fault);
void csharp_free(struct csharp_file *f);

/* Adds the text with blanks for what does not count; same length, same lines. The body behind "=>"
 * is 0, that in braces is blank. Without a fault, to blank that once more changes nothing. */
void csharp_blank(struct str text, const struct csharp_options *options, struct buf *out);
