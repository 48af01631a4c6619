/* The id of a run, in decisions and as the name of its folder: 20261116T025200Z-9f86d081.
 *
 *     char id[RUN_ID_SIZE];
 *     run_id_new(id);                           // unique; ids sort by the second of their time
 */
#pragma once

#include <stdbool.h>

#define RUN_ID_SIZE 26u /* with its NUL */

void run_id_new(char id[RUN_ID_SIZE]);
bool run_id_is(const char *text); /* whether it has the form of an id */
