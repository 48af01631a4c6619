#include "cli/config_option.h"

bool config_option_load(struct config *c, const struct options *o, struct error *err)
{
    static const struct {
        const char *option;
        enum config_key key;
    } rows[] = {
        {"port", CONFIG_PORT},
        {"token-file", CONFIG_TOKEN_FILE},
        {"project", CONFIG_PROJECT_PATH},
        {"log-format", CONFIG_LOG_FORMAT},
        {"log-level", CONFIG_LOG_LEVEL},
        {"save", CONFIG_SAVE},
    };
    if (!config_load(options_knows(o, "config") ? options_text(o, "config") : NULL, c, err))
        return false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (options_knows(o, rows[i].option) && options_has(o, rows[i].option))
            config_override(c, rows[i].key, str_from(options_text(o, rows[i].option)));
    return true;
}
