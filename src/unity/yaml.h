/* Unity's YAML dialect, read where it stands: documents, keys and values are spans of the text.
 *
 *     struct yaml_file f;
 *     struct yaml_error fault;
 *     if (!yaml_split(&f, text, &fault)) ...            // fault.line, .column, .text
 *     const struct yaml_doc *d = yaml_find(&f, 1392866527);
 *     struct yaml_value body = yaml_body(&f, d);
 *     struct yaml_value name = yaml_get(body, STR("m_Name"));
 *     struct str plain = yaml_text(&arena, name);       // unquoted, unfolded
 *     yaml_done(&f);
 *
 * The text is not copied and must outlive the file. Nothing is typed by its looks: a value is a
 * scalar, and who knows its type asks for that. yaml_split() finds the documents and nothing else;
 * keys are found when asked for, by walking lines, so that the cost is that of what is looked at.
 *
 * How lines are told apart: a key with a value on its line owns all following lines that are blank
 * or indented deeper (folded scalars, wrapped flow maps); a key without one owns deeper lines as a
 * map, or the dashes at its own indent as a list. One line at the margin belongs to what is above:
 * a quote alone, which closes a text that ends with a line feed. CRLF and LF are both read; .meta
 * files may start with a BOM.
 *
 * On a damaged text every function but yaml_split() and yaml_check() answers less, never wrong
 * bytes: a walk ends before the line that fits nowhere (yaml_get() may pass over it), flow
 * collections deeper than YAML_MAX_DEPTH and blocks indented by more than 128 columns are left out,
 * so that whoever recurses into values comes back.
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "unity/guid.h"

#define YAML_MAX_BYTES (1u << 30)
#define YAML_MAX_DEPTH 64u /* of blocks and flow collections */

struct yaml_error {
    unsigned line, column; /* from 1 */
    const char *text;      /* static: "this is a Git LFS pointer, not the file itself" */
};

struct yaml_doc {
    int64_t file_id;
    int32_t class_id;
    uint32_t at;   /* offset of "--- !u!..." */
    uint32_t body; /* of the line behind "ClassName:" */
    uint32_t end;  /* of the next document, or the text's end */
    bool stripped;
};

struct yaml_file {
    struct str text;
    struct yaml_doc *docs; /* in the order of the file */
    size_t count;
    bool crlf; /* its lines end so */
    /* private */
    uint32_t *by_id; /* open addressing, made at the first yaml_find() */
    size_t slots;
};

/* False: not such a file (binary, LFS pointer, JSON, no header) or broken; *fault says where. Text
 * of one document without the "---" (a .meta file, ProjectVersion.txt) is taken by yaml_plain().
 * Two documents with one id: the first is found. */
bool yaml_split(struct yaml_file *f, struct str text, struct yaml_error *fault);
void yaml_done(struct yaml_file *f);

/* Walks every line of every document, as an inspector of the whole file would: false and *fault at
 * the first line that is no key, item or continuation. *keys counts key lines. */
bool yaml_check(const struct yaml_file *f, size_t *keys, struct yaml_error *fault);
bool yaml_check_plain(struct str text, size_t *keys,
                      struct yaml_error *fault); /* of yaml_plain() */

const struct yaml_doc *yaml_find(struct yaml_file *f, int64_t file_id); /* NULL: not there */
struct str yaml_class_name(const struct yaml_file *f, const struct yaml_doc *d);
unsigned yaml_line(const struct yaml_file *f, const char *at); /* from 1; walks: for messages */

enum yaml_kind {
    YAML_NONE,   /* there is no such key */
    YAML_EMPTY,  /* "key: " with nothing: an empty text, an empty hex array */
    YAML_SCALAR, /* plain or quoted, perhaps over several lines */
    YAML_FLOW_MAP,
    YAML_FLOW_LIST,
    YAML_MAP,
    YAML_LIST
};

struct yaml_value {
    enum yaml_kind kind;
    uint32_t indent; /* of its keys or dashes if it is a block; else of the key it belongs to */
    struct str text; /* scalars, flow: first to last byte; blocks: whole lines; empty: where it
                        would stand, right behind "key:" or "key: " or "-" */
};

/* One entry of a map or list. */
struct yaml_item {
    struct str key;          /* as it stands, quotes included; list items have none: p is NULL.
                                (Unity writes empty keys, too: ": Any".) */
    struct yaml_value value; /* of "- a: 1" with further keys: a map whose first key is behind
                                the dash */
    struct str lines;        /* block: its whole lines, the dash or key included; flow: its text */
};

struct yaml_walk {
    /* private */
    const char *at, *end;
    uint32_t indent;
    enum yaml_kind kind;
    bool first; /* of a map that starts behind a dash */
};

struct yaml_value yaml_body(const struct yaml_file *f, const struct yaml_doc *d); /* a YAML_MAP */
struct yaml_value yaml_plain(struct str text); /* a file that is one map; skips a BOM, % and --- */

/* Entries in order, of blocks and flow collections alike; anything else has none. */
struct yaml_walk yaml_walk(struct yaml_value v);
bool yaml_next(struct yaml_walk *w, struct yaml_item *item);

struct yaml_value yaml_get(struct yaml_value map, struct str key); /* YAML_NONE: not there */
bool yaml_get_item(struct yaml_value map, struct str key, struct yaml_item *item);
struct yaml_value yaml_at(struct yaml_value list, size_t i);
bool yaml_item_at(struct yaml_value list, size_t i, struct yaml_item *item);
size_t yaml_count(struct yaml_value v); /* entries */

/* A property path as in m_Modifications: "m_Materials.Array.data[0]", "m_Calls.Array.size" is not
 * a value and gives YAML_NONE. A key that contains dots is found as well. */
struct yaml_value yaml_path(struct yaml_value map, struct str path);

/* Scalars by the type the caller knows. */
struct str yaml_text(struct arena *a, struct yaml_value v); /* no copy if it is plain on one line */
bool yaml_i64(struct yaml_value v, int64_t *out);
bool yaml_u64(struct yaml_value v, uint64_t *out);
bool yaml_double(struct yaml_value v, double *out);  /* also Infinity, NaN, ".07" and "1." */
bool yaml_hex(struct buf *out, struct yaml_value v); /* the bytes of a hex array */

/* {fileID: N, guid: G, type: T} */
struct reference {
    int64_t file_id;  /* 0: null */
    struct guid guid; /* zero: an object of the same file */
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
bool yaml_reference(struct yaml_value v, struct reference *out); /* false: not of that form */
