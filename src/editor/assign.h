/* JSON values for fields, checked and turned into drafts: docs/spec/20-scene-tools.md, 1 and 4.
 *
 *     struct assign a = {.scene = s, .db = db, .arena = arena, .version = v, .err = err};
 *     bool ok = assign_fields(&a, class, body, fields);   // if not: err has the reason
 *     for (struct assign_set *i = a.first; ok && i; i = i->next)
 *         use(i->path, i->length, i->draft);
 *     assign_done(&a);
 *
 * Everything is resolved before anything is changed: a reference that is not found, a value of the
 * wrong type or an unknown enum name is an error for the whole call. Fields that do not exist,
 * cannot be set or are nested too deep are skipped and listed with the reason.
 *
 * A member that a value leaves out keeps its current value: parts of vectors, fields of structs.
 * Arrays are replaced as a whole; a member that an element leaves out has its initial value, or
 * the value of the element it is made from (assign_element.h).
 */
#pragma once

#include "base/json.h"
#include "editor/draft.h"
#include "editor/editor_error.h"
#include "unity/asset_object.h"

/* One value and its place: the fields from the component down through structs. */
struct assign_set {
    const struct type_field *const *path; /* outermost first */
    size_t length;
    struct draft *draft; /* its key is the key of the last field of path */
    struct assign_set *next;
};

struct assign_name {
    struct str name;
    const char *reason; /* why it was skipped: "not_found" ...; NULL: it was set */
    struct assign_name *next;
};

/* An object of the scene that a value refers to. change.h knows the file and fills in its id. */
struct assign_target {
    struct scene_place at;
    struct draft *draft; /* its reference is filled in later */
    struct assign_target *next;
};

struct assign {
    const struct scene *scene;
    const struct asset_db *db;
    struct arena *arena;
    struct version version; /* of the documents that are written */
    struct editor_error *err;
    bool is_override; /* the component belongs to a prefab instance */
    bool is_partial;  /* and some of its values are unknown, because they come from a model */
    /* results */
    struct assign_set *first;  /* in the order of the file, each place once */
    struct assign_name *names; /* in the order of the input */
    struct assign_target *targets;
    /* private */
    size_t sets; /* made for the current field */
    struct assign_name **names_end;
    struct buf where; /* "fields.stats.hp": for messages */
};

/* Check all fields and make their drafts. body: the current document of the component, or the fresh
 * one of a new component. */
bool assign_fields(struct assign *a, const struct type_class *c, struct yaml_value body,
                   const struct json *fields);
void assign_done(struct assign *a);

/* Return a JSON value as a draft of that type; what it leaves out comes from old. Return NULL with
 * an error if it does not fit. */
struct draft *assign_draft(struct assign *a, const struct type_field *f, struct yaml_value old,
                           const struct json *value, unsigned depth);
/* Return the value that a field has in a new component. */
struct draft *assign_initial(struct assign *a, const struct type_field *f);

/* Return whether values of that type can be set at all. */
bool assign_is_supported(const struct type *t);

/* Read a number: JSON_NUMBER, or "NaN", "Infinity" and "-Infinity". */
bool assign_number(struct assign *a, const struct json *value, double *out);
/* Return NULL with an error if n does not fit into a float. */
struct draft *assign_float(struct assign *a, struct str key, double n);

/* Set the error and return NULL, so that a failure is one line. */
struct draft *assign_fail(struct assign *a, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
