#include "cli/store_option.h"

#include <stdlib.h>

#include "cli/terminal.h"
#include "store/store.h"

/* postgresql://user:PASSWORD@host, or ?password= */
static bool has_password(struct str url)
{
    struct str rest = url, host;
    size_t slashes = str_find(url, STR("://"));
    if (str_find(url, STR("password=")) < url.n)
        return true;
    rest = str_skip(rest, slashes + 3);
    str_cut(&rest, '/', &host);
    size_t at = str_find_char(host, '@');
    return at < host.n && str_find_char(str_head(host, at), ':') < at;
}

const char *store_option(const struct options *o)
{
    static bool is_warned;
    const char *given = options_text(o, "store"), *set = getenv("MULTIVERSE_STORE");
    if (!given)
        return set && set[0] ? set : NULL;
    if (!is_warned && store_is_server(given) && has_password(str_from(given))) {
        is_warned = true;
        terminal_print_warning("all users of this machine can see a password on a command line: "
                               "put the URL into MULTIVERSE_STORE, or the password into ~/.pgpass");
    }
    return given;
}
