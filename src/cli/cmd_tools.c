#include "base/buf.h"
#include "bridge/catalog.h"
#include "cli/command.h"
#include "cli/config.h"
#include "cli/say.h"

int cmd_tools(const struct options *o)
{
    struct config c;
    struct error err = {0};
    struct buf out = {0};
    bool json = options_has(o, "json"), markdown = options_has(o, "markdown");
    if (json && markdown) {
        say_error("tools: give --json or --markdown, not both");
        return COMMAND_USAGE;
    }
    if (!config_open(&c, o, &err)) { /* the settings give timeouts */
        say_failure(&err);
        return COMMAND_USAGE;
    }
    struct catalog *catalog = catalog_new(&c.limits);
    if (json)
        catalog_put_json(catalog, &out);
    else if (markdown)
        catalog_put_markdown(catalog, &out);
    else
        catalog_put_table(catalog, &out);
    say_out(buf_str(&out));
    buf_done(&out);
    catalog_free(catalog);
    config_done(&c);
    return COMMAND_FINE;
}
