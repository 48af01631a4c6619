#include "store/store_pg_lib.h"

#include <pthread.h>

#include "base/library.h"

struct store_pg_lib pq;

static const struct library_symbol symbols[] = {
#define SYMBOL(name) {"PQ" #name, &pq.name},
    STORE_PG_CALLS(SYMBOL)
#undef SYMBOL
        {0},
};

bool store_pg_lib_load(struct error *err)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static bool is_loaded;
    struct error reason = {0};
    pthread_mutex_lock(&lock);
    is_loaded = is_loaded || library_open("libpq.so.5", symbols, &reason);
    bool ok = is_loaded;
    pthread_mutex_unlock(&lock);
    return ok || error_set(err, ERR_IO, "%s; install PostgreSQL's client library (Debian: libpq5)",
                           reason.text);
}
