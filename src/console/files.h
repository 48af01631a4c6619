/* The files of the page, as tools/gen_page.py has put them into the program: none of them if it was
 * built with -Dconsole=disabled. */
#pragma once

#include "base/str.h"

struct console_file {
    const char *path, *type; /* "/index.html", "text/html; charset=utf-8" */
    struct str bytes, gzip;  /* gzip.p NULL: compressing it gains nothing */
    bool is_hashed;          /* its name changes with its bytes: it may be kept for ever */
};

extern const struct console_file console_files[];
extern const size_t console_file_count;
