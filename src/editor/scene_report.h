/* What is wrong in a scene, as notes: components whose script is missing, with the path of their
 * GameObject. At most 100 notes, then their number. */
#pragma once

#include "unity/note.h"
#include "unity/scene.h"
#include "unity/types.h"

void scene_report(const struct scene *s, struct types *types, const struct note_sink *sink);
