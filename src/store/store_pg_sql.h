/* Translate the SQL of the program to PostgreSQL.
 *
 *     struct buf out = {0};
 *     unsigned values = store_pg_sql("SELECT a FROM t WHERE b = ?1 --pg FOR UPDATE\n", &out);
 *     // out: "SELECT a FROM t WHERE b = $1 FOR UPDATE\n", values: 1
 *
 * ?N becomes $N. Text after "--pg " is SQL up to the end of the line; other comments are removed.
 * INTEGER PRIMARY KEY AUTOINCREMENT becomes an identity column. Quoted text and names stay.
 */
#pragma once

#include "base/buf.h"

unsigned store_pg_sql(const char *sql, struct buf *out); /* returns the number of values */
