/* Where a store is: URLs and paths. */
#include <string.h>
#include <sys/stat.h>

#include "store/store.h"

bool store_is_server(const char *url)
{
    return url && (strncmp(url, "postgresql://", 13) == 0 || strncmp(url, "postgres://", 11) == 0);
}

/* All else may hold a secret. */
static bool may_be_shown(struct str name)
{
    static const struct str harmless[] = {
        STR_INIT("host"),    STR_INIT("hostaddr"), STR_INIT("port"),   STR_INIT("dbname"),
        STR_INIT("service"), STR_INIT("user"),     STR_INIT("sslmode")};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
        if (str_eq(name, harmless[i]))
            return true;
    return false;
}

/* A password may hold any character that should have been escaped: all from the first colon to the
 * last @ counts as one. */
void store_show_url(const char *url, struct buf *out)
{
    struct str rest = str_from(url), part;
    size_t scheme = str_find(rest, STR("://"));
    if (scheme == rest.n) {
        buf_add(out, rest);
        return;
    }
    buf_add(out, str_head(rest, scheme + 3));
    rest = str_skip(rest, scheme + 3);
    size_t at = rest.n;
    while (at > 0 && rest.p[at - 1] != '@')
        at--;
    if (at > 0) {
        struct str user = str_head(rest, at - 1);
        buf_add(out, str_head(user, str_find_char(user, ':')));
        buf_add_char(out, '@');
        rest = str_skip(rest, at);
    }
    str_cut(&rest, '?', &part);
    buf_add(out, part);
    for (char before = '?'; rest.n;) {
        str_cut(&rest, '&', &part);
        if (!may_be_shown(str_head(part, str_find_char(part, '='))))
            continue;
        buf_add_char(out, before);
        buf_add(out, part);
        before = '&';
    }
}

static bool is_folder(const char *path)
{
    struct stat st;
    return path[strlen(path) - 1] == '/' || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static bool refuse(const char *url, struct error *err)
{
    struct buf shown = {0};
    store_show_url(url, &shown);
    error_set(err, ERR_INVALID_PARAMS,
              "cannot use the store %.80s: postgresql://..., sqlite:PATH or a path are possible",
              shown.p);
    buf_done(&shown);
    return false;
}

bool store_place(const char *url, const char *folder, const struct store_schema *schema,
                 struct buf *out, struct error *err)
{
    if (store_is_server(url)) {
        buf_add(out, str_from(url));
        return true;
    }
    const char *path = url ? url : "";
    if (strncmp(path, "sqlite:", 7) == 0)
        path += strncmp(path, "sqlite://", 9) == 0 ? 9 : 7;
    else if (strstr(path, "://") || strncmp(path, "postgresql:", 11) == 0 ||
             strncmp(path, "postgres:", 9) == 0)
        return refuse(path, err);
    const char *slash = strrchr(path, '/');
    if (!*path)
        buf_printf(out, "%s/%s.db", folder, schema->name);
    else if (is_folder(path))
        buf_printf(out, "%s%s%s.db", path, path[strlen(path) - 1] == '/' ? "" : "/", schema->name);
    else if (schema->is_main)
        buf_add(out, str_from(path));
    else
        buf_printf(out, "%.*s%s.db", slash ? (int)(slash - path + 1) : 0, path, schema->name);
    return !out->overflow || error_set(err, ERR_LIMIT, "the path of the store is too long");
}
