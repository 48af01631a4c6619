/* A value about to be written, free of its place: drawn up once, then put into a document as text
 * or into a prefab instance as overrides.
 *
 *     struct draft *d = draft_flow(a, key); draft_add(d, draft_scalar(a, STR("x"), STR("1")));
 *     draft_put(&out, &style, place, d);        // "{x: 1}"
 *     struct draft_place at = {STR("m_LocalPosition"), yaml_get(body, STR("m_LocalPosition"))};
 *     draft_overrides(d, at, on_override, me);  // m_LocalPosition.x = 1
 */
#pragma once

#include "base/arena.h"
#include "unity/yaml_write.h"

enum draft_kind {
    DRAFT_SCALAR, /* text as it stands in the file */
    DRAFT_STRING, /* text as it is meant: quoted and folded when written */
    DRAFT_REFERENCE,
    DRAFT_FLOW, /* {x: 0, y: 1} of scalars */
    DRAFT_MAP,
    DRAFT_LIST,
    DRAFT_HEX /* an array of numbers as one hex string: children are scalars */
};

struct draft {
    enum draft_kind kind;
    struct str key; /* in the map it belongs to; empty in a list */
    struct str text;
    struct reference reference;
    unsigned bytes;   /* of an element of DRAFT_HEX */
    bool is_double;   /* a number of 64 bits: others are compared as floats are */
    bool is_managed;  /* a map: the reference of a [SerializeReference] field */
    bool is_kept;     /* nobody gave it: it is what was there, and needs no override */
    bool is_foreign;  /* kept, but no member of its type: it stays in the text and is no property */
    bool is_in_place; /* an element of a list that is made of the one which stands there already */
    struct str lines; /* of a kept one: how it stands in the file, with its key or dash, without the
                         last line end; empty: not known */
    uint32_t column;  /* in which these lines begin there */
    size_t count;
    struct draft *first, *last, *next;
};

struct draft *draft_new(struct arena *a, enum draft_kind kind, struct str key);
struct draft *draft_scalar(struct arena *a, struct str key, struct str text);
struct draft *draft_number(struct arena *a, struct str key, int64_t n);
struct draft *draft_float(struct arena *a, struct str key, double n);
void draft_add(struct draft *parent, struct draft *child);
/* Behind the child with that key, or before it. False: there is none. */
bool draft_insert(struct draft *parent, struct str key, bool after, struct draft *child);

/* The same value given twice, in parts: what the later leaves out is what the earlier has. */
struct draft *draft_merge(struct draft *earlier, struct draft *later);

/* Whether a null of [SerializeReference] ("rid: -2") is in it. */
bool draft_has_null(const struct draft *d);

/* What stands in a file, as a draft. */
struct draft *draft_of_yaml(struct arena *a, struct str key, struct yaml_value value);

/* Whether the file says the same already, be it in another form (.5 for 0.5, other quotes). Of maps
 * and lists never: they are written as they are drafted. */
bool draft_is(const struct draft *d, struct yaml_value value, struct arena *a);

/* What stands behind "key:": " 5", " {x: 0}", or lines that start with a line end. The blank is
 * included, so that an empty value is " " as Unity has it. */
void draft_put(struct buf *out, const struct yaml_style *s, uint32_t indent, const struct draft *d);
/* "key: value" with its line end, at that indent. */
void draft_put_line(struct buf *out, const struct yaml_style *s, uint32_t indent,
                    const struct draft *d);

struct draft_override {
    const struct draft *draft; /* the leaf; NULL: the size of an array */
    struct str path;
    struct str value; /* of a reference: empty */
    struct reference reference;
    struct yaml_value there; /* what that place has now; of a size: the list */
};
struct draft_place {
    struct str path;
    struct yaml_value there; /* YAML_NONE: not known */
};
typedef void draft_override_fn(const struct draft_override *o, void *ctx);
/* One for each plain value; those of an array are all said, but for what stays in its place; of
 * others only what was given. */
void draft_overrides(const struct draft *d, struct draft_place at, draft_override_fn *fn,
                     void *ctx);
