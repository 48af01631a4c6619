#include "editor/console_log.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

struct console_log {
    char id[9];
    uint64_t serial;
    size_t first, count; /* of the ring buffer */
    struct console_entry entries[CONSOLE_LOG_MAX];
};

struct console_log *console_log_new(void)
{
    struct console_log *l = mem_zalloc(sizeof *l);
    char id[ID_LEN + 1];
    id_new(id);
    memcpy(l->id, id, sizeof l->id - 1);
    return l;
}

/* All texts of an entry are one allocation, which begins with the message. */
static void entry_done(struct console_entry *e)
{
    free((char *)(uintptr_t)e->message.p);
    *e = (struct console_entry){0};
}

void console_log_free(struct console_log *l)
{
    if (!l)
        return;
    for (size_t i = 0; i < l->count; i++)
        entry_done(&l->entries[(l->first + i) % CONSOLE_LOG_MAX]);
    free(l);
}

static size_t add_text(struct buf *to, struct str text)
{
    size_t before = to->n;
    utf8_add_lossy(to, utf8_head(text, CONSOLE_TEXT_MAX));
    buf_add_char(to, 0);
    return to->n - before - 1;
}

void console_log_add(struct console_log *l, const struct console_entry *e)
{
    assert(e->type < CONSOLE_TYPE_COUNT);
    struct buf texts = {0};
    size_t message = add_text(&texts, e->message);
    size_t trace = add_text(&texts, e->stack_trace);
    size_t file = add_text(&texts, e->file);
    struct console_entry *to = &l->entries[(l->first + l->count) % CONSOLE_LOG_MAX];
    if (l->count < CONSOLE_LOG_MAX) {
        l->count++;
    } else {
        entry_done(to);
        l->first = (l->first + 1) % CONSOLE_LOG_MAX;
    }
    *to = *e;
    to->message = str_make(texts.p, message);
    to->stack_trace = str_make(texts.p + message + 1, trace);
    to->file = str_make(texts.p + message + 1 + trace + 1, file);
    to->serial = ++l->serial;
}

size_t console_log_count(const struct console_log *l)
{
    return l->count;
}

const struct console_entry *console_log_at(const struct console_log *l, size_t i)
{
    assert(i < l->count);
    return &l->entries[(l->first + i) % CONSOLE_LOG_MAX];
}

uint64_t console_log_serial(const struct console_log *l)
{
    return l->serial;
}

const char *console_log_id(const struct console_log *l)
{
    return l->id;
}

static const char *const names[CONSOLE_TYPE_COUNT] = {
    [CONSOLE_LOG] = "log",       [CONSOLE_WARNING] = "warning",     [CONSOLE_ERROR] = "error",
    [CONSOLE_ASSERT] = "assert", [CONSOLE_EXCEPTION] = "exception",
};

const char *console_log_type_name(enum console_type t)
{
    assert(t < CONSOLE_TYPE_COUNT);
    return names[t];
}

bool console_log_type_from_name(struct str name, enum console_type *t)
{
    for (enum console_type i = 0; i < CONSOLE_TYPE_COUNT; i++)
        if (str_eq(name, str_from(names[i]))) {
            *t = i;
            return true;
        }
    return false;
}
