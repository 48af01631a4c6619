/* Read Unity's dialect of YAML in place: documents, keys and values are spans of the text.
 *
 *     struct arena arena = {0};
 *     struct yaml_file file;
 *     struct yaml_error error;
 *     if (!yaml_split(&file, text, &error))             // error.line, .column, .text
 *         return false;
 *     const struct yaml_doc *doc = yaml_find(&file, 1392866527);
 *     if (doc) {
 *         struct yaml_value name = yaml_get(yaml_body(&file, doc), STR("m_Name"));
 *         struct str plain = yaml_text(&arena, name);   // without quotes and folding
 *         printf("%.*s\n", STR_ARG(plain));
 *     }
 *     yaml_done(&file);
 *     arena_done(&arena);
 *
 * The text is not copied and must outlive the file. A value has no type of its own: a scalar is
 * read as the type that the caller knows. yaml_split() finds the documents only; the other
 * functions walk lines on demand, so they cost as much as they visit.
 *
 * Which lines belong to an entry: a key with a value on its line owns all following lines that are
 * blank or indented deeper (folded scalars, wrapped flow maps). A key without a value owns deeper
 * lines as a map, or the dashes at its own indent as a list. One unindented line also belongs to
 * the entry above it: a single quote, which closes a text that ends with a line feed. CRLF and LF
 * are both read; .meta files may start with a BOM.
 *
 * In a damaged text, every function except yaml_split() and yaml_check() returns less, but never
 * wrong bytes: a walk ends before a line that does not fit (yaml_get() may skip it). Flow
 * collections deeper than YAML_MAX_DEPTH and blocks indented by more than 128 columns are left out,
 * so recursion over values is bounded.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "unity/guid.h"

#define YAML_MAX_BYTES (1u << 30)
#define YAML_MAX_DEPTH 64u /* nesting of blocks and of flow collections */

struct yaml_error {
    unsigned line, column; /* from 1 */
    const char *text;      /* static: "this is a Git LFS pointer, not the file itself" */
};

struct yaml_doc {
    int64_t file_id;
    int32_t class_id;
    uint32_t at;   /* offset of "--- !u!..." */
    uint32_t body; /* offset of the line after "ClassName:" */
    uint32_t end;  /* offset of the next document, or of the end of the text */
    bool stripped;
};

struct yaml_file {
    struct str text;
    struct yaml_doc *docs; /* in the order of the file */
    size_t count;
    bool crlf; /* lines end with CRLF */
    /* private */
    uint32_t *by_id; /* open addressing, built by the first yaml_find() */
    size_t slots;
};

/* Find the documents of a text. Return false and set *error if it is no such file (binary, LFS
 * pointer, JSON, no header) or is broken. For a text that is a single map without "---" (a .meta
 * file, ProjectVersion.txt), use yaml_plain(). */
bool yaml_split(struct yaml_file *f, struct str text, struct yaml_error *error);
void yaml_done(struct yaml_file *f);

/* Check every line of every document. Return false and set *error at the first line that is neither
 * a key, an item nor a continuation. *keys is the number of lines with a key. */
bool yaml_check(const struct yaml_file *f, size_t *keys, struct yaml_error *error);
bool yaml_check_plain(struct str text, size_t *keys,
                      struct yaml_error *error); /* for a text that yaml_plain() reads */

const struct yaml_doc *yaml_find(struct yaml_file *f, int64_t file_id); /* NULL: no such id; the
                                                                           first of duplicate ids */
struct str yaml_class_name(const struct yaml_file *f, const struct yaml_doc *d);
unsigned yaml_line(const struct yaml_file *f, const char *at); /* from 1; counts lines: for
                                                                  messages */

enum yaml_kind {
    YAML_NONE,   /* no such key */
    YAML_EMPTY,  /* "key: " without a value: an empty text or hex array */
    YAML_SCALAR, /* plain or quoted, on one or more lines */
    YAML_FLOW_MAP,
    YAML_FLOW_LIST,
    YAML_MAP,
    YAML_LIST
};

struct yaml_value {
    enum yaml_kind kind;
    uint32_t indent; /* blocks: of the keys or dashes; other values: of the key */
    struct str text; /* scalars, flow: first to last byte; blocks: whole lines; empty: the place of
                        the value, after "key:", "key: " or "-" */
};

/* One entry of a map or list. */
struct yaml_item {
    struct str key;          /* as in the text, with quotes; NULL for list items. Unity also writes
                                empty keys (": Any"). */
    struct yaml_value value; /* for "- a: 1" with further keys: a map whose first key is on the line
                                of the dash */
    struct str lines;        /* blocks: whole lines, with the dash or key; flow: the entry */
};

struct yaml_walk {
    /* private */
    const char *at, *end;
    uint32_t indent;
    enum yaml_kind kind;
    bool first; /* a map that starts on the line of a dash */
};

struct yaml_value yaml_body(const struct yaml_file *f, const struct yaml_doc *d); /* always a
                                                                                     YAML_MAP */
struct yaml_value yaml_plain(struct str text); /* skips a BOM, "%" and "---" */

/* Walk the entries of a block or flow collection in order. Other values have no entries. */
struct yaml_walk yaml_walk(struct yaml_value v);
bool yaml_next(struct yaml_walk *w, struct yaml_item *item);

struct yaml_value yaml_get(struct yaml_value map, struct str key); /* YAML_NONE: no such key */
bool yaml_get_item(struct yaml_value map, struct str key, struct yaml_item *item);
struct yaml_value yaml_at(struct yaml_value list, size_t i);
bool yaml_item_at(struct yaml_value list, size_t i, struct yaml_item *item);
size_t yaml_count(struct yaml_value v); /* number of entries */

/* Return the value at a property path of m_Modifications, such as "m_Materials.Array.data[0]". Keys
 * may contain dots. A path that is no value ("m_Calls.Array.size") gives YAML_NONE. */
struct yaml_value yaml_path(struct yaml_value map, struct str path);

/* Read a scalar as the type that the caller knows. */
struct str yaml_text(struct arena *a, struct yaml_value v); /* copies only if necessary */
bool yaml_i64(struct yaml_value v, int64_t *out);
bool yaml_u64(struct yaml_value v, uint64_t *out);
bool yaml_double(struct yaml_value v, double *out);  /* also Infinity, NaN, ".07", "1." */
bool yaml_hex(struct buf *out, struct yaml_value v); /* append the bytes of a hex array */

/* {fileID: N, guid: G, type: T} */
struct reference {
    int64_t file_id;  /* 0: null */
    struct guid guid; /* zero: an object in the same file */
    int32_t type;
};

static inline bool reference_is_null(struct reference r)
{
    return r.file_id == 0;
}
static inline bool reference_is_local(struct reference r)
{
    return guid_is_zero(r.guid);
}
bool yaml_reference(struct yaml_value v, struct reference *out); /* false: no reference */
