/* The tables of the ledger. What is lost with them are rests, which limits bring back.
 *
 * Types and statements are those that SQLite and PostgreSQL share. Times are unix milliseconds.
 */
#pragma once

#include "store/store.h"

extern const struct store_schema ledger_schema; /* "state" */
