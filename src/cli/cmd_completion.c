#include <string.h>

#include "cli/command.h"
#include "cli/completion.h"
#include "cli/terminal.h"

static const struct {
    const char *name;
    void (*put)(struct buf *out, const struct catalog *catalog);
} shells[] = {
    {"bash", completion_put_bash},
    {"zsh", completion_put_zsh},
    {"fish", completion_put_fish},
};

int cmd_completion(const struct options *o)
{
    struct limits limits;
    struct buf out = {0};
    size_t i = 0, count = sizeof shells / sizeof *shells;
    while (i < count && strcmp(shells[i].name, o->args[0]) != 0)
        i++;
    if (i == count) {
        terminal_print_error("no completion for the shell %s: use bash, zsh or fish", o->args[0]);
        return COMMAND_USAGE;
    }
    limits_init(&limits);
    struct catalog *catalog = catalog_new(&limits);
    shells[i].put(&out, catalog);
    catalog_free(catalog);
    terminal_write(buf_str(&out));
    buf_done(&out);
    return COMMAND_FINE;
}
