#include <stdio.h>

#include "base/utf8.h"
#include "orchestrator/executor_internal.h"

#define MAX_LAST 512u

/* ---- output */

static void emit_piece(struct executor *e, struct str text)
{
    struct str fits = utf8_head(text, (size_t)(EXECUTOR_MAX_LOG - e->told));
    e->left_out += text.n - fits.n;
    e->told = fits.n < text.n ? EXECUTOR_MAX_LOG : e->told + fits.n;
    if (fits.n && e->o.on_log)
        e->o.on_log(e, fits, e->o.ctx);
}

static size_t last_line_end(struct str text)
{
    const char *at = text.n ? memrchr(text.p, '\n', text.n) : NULL;
    return at ? (size_t)(at - text.p) + 1 : 0;
}

/* Emit full pieces; with `all`, also the last one. */
static void emit_pieces(struct executor *e, bool all)
{
    struct str rest = buf_str(&e->piece);
    while (rest.n >= EXECUTOR_PIECE || (all && rest.n)) {
        struct str piece = utf8_head(rest, EXECUTOR_PIECE);
        size_t lines = piece.n < rest.n ? last_line_end(piece) : 0;
        if (lines)
            piece.n = lines;
        emit_piece(e, piece);
        rest = str_skip(rest, piece.n);
    }
    buf_drop(&e->piece, e->piece.n - rest.n);
}

/* ---- input */

/* The reason for a run without one in its result. */
static void keep_last_line(struct executor *e, struct str lines)
{
    struct str line;
    while (lines.n) {
        str_cut(&lines, '\n', &line);
        if (!str_trim(line).n)
            continue;
        buf_clear(&e->last);
        buf_add(&e->last, utf8_head(str_trim(line), MAX_LAST));
    }
}

/* Move the first n bytes of the line to the piece. */
static void move_bytes(struct executor *e, struct executor_stream *s, size_t n)
{
    struct str text = str_head(buf_str(&s->line), n);
    if (s == &e->streams[1])
        keep_last_line(e, text);
    buf_add(&e->piece, text);
    buf_drop(&s->line, n);
}

static void flush_all(struct executor *e)
{
    for (size_t i = 0; i < 2; i++)
        move_bytes(e, &e->streams[i], e->streams[i].line.n);
    emit_pieces(e, true);
}

static void on_flush(void *ctx)
{
    flush_all(ctx);
}

/* Lines of the two streams are not mixed, unless a line stays unfinished until the flush. */
void executor_log_add(struct executor *e, enum process_stream which, struct str bytes)
{
    struct executor_stream *s = &e->streams[which == PROCESS_STDERR];
    log_text_feed(&s->text, bytes, &s->line);
    size_t n = s->line.n >= EXECUTOR_PIECE ? s->line.n : last_line_end(buf_str(&s->line));
    move_bytes(e, s, n);
    emit_pieces(e, false);
    if ((e->piece.n || s->line.n) && !timer_is_running(&e->flush))
        timer_start(&e->flush, e->loop, EXECUTOR_FLUSH_MS, on_flush, e);
}

void executor_log_end(struct executor *e)
{
    char note[64];
    timer_stop(&e->flush);
    for (size_t i = 0; i < 2; i++)
        log_text_end(&e->streams[i].text, &e->streams[i].line);
    flush_all(e);
    if (!e->left_out)
        return;
    snprintf(note, sizeof note, "\n[%llu bytes more were left out]\n",
             (unsigned long long)e->left_out);
    if (e->o.on_log)
        e->o.on_log(e, str_from(note), e->o.ctx);
}
