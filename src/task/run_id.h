/* The name of a run, in decisions and of its folder: 20261116T025200Z-9f86d081.
 *
 *     char id[RUN_ID_SIZE];
 *     run_id_new(id);                           // in the order of time; no two are the same
 */
#pragma once

#include <stdbool.h>

#define RUN_ID_SIZE 26u /* with its NUL */

void run_id_new(char id[RUN_ID_SIZE]);
bool run_id_is(const char *text); /* it has the form of one */
