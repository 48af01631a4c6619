/* The tables of the ledger, and how an older file becomes a newer one.
 *
 *     for (size_t v = found; v < LEDGER_SCHEMA_VERSION; v++)
 *         run(ledger_schema[v]);                // from version v to v + 1
 *
 * A step is never changed once it was released; a new one is added behind it. Types and statements
 * are those that SQLite and PostgreSQL share. Times are unix milliseconds.
 */
#pragma once

#define LEDGER_SCHEMA_VERSION 1

extern const char *const ledger_schema[LEDGER_SCHEMA_VERSION];

/* Answers 1 if all tables and columns of the newest version are there, and the counter. */
extern const char ledger_schema_check[];
