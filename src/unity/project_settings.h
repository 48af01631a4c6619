/* Read ProjectSettings into a struct project: version, serialization, build scenes, layers,
 * scripting symbols. Part of project.c. */
#pragma once

#include "unity/project.h"

#define PROJECT_SETTINGS_MAX_BYTES (16u << 20) /* of one file */
#define PROJECT_MAX_SCENES         10000u
#define PROJECT_MAX_DEFINES        4096u

/* p->root must be set. Unreadable settings are reported and keep their defaults. */
void project_settings_read(struct project *p, const struct diagnostic_sink *sink);
