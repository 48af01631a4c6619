/* Functions that may not be used, because they have no bound or share hidden memory.
 *
 * The build includes this first in every file. Instead of
 *
 *     strcpy strcat sprintf vsprintf gets     snprintf, struct buf, struct str
 *     strtok                                  str_cut
 *     gmtime localtime asctime ctime          rfc3339.h
 */
#pragma once

/* The headers that declare them come first: guarded against a second reading, they mention none
 * of these names when they are included again. Fortified ones are macros in clang. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#undef strcpy
#undef strcat
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat sprintf vsprintf gets strtok gmtime localtime asctime ctime
