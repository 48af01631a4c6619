/* SQL as it stands in the program, turned into that of PostgreSQL.
 *
 *     struct buf out = {0};
 *     unsigned values = store_pg_sql("SELECT a FROM t WHERE b = ?1 --pg FOR UPDATE\n", &out);
 *     // out: "SELECT a FROM t WHERE b = $1 FOR UPDATE\n", values: 1
 *
 * ?N becomes $N; what follows "--pg " up to the end of the line counts, other comments go; INTEGER
 * PRIMARY KEY AUTOINCREMENT becomes an identity column. Texts and names in quotes stay as they are.
 */
#pragma once

#include "base/buf.h"

unsigned store_pg_sql(const char *sql, struct buf *out); /* how many values it takes */
