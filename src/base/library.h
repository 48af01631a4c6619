/* A shared library that is loaded on first use, not at every start of the program.
 *
 *     static struct { typeof(PQconnectdb) *connectdb; typeof(PQfinish) *finish; } lib;
 *     static const struct library_symbol symbols[] = {{"PQconnectdb", &lib.connectdb},
 *                                                     {"PQfinish", &lib.finish}, {0}};
 *     bool loaded = library_open("libpq.so.5", symbols, &err);   // ERR_IO: what is missing
 *
 * For libraries with many dependencies that few commands use: linked, they would add several
 * milliseconds and megabytes to each start. It stays loaded until the process ends.
 */
#pragma once

#include "base/error.h"

struct library_symbol {
    const char *name; /* NULL ends the list */
    void *to;         /* address of a pointer to a function */
};

/* Load the library and look up the symbols. A second call costs only the lookups. */
bool library_open(const char *name, const struct library_symbol *symbols, struct error *err);
