/* The packages of a project that are on disk. Part of project.c. */
#pragma once

#include "unity/project.h"

#define PROJECT_MAX_PACKAGES 4096u

/* Set p->packages; p->root must be set. Among packages with the same name, choose as Unity does:
 * embedded, then local, then cached; among cached ones the version in Packages/packages-lock.json,
 * else the newest. */
void project_packages_read(struct project *p, const struct diagnostic_sink *sink);
