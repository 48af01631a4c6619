/* The tools of the headless editor. A new one needs a file, a line in each list here, and a row in
 * the catalog of the bridge. */
#include "editor/editor_tool.h"

extern const struct editor_tool tool_control_play_mode, tool_find_assets, tool_find_component_types,
    tool_get_component_info, tool_get_scene_hierarchy, tool_list_scenes, tool_manage_component,
    tool_open_scene, tool_read_console, tool_redo, tool_save_scene, tool_undo;

const struct editor_tool *const editor_tools[] = {
    &tool_control_play_mode,
    &tool_find_assets,
    &tool_find_component_types,
    &tool_get_component_info,
    &tool_get_scene_hierarchy,
    &tool_list_scenes,
    &tool_manage_component,
    &tool_open_scene,
    &tool_read_console,
    &tool_redo,
    &tool_save_scene,
    &tool_undo,
    NULL,
};

const struct editor_tool *editor_tool_find(struct str name)
{
    for (const struct editor_tool *const *t = editor_tools; *t; t++)
        if (str_eq(name, str_from((*t)->name)))
            return *t;
    return NULL;
}
