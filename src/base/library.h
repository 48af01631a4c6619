/* A shared library that is loaded when it is needed, not at every start of the program.
 *
 *     static struct { typeof(PQconnectdb) *connectdb; typeof(PQfinish) *finish; } pq;
 *     static const struct library_symbol symbols[] = {{"PQconnectdb", &pq.connectdb},
 *                                                     {"PQfinish", &pq.finish}, {0}};
 *     if (!library_open("libpq.so.5", symbols, &err)) ...   // ERR_IO: what is missing
 *
 * For libraries that pull in many others and that few commands use: linked, they would cost each
 * start of the program several milliseconds and megabytes. It stays loaded until the process ends.
 */
#pragma once

#include "base/error.h"

struct library_symbol {
    const char *name; /* NULL ends them */
    void *to;         /* address of a pointer to a function */
};

/* Once it has succeeded, a further call with the same symbols costs next to nothing but the
 * lookups. */
bool library_open(const char *name, const struct library_symbol *symbols, struct error *err);
