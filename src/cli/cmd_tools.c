#include "base/buf.h"
#include "bridge/catalog.h"
#include "cli/command.h"
#include "cli/config_option.h"
#include "cli/terminal.h"

int cmd_tools(const struct options *o)
{
    struct config c;
    struct error err = {0};
    struct buf out = {0};
    bool json = options_has(o, "json"), markdown = options_has(o, "markdown");
    if (json && markdown) {
        terminal_print_error("tools: give --json or --markdown, not both");
        return COMMAND_USAGE;
    }
    if (!config_option_load(&c, o, &err)) { /* the settings give timeouts */
        terminal_print_failure(&err);
        return COMMAND_USAGE;
    }
    struct catalog *catalog = catalog_new(&c.limits);
    if (json)
        catalog_show_json(catalog, &out);
    else if (markdown)
        catalog_show_markdown(catalog, &out);
    else
        catalog_show_table(catalog, &out);
    terminal_write(buf_str(&out));
    buf_done(&out);
    catalog_free(catalog);
    config_done(&c);
    return COMMAND_FINE;
}
