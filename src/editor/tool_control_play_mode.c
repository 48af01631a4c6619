#include "editor/editor_tool.h"

static bool control_play_mode(struct editor_call *c)
{
    return editor_error_set(
        c->err, "ERR_UNSUPPORTED_HEADLESS",
        "there is no play mode without Unity: open the project in the Unity Editor, "
        "or run its tests with run_tests");
}

const struct editor_tool tool_control_play_mode = {"control_play_mode", control_play_mode};
