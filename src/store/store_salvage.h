/* Rows out of a damaged SQLite file: all that can still be read, table by table.
 *
 *     struct store_salvage g = {.from = damaged, .to = fresh};
 *     store_salvage_table(&g, "task");           // g.rows went over; g.gaps could not be read
 *     store_salvage_fill(&g, "task", copy);      // what was in the gaps, out of a copy
 *     store_salvage_done(&g);
 *
 * A table is walked by rowid from its beginning until a page is bad, then from its end; what is
 * left between is halved, and each half walked again, so that only rows on bad pages are lost. A
 * gap is all that lies between no two rows of one walk: a bad page may look like an empty one.
 * Nothing that is in the damaged file is believed but what SQLite itself can read; rows that do not
 * fit into the new table are left out. Columns are matched by name. A table WITHOUT ROWID is walked
 * by its key from both ends; what lies between is then all of the copy that is not there.
 */
#pragma once

#include <sqlite3.h>

#include "base/str.h"

#define STORE_SALVAGE_TRIES 20000u /* walks of one table, after which the rest counts as lost */

/* Rowids that could not be read: those between the two, which are not in it themselves. */
struct store_salvage_gap {
    int64_t low, high;
};

struct store_salvage {
    sqlite3 *from; /* NULL: nothing can be read at all */
    sqlite3 *to;
    size_t rows; /* that went over, from wherever */
    struct store_salvage_gap *gaps;
    size_t gap_count;
    /* private */
    size_t gap_cap;
    unsigned tries;
};

/* False: the new file cannot be written, and sqlite3_errmsg(to) says why. */
bool store_salvage_table(struct store_salvage *g, const char *table);
bool store_salvage_fill(struct store_salvage *g, const char *table, sqlite3 *copy);
void store_salvage_done(struct store_salvage *g);
