/* Return "Main" for "Assets/Scenes/Main.unity". */
#pragma once

#include "base/str.h"

static inline struct str scene_name(struct str path)
{
    for (size_t i = path.n; i-- > 0;)
        if (path.p[i] == '/') {
            path = str_skip(path, i + 1);
            break;
        }
    return str_ends(path, STR(".unity")) ? str_head(path, path.n - strlen(".unity")) : path;
}
