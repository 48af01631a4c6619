/* The token that clients must show: read from a file of its own. */
#include <sys/stat.h>

#include "base/file.h"
#include "cli/config.h"

#define TOKEN_FILE_MAX (64u * 1024)

static bool is_visible(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] <= ' ' || s.p[i] > '~')
            return false;
    return true;
}

bool config_read_token(const char *path, struct buf *out, struct error *err)
{
    struct buf text = {0};
    struct error inner = {0};
    struct str rest, line;
    bool ok = false;
    if (!file_read(path, TOKEN_FILE_MAX, &text, &inner)) {
        error_set(err, ERR_CONFIG_VALIDATION, "the token file: %s", inner.text);
        goto done;
    }
    rest = buf_str(&text);
    str_cut(&rest, '\n', &line);
    line = str_trim(line);
    if (line.n == 0)
        error_set(err, ERR_CONFIG_VALIDATION,
                  "the token file %s: its first line is empty; it must be the token, %u to %u "
                  "visible ASCII characters",
                  path, CONFIG_TOKEN_MIN, CONFIG_TOKEN_MAX);
    else if (line.n < CONFIG_TOKEN_MIN || line.n > CONFIG_TOKEN_MAX)
        error_set(err, ERR_CONFIG_VALIDATION,
                  "the token file %s: the token must have %u to %u characters, not %zu", path,
                  CONFIG_TOKEN_MIN, CONFIG_TOKEN_MAX, line.n);
    else if (!is_visible(line))
        error_set(err, ERR_CONFIG_VALIDATION,
                  "the token file %s: the token must be visible ASCII characters without blanks",
                  path);
    else
        ok = buf_add(out, line);
done:
    buf_done(&text);
    return ok;
}

bool config_token_is_shared(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 077) != 0;
}
