/* A table out of the tree that a scan has read: sorted, with all its indexes. */
#pragma once

#include "unity/assets_scan.h"

struct assets_table assets_build(const struct assets_scan *scan);
