/* Functions that must not be used, because they have no bound or share hidden memory.
 *
 * The build includes this first in every file. Instead of
 *
 *     strcpy strcat sprintf vsprintf gets     snprintf, struct buf, struct str
 *     strtok                                  str_cut
 *     gmtime localtime asctime ctime          rfc3339.h
 */
#pragma once

/* Include the headers that declare them first: their include guards then hide these names. In
 * clang, fortified functions are macros. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#undef strcpy
#undef strcat
#undef sprintf
#undef vsprintf

#pragma GCC poison strcpy strcat sprintf vsprintf gets strtok gmtime localtime asctime ctime
