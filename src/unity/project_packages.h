/* The packages of a project that are on this disk. A part of project.c. */
#pragma once

#include "unity/project.h"

#define PROJECT_MAX_PACKAGES 4096u

/* p->root is set. Of packages with one name the one that Unity would take is listed: embedded,
 * then local, then cached; of several cached ones that of Packages/packages-lock.json, else the
 * newest. */
void project_packages_read(struct project *p, const struct diagnostic_sink *sink);
