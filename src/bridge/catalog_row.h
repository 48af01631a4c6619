/* How a tool is written down: one row for each, in catalog_<family>.c, that reads like a table.
 *
 *     static const struct catalog_field cancel_job_input[] = {
 *         {"job_id", JSON({"type": "string"}), REQUIRED, "The job_id that run_tests returned."},
 *     };
 *     const struct catalog_row catalog_cancel_job = {.name = "cancel_job", ...};
 *
 * A new tool is a row there, its name in the list below and in the one of catalog.c, and a row in
 * the golden test. catalog.c makes schemas of rows, catalog_show.c pages. Only these include this.
 */
#pragma once

#include "base/arena.h"
#include "bridge/catalog.h"

#define JSON(...) #__VA_ARGS__ /* JSON as it is written; its blanks go when it is read */
/* Of this form or null. A list of types says it, too, but not all clients read one. */
#define OR_NULL(...) "{\"anyOf\": [" #__VA_ARGS__ ", {\"type\": \"null\"}]}"

enum catalog_presence {
    OPTIONAL,
    REQUIRED
};

struct catalog_field { /* an argument, or a member of the answer */
    const char *name;
    const char *schema; /* without its description */
    enum catalog_presence presence;
    const char *about; /* whole sentences, for a model */
};

struct catalog_object { /* closed: nothing but the fields */
    const struct catalog_field *fields;
    size_t count;
    const char *more; /* keywords beside them, as an object; NULL: none */
};

#define CATALOG_OBJECT(table)                                                                      \
    {                                                                                              \
        .fields = (table), .count = sizeof(table) / sizeof *(table)                                \
    }

struct catalog_need { /* of an argument, where another has a value: no schema can say that simply */
    const char *argument, *value, *needs;
};

struct catalog_ms { /* a time: a number, or one of the limits */
    uint64_t ms;
    size_t limit; /* its offset in struct limits, if ms is 0 */
};

/* clang-format off */
#define CATALOG_MS(n)       {.ms = (n)}
#define CATALOG_LIMIT(name) {.limit = offsetof(struct limits, name)}
/* clang-format on */

struct catalog_row {
    const char *name, *title;
    const char *summary;     /* a few words for lists, without a full stop */
    const char *description; /* for a model: what it does, when to use it, what comes next */
    struct catalog_object input, output;
    const struct catalog_need *needs;
    size_t need_count;
    const char *example, *answer; /* arguments of a call and what it may answer */

    enum tool_mode mode;
    tool_control_fn *control; /* NULL: the editor answers */
    bool supports_cancel, requires_client_request_id, execution_error_retryable;
    struct catalog_ms default_timeout, max_timeout;
    struct tool_hints hints;
    bool may_be_task;
    struct tool_traits traits;
    const char *subject; /* the argument (a text) that people look on by; NULL: none */
};

extern const struct catalog_row catalog_get_editor_state, catalog_read_console, catalog_run_tests,
    catalog_get_job_status, catalog_cancel_job, catalog_get_scene_hierarchy,
    catalog_get_component_info, catalog_manage_component, catalog_find_assets,
    catalog_find_component_types, catalog_list_scenes, catalog_open_scene, catalog_save_scene,
    catalog_undo, catalog_redo, catalog_control_play_mode;

struct catalog_entry {
    struct tool tool; /* first: a tool of a catalog is an entry */
    const struct catalog_row *row;
};

struct catalog {
    struct arena arena; /* schemas, as text and as values */
    size_t count;
    struct catalog_entry *entries;
};
