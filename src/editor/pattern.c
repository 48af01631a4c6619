#define PCRE2_CODE_UNIT_WIDTH 8

#include "editor/pattern.h"

#include <pcre2.h>
#include <stdlib.h>
#include <time.h>

#include "base/mem.h"

#define STEPS    100000u
#define HEAP_KIB 8192u

struct pattern {
    const char *argument;
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *context;
    uint64_t spent_ns;
};

static bool refuse_length(const char *argument, size_t n, struct editor_error *err)
{
    return editor_error_set(err, "ERR_INVALID_PARAMS", "%s may have at most %u bytes, and has %zu",
                            argument, PATTERN_MAX, n);
}

static struct pattern *compile_pattern(const char *argument, struct str text, uint32_t more,
                                       struct editor_error *err)
{
    int code = 0;
    PCRE2_SIZE at = 0;
    if (text.n > PATTERN_MAX) {
        refuse_length(argument, text.n, err);
        return NULL;
    }
    uint32_t flags = PCRE2_CASELESS | PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | more;
    pcre2_code *made =
        pcre2_compile((PCRE2_SPTR)(text.p ? text.p : ""), text.n, flags, &code, &at, NULL);
    if (!made) {
        PCRE2_UCHAR reason[160];
        pcre2_get_error_message(code, reason, sizeof reason);
        editor_error_set(err, "ERR_INVALID_PARAMS",
                         "%s is not a valid regular expression: at byte %zu: %s", argument,
                         (size_t)at + 1, (const char *)reason);
        return NULL;
    }
    struct pattern *p = mem_zalloc(sizeof *p);
    p->argument = argument;
    p->code = made;
    p->data = pcre2_match_data_create(1, NULL);
    p->context = pcre2_match_context_create(NULL);
    if (!p->data || !p->context)
        mem_die("out of memory");
    pcre2_set_match_limit(p->context, STEPS);
    pcre2_set_heap_limit(p->context, HEAP_KIB);
    return p;
}

struct pattern *pattern_new(const char *argument, struct str text, struct editor_error *err)
{
    return compile_pattern(argument, text, PCRE2_UCP | PCRE2_NEVER_BACKSLASH_C, err);
}

struct pattern *pattern_new_text(const char *argument, struct str text, struct editor_error *err)
{
    return compile_pattern(argument, text, PCRE2_LITERAL, err);
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

enum pattern_result pattern_match(struct pattern *p, struct str text)
{
    uint64_t begin = now_ns();
    int found =
        pcre2_match(p->code, (PCRE2_SPTR)(text.p ? text.p : ""), text.n, 0, 0, p->data, p->context);
    p->spent_ns += now_ns() - begin;
    if (found < PCRE2_ERROR_NOMATCH || p->spent_ns > PATTERN_BUDGET_MS * 1000000ull)
        return PATTERN_TOO_SLOW;
    return found == PCRE2_ERROR_NOMATCH ? PATTERN_NO : PATTERN_YES;
}

bool pattern_refuse_slow(const struct pattern *p, struct editor_error *err)
{
    return editor_error_set(
        err, "ERR_INVALID_PARAMS",
        "%s takes too long to match: simplify it (nested repetitions are the usual cause)",
        p->argument);
}

void pattern_free(struct pattern *p)
{
    if (!p)
        return;
    pcre2_match_context_free(p->context);
    pcre2_match_data_free(p->data);
    pcre2_code_free(p->code);
    free(p);
}
