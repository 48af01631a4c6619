/* The tables of the ledger. They may be lost: limits cause the cooldowns again.
 *
 * Types and statements are those that SQLite and PostgreSQL share. Times are unix milliseconds. */
#pragma once

#include "store/store.h"

extern const struct store_schema ledger_schema; /* "state" */
