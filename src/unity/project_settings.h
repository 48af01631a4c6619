/* What ProjectSettings says, into a struct project: version, serialization, build scenes, layers,
 * scripting symbols. A part of project.c. */
#pragma once

#include "unity/project.h"

#define PROJECT_SETTINGS_MAX_BYTES (16u << 20) /* of one file */
#define PROJECT_MAX_SCENES         10000u
#define PROJECT_MAX_DEFINES        4096u

/* p->root is set. What cannot be read is told to the sink and left as it is without it. */
void project_settings_read(struct project *p, const struct diagnostic_sink *sink);
