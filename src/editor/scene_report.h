/* Diagnostics of a scene. At most 100 of a kind are reported, then the number of the others. */
#pragma once

#include "unity/check.h"
#include "unity/diagnostic.h"
#include "unity/scene.h"
#include "unity/types.h"

/* Report ids and GUIDs of the scene's file that have no target, as check.h finds them. This reads
 * the file once more, so it is done on demand. */
void scene_report_references(const struct check_options *o, const struct diagnostic_sink *sink);

/* Report components whose script is missing, with the path of their GameObject. */
void scene_report(const struct scene *s, struct types *types, const struct diagnostic_sink *sink);
