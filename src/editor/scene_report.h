/* What is wrong in a scene, as notes: components whose script is missing, with the path of their
 * GameObject. At most 100 notes, then their number. */
#pragma once

#include "unity/check.h"
#include "unity/diagnostic.h"
#include "unity/scene.h"
#include "unity/types.h"

/* Ids and GUIDs of a scene's file that lead nowhere, as check.h judges them. This reads the file
 * once more: for those who ask. */
void scene_report_references(const struct check_options *o, const struct diagnostic_sink *sink);

void scene_report(const struct scene *s, struct types *types, const struct diagnostic_sink *sink);
