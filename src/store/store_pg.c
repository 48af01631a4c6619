#include "store/store_core.h"

static struct store *open_store(const struct store_options *o, enum store_trouble *trouble,
                                struct error *err)
{
    (void)o;
    if (trouble)
        *trouble = STORE_REFUSED;
    error_set(err, ERR_IO, "this program was built without PostgreSQL");
    return NULL;
}

const struct store_kind store_pg = {.open = open_store};
