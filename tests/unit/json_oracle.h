/* Jansson behind names of its own, since its names and ours cannot meet in one file. The tests ask
 * it what a text means, the benchmark how fast it is. */
#pragma once

#include "base/str.h"

struct oracle; /* a value of jansson's */

enum oracle_type {
    ORACLE_NULL,
    ORACLE_FALSE,
    ORACLE_TRUE,
    ORACLE_INTEGER,
    ORACLE_REAL,
    ORACLE_STRING,
    ORACLE_ARRAY,
    ORACLE_OBJECT
};

/* NULL: refused, and *why (if given) says for what reason; it lasts until the next call. */
struct oracle *oracle_parse(struct str text, const char **why);
void oracle_free(struct oracle *v);
char *oracle_write(const struct oracle *v); /* compact, to be freed */

enum oracle_type oracle_type(const struct oracle *v);
size_t oracle_count(const struct oracle *v);
const struct oracle *oracle_item(const struct oracle *v, size_t i);
const struct oracle *oracle_member(const struct oracle *v, struct str key);
struct str oracle_str(const struct oracle *v);
int64_t oracle_integer(const struct oracle *v);
double oracle_real(const struct oracle *v);
