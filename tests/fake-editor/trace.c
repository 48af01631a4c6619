/* What really happened: one JSON line per event, written at once. */
#include "fake.h"

#include <fcntl.h>
#include <unistd.h>

bool trace_open(struct wire_editor *f, const char *path)
{
    f->trace_fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    return f->trace_fd >= 0;
}

bool trace_begin(struct wire_editor *f, struct buf *line, struct jsonw *w, const char *what)
{
    *line = (struct buf){0};
    if (f->trace_fd < 0)
        return false;
    *w = jsonw_make(line);
    jsonw_object(w);
    jsonw_kint(w, "order", (int64_t)++f->trace_order);
    jsonw_kint(w, "ms", (int64_t)loop_now(f->loop));
    jsonw_kcstr(w, "what", what);
    return true;
}

void trace_end(struct wire_editor *f, struct buf *line, struct jsonw *w)
{
    jsonw_end(w);
    buf_add_char(line, '\n');
    for (size_t at = 0; at < line->n;) {
        ssize_t n = write(f->trace_fd, line->p + at, line->n - at);
        if (n <= 0)
            break; /* a full disk does not stop the editor */
        at += (size_t)n;
    }
    buf_done(line);
}

void trace_request(struct wire_editor *f, const char *what, const char *request_id, const char *how)
{
    struct buf line;
    struct jsonw w;
    if (!trace_begin(f, &line, &w, what))
        return;
    if (request_id)
        jsonw_kcstr(&w, "request_id", request_id);
    if (how)
        jsonw_kcstr(&w, "how", how);
    trace_end(f, &line, &w);
}
