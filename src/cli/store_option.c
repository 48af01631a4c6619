#include "cli/store_option.h"

#include <stdlib.h>

#include "cli/terminal.h"
#include "store/store.h"

/* postgresql://user:PASSWORD@host, or ?password= */
static bool shows_password(struct str url)
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
    static bool told;
    const char *given = options_text(o, "store"), *set = getenv("MULTIVERSE_STORE");
    if (!given)
        return set && set[0] ? set : NULL;
    if (!told && store_is_server(given) && shows_password(str_from(given))) {
        told = true;
        terminal_print_warning(
            "a password on a command line is seen by everybody on this machine: put the "
            "URL into MULTIVERSE_STORE, or the password into ~/.pgpass");
    }
    return given;
}
