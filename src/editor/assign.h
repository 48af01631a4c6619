/* JSON values for fields, checked and turned into drafts: docs/spec/20-scene-tools.md, 1 and 4.
 *
 *     struct assign a = {.scene = s, .db = db, .arena = arena, .version = v, .err = err};
 *     if (!assign_fields(&a, class, body, fields)) ...   // nothing was changed; err says why
 *     for (struct assign_set *i = a.first; i; i = i->next) i->path, i->draft ...
 *
 * Everything is resolved here, before anything is changed: a reference that is not found, a value
 * of the wrong type, an enum name that does not exist is an error for the whole call. Fields that
 * do not exist, cannot be set or are too deep are skipped and listed with the reason.
 *
 * A member that a value leaves out keeps what it has: parts of vectors, fields of structs. Arrays
 * are replaced as a whole; what an element leaves out has its initial value, or that of the element
 * it is made of (assign_element.h).
 */
#pragma once

#include "base/json.h"
#include "editor/draft.h"
#include "editor/editor_error.h"
#include "unity/asset_object.h"

/* One value and where it goes: the keys from the component down, through structs. */
struct assign_set {
    const struct type_field *const *path; /* length fields, outermost first */
    size_t length;
    struct draft *draft; /* its key is that of the last one */
    struct assign_set *next;
};

struct assign_name {
    struct str name;
    const char *reason; /* of a skipped one: "not_found" ...; NULL: it was set */
    struct assign_name *next;
};

/* An object of the scene that a value refers to; the id is written by who knows the file. */
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
    bool is_partial;  /* and what it has there is not all known */
    /* results */
    struct assign_set *first;  /* in the order of the file, each place once */
    struct assign_name *names; /* in the order of the input */
    struct assign_target *targets;
    /* private */
    size_t sets; /* made for the field that is being looked at */
    struct assign_name **names_end;
    struct buf where; /* "fields.stats.hp": for messages */
};

/* body: the component's, as it is now (of a new one its fresh document). */
bool assign_fields(struct assign *a, const struct type_class *c, struct yaml_value body,
                   const struct json *fields);
void assign_done(struct assign *a);

/* A value of that type as a draft: from JSON, what it leaves out from old. NULL: err says why. */
struct draft *assign_draft(struct assign *a, const struct type_field *f, struct yaml_value old,
                           const struct json *value, unsigned depth);
/* The value a field has in a new component. */
struct draft *assign_initial(struct assign *a, const struct type_field *f);

/* Whether values of that type can be set at all. */
bool assign_is_supported(const struct type *t);

/* Answers NULL, so that a failure is one line. */
struct draft *assign_fail(struct assign *a, const char *code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
