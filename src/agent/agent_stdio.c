#include "agent/agent_stdio.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "base/jsonw.h"

static bool read_stdin(struct buf *out, struct error *err)
{
    char chunk[16 * 1024];
    for (;;) {
        ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
        if (n == 0)
            return !out->overflow ||
                   error_set(err, ERR_LIMIT, "more than %u bytes on standard input",
                             AGENT_STDIO_MAX_INPUT);
        if (n < 0 && errno != EINTR)
            return error_set(err, ERR_IO, "cannot read standard input");
        if (n > 0)
            buf_add(out, str_make(chunk, (size_t)n));
    }
}

const struct json *agent_stdio_read(struct arena *a, struct error *err)
{
    struct buf input = buf_make(AGENT_STDIO_MAX_INPUT);
    const struct json *v = NULL;
    if (read_stdin(&input, err)) {
        v = json_parse(a, arena_str(a, buf_str(&input)), NULL, NULL);
        if (!json_is(v, JSON_OBJECT)) {
            error_set(err, ERR_SYNTAX, "standard input must contain a JSON object");
            v = NULL;
        }
    }
    buf_done(&input);
    return v;
}

void agent_stdio_write(struct buf *line)
{
    buf_add_char(line, '\n');
    fwrite(line->p, 1, line->n, stdout);
    fflush(stdout);
    buf_done(line);
}

void agent_stdio_write_text(const char *type, const char *key, struct str text)
{
    struct buf line = {0};
    struct jsonw w = jsonw_make(&line);
    jsonw_object(&w);
    jsonw_kcstr(&w, "type", type);
    jsonw_kstr(&w, key, text);
    jsonw_end(&w);
    agent_stdio_write(&line);
}
