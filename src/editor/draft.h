/* A value to be written, independent of its place: made once, then written into a document as text
 * or into a prefab instance as overrides.
 *
 *     struct draft *d = draft_new(a, DRAFT_FLOW, STR("m_LocalPosition"));
 *     draft_add(d, draft_scalar(a, STR("x"), STR("1")));
 *     draft_put(&out, &style, 2, d);            // " {x: 1}"
 *     struct draft_place at = {STR("m_LocalPosition"), yaml_get(body, STR("m_LocalPosition"))};
 *     draft_overrides(d, at, on_override, ctx);  // m_LocalPosition.x = 1
 */
#pragma once

#include "base/arena.h"
#include "unity/yaml_write.h"

enum draft_kind {
    DRAFT_SCALAR, /* text as in the file */
    DRAFT_STRING, /* unquoted text: quoted and folded when written */
    DRAFT_REFERENCE,
    DRAFT_FLOW, /* {x: 0, y: 1} of scalars */
    DRAFT_MAP,
    DRAFT_LIST,
    DRAFT_HEX /* an array of numbers as one hex string: children are scalars */
};

struct draft {
    enum draft_kind kind;
    struct str key; /* in its map; empty in a list */
    struct str text;
    struct reference reference;
    unsigned bytes;   /* of an element of DRAFT_HEX */
    bool is_double;   /* a number of 64 bits; others are compared as floats */
    bool is_managed;  /* a map: the reference of a [SerializeReference] field */
    bool is_kept;     /* not given: the current value, which needs no override */
    bool is_foreign;  /* kept, but not a member of its type: it is written but is no property */
    bool is_in_place; /* an element of a list, made from the current element at this index */
    struct str lines; /* of a kept one: its lines in the file, with its key or dash, without the
                         last line end; empty: not known */
    uint32_t column;  /* of these lines in the file */
    size_t count;
    struct draft *first, *last, *next;
};

struct draft *draft_new(struct arena *a, enum draft_kind kind, struct str key);
struct draft *draft_scalar(struct arena *a, struct str key, struct str text);
struct draft *draft_number(struct arena *a, struct str key, int64_t n);
struct draft *draft_float(struct arena *a, struct str key, double n);
void draft_add(struct draft *parent, struct draft *child);
/* Insert child after or before the child with that key. Return false if there is none. */
bool draft_insert(struct draft *parent, struct str key, bool after, struct draft *child);

/* Merge two drafts of one value: members that later leaves out come from earlier. */
struct draft *draft_merge(struct draft *earlier, struct draft *later);

/* Return whether it contains a null [SerializeReference] ("rid: -2"). */
bool draft_has_null(const struct draft *d);

/* Return a value of a file as a draft. */
struct draft *draft_of_yaml(struct arena *a, struct str key, struct yaml_value value);

/* Return whether the file already has this value, maybe in another form (.5 for 0.5, other quotes).
 * Always false for maps and lists, which are written as drafted. */
bool draft_is(const struct draft *d, struct yaml_value value, struct arena *a);

/* Write what follows "key:": " 5", " {x: 0}", or lines that start with a line end. The blank is
 * included, so that an empty value is " ", as Unity writes it. */
void draft_put(struct buf *out, const struct yaml_style *s, uint32_t indent, const struct draft *d);
/* Write "key: value" with its line end, at that indent. */
void draft_put_line(struct buf *out, const struct yaml_style *s, uint32_t indent,
                    const struct draft *d);

struct draft_override {
    const struct draft *draft; /* the leaf; NULL: the size of an array */
    struct str path;
    struct str value; /* of a reference: empty */
    struct reference reference;
    struct yaml_value there; /* the current value; of a size: the list */
};
struct draft_place {
    struct str path;
    struct yaml_value there; /* YAML_NONE: not known */
};
typedef void draft_override_fn(const struct draft_override *o, void *ctx);
/* Call fn for each plain value: in an array for all values except elements that stay in their
 * place, elsewhere only for given values. */
void draft_overrides(const struct draft *d, struct draft_place at, draft_override_fn *fn,
                     void *ctx);
