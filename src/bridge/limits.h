/* The limits of the bridge: one table with name, default and range. All can be configured.
 *
 *     struct limits l;
 *     limits_init(&l);                          // the defaults
 *     l.queue_max_size = 8;
 *
 * The table is the source of the configuration keys (limits_find), the documentation and the
 * defaults. Spec: docs/spec/10-bridge.md, 10.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/str.h"

/* LIMIT(name, default, least, most, description); REAL is the same for fractions. */
#define LIMITS(LIMIT, REAL)                                                                        \
    LIMIT(queue_max_size, 32, 1, 1024, "calls that can wait for the editor")                       \
    LIMIT(request_reconnect_wait_ms, 45000, 1, 3600000, "how long calls wait for a lost editor")   \
    LIMIT(compile_grace_timeout_ms, 90000, 1, 3600000, "how long calls wait while it compiles")    \
    LIMIT(editor_status_interval_ms, 5000, 10, 600000, "interval of the editor's status messages") \
    LIMIT(stale_connection_timeout_ms, 15000, 20, 3600000, "silence after which a link is closed") \
    LIMIT(max_message_bytes, 1048576, 4096, 268435456, "of one message to or from the editor")     \
    LIMIT(reconnect_initial_ms, 200, 1, 60000, "the editor's first wait before it connects again") \
    REAL(reconnect_multiplier, 1.8, 1, 10, "factor of each further wait")                          \
    LIMIT(reconnect_max_ms, 5000, 1, 600000, "the editor's longest wait")                          \
    REAL(reconnect_jitter, 0.2, 0, 1, "random part of a wait")                                     \
    LIMIT(sync_fast_timeout_ms, 5000, 1, 600000, "default timeout of fast tools")                  \
    LIMIT(sync_default_timeout_ms, 30000, 1, 600000, "default timeout of other tools")             \
    LIMIT(job_default_timeout_ms, 300000, 1, 86400000, "default timeout of jobs")                  \
    LIMIT(job_max_timeout_ms, 1800000, 1, 86400000, "longest timeout of a job")                    \
    LIMIT(dedupe_ms, 600000, 0, 86400000, "how long a client_request_id is remembered")            \
    LIMIT(job_keep_count, 256, 1, 65536, "finished jobs that always stay readable")                \
    LIMIT(job_keep_ms, 3600000, 0, 604800000, "how long the others stay readable")

struct limits {
#define LIMIT(name, normal, least, most, what) uint64_t name;
#define REAL(name, normal, least, most, what)  double name;
    LIMITS(LIMIT, REAL)
#undef LIMIT
#undef REAL
};

struct limits_row {
    const char *name, *what;
    double normal, least, most;
    bool is_real; /* else a whole number */
    size_t offset;
};

extern const struct limits_row limits_rows[];
extern const size_t limits_row_count;

void limits_init(struct limits *l);
const struct limits_row *limits_find(struct str name); /* NULL: unknown name */
double limits_get(const struct limits *l, const struct limits_row *row);
void limits_set(struct limits *l, const struct limits_row *row,
                double value); /* within its range */

/* Check the rules between two limits. On failure err is ERR_CONFIG_VALIDATION. */
bool limits_check(const struct limits *l, struct error *err);
