/* The files of the page, which tools/gen_page.py puts into the program. The table is empty if the
 * program was built with -Dconsole=disabled. */
#pragma once

#include "base/str.h"

struct console_file {
    const char *path, *type; /* "/index.html", "text/html; charset=utf-8" */
    struct str bytes, gzip;  /* gzip.p NULL: compressing it does not help */
    bool is_hashed; /* its name contains a hash of its bytes: clients may cache it forever */
};

extern const struct console_file console_files[];
extern const size_t console_file_count;
