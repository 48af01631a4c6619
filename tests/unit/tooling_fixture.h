/* Configurations for tests: JSON with single quotes, easier to read. */
#pragma once

#include <stdlib.h>

#include "test.h"
#include "tooling/tooling.h"

static struct error err;
static struct tooling *t; /* the last tooling that was read */

static inline int teardown_tooling(void **state)
{
    tooling_unref(t);
    t = NULL;
    return 0;
}

/* The text with double quotes; the caller frees it. */
static inline char *quoted(const char *text)
{
    char *made = str_dup(str_from(text));
    for (char *c = made; *c; c++)
        if (*c == '\'')
            *c = '"';
    return made;
}

static inline bool read_as(enum doc_format format, const char *text, struct str at)
{
    struct doc d = {0};
    tooling_unref(t);
    t = NULL;
    err = (struct error){0};
    if (doc_read(&d, str_from(text), &(struct doc_source){"t", format}, &err))
        t = tooling_read(&d, at, &err);
    doc_done(&d); /* the tooling must not need it */
    return t != NULL;
}

static inline bool read_json(const char *text)
{
    char *json = quoted(text);
    bool ok = read_as(DOC_JSON, json, STR(""));
    free(json);
    return ok;
}

static inline void must_read(const char *text)
{
    if (!read_json(text))
        fail_msg("%s", err.text);
}

/* A configuration with one profile whose meta has these candidates. */
static inline char *with_candidates(const char *candidates)
{
    struct buf text = {0};
    buf_printf(&text, "{'profiles': [{'id': 'p', 'categories': {'meta': {'candidates': [%s]}}}]}",
               candidates);
    char *made = str_dup(buf_str(&text));
    buf_done(&text);
    return made;
}
