#include "tooling/ledger_schema.h"

/* rest      cooldowns (cooldown.h); probe_by: the decision that probes
 * turn      the last choice of round_robin; nth: among candidates of the same name; place: its
 * index last_use  of a candidate, in whatever list near      the limits that an account is near
 * decision  a choice with its reasons, as JSON; the counter numbers them without a gap
 */
static const char *const steps[] = {
    "CREATE TABLE rest (key TEXT PRIMARY KEY, class TEXT NOT NULL, since BIGINT NOT NULL,"
    " until BIGINT NOT NULL, failures BIGINT NOT NULL, probe_until BIGINT NOT NULL,"
    " probe_by BIGINT NOT NULL, evidence TEXT NOT NULL, message TEXT NOT NULL);"
    "CREATE TABLE turn (profile TEXT, category TEXT, candidate TEXT NOT NULL, nth BIGINT NOT NULL,"
    " place BIGINT NOT NULL, PRIMARY KEY (profile, category));"
    "CREATE TABLE last_use (candidate TEXT, nth BIGINT, used_at BIGINT NOT NULL,"
    " PRIMARY KEY (candidate, nth));"
    "CREATE TABLE near (account TEXT, window_name TEXT, used DOUBLE PRECISION NOT NULL,"
    " until BIGINT NOT NULL, PRIMARY KEY (account, window_name));"
    "CREATE TABLE decision (id BIGINT PRIMARY KEY, made_at BIGINT NOT NULL, told TEXT NOT NULL);"
    "CREATE TABLE counter (name TEXT PRIMARY KEY, value BIGINT NOT NULL);"
    "INSERT INTO counter (name, value) VALUES ('decision', 0);",
};

static const char check[] =
    "SELECT count(value) FROM counter WHERE name = 'decision'"
    " AND NOT EXISTS (SELECT key, class, since, until, failures, probe_until, probe_by, evidence,"
    " message FROM rest WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT profile, category, candidate, nth, place FROM turn WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT candidate, nth, used_at FROM last_use WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT account, window_name, used, until FROM near WHERE 1 = 0)"
    " AND NOT EXISTS (SELECT id, made_at, told FROM decision WHERE 1 = 0)";

const struct store_schema ledger_schema = {
    .name = "state",
    .mark = 0x6d766572, /* "mver" */
    .steps = steps,
    .version = sizeof steps / sizeof *steps,
    .check = check,
    .is_expendable = true,
};
