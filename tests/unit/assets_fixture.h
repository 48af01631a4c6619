/* An asset index per test, and checks of its results. */
#pragma once

#include "project_fixture.h"
#include "unity/assets.h"

#define GUID(digit) "0000000000000000000000000000000" digit

static struct assets *assets;

static inline int setup_assets(void **state)
{
    assets = NULL;
    return setup(state);
}

static inline int teardown_assets(void **state)
{
    assets_close(assets);
    return teardown(state);
}

static inline struct guid guid(uint64_t n)
{
    return (struct guid){0, n};
}

static inline void open_assets(void)
{
    if (!project.root)
        open_project();
    buf_clear(&notes);
    assets = assets_open(&project, &sink);
}

static inline void close_assets(void)
{
    assets_close(assets);
    assets = NULL;
}

/* Close the index (which writes the cache), make all folders old enough, and open it again. */
static inline void reopen_assets(void)
{
    close_assets();
    age();
    open_assets();
    close_assets();
    open_assets();
}

static inline void check_path(uint64_t n, const char *want)
{
    CHECK_CSTR(assets_path(assets, guid(n)), want);
}

static inline void check_guid(const char *path, uint64_t want)
{
    struct guid g = {0};
    bool known = assets_guid(assets, str_from(path), &g);
    assert_int_equal(known, want != 0);
    assert_int_equal(g.lo, want);
}

/* All paths, one line each: "path guid flags". */
static inline void check_all(const char *want)
{
    struct buf all = {0};
    for (size_t i = 0; i < assets_count(assets); i++) {
        struct asset a = assets_at(assets, i);
        buf_printf(&all, "%.*s %llx%s%s\n", STR_ARG(a.path), (unsigned long long)a.guid.lo,
                   a.is_folder ? " folder" : "", a.is_missing ? " missing" : "");
    }
    CHECK_CSTR(buf_str(&all), want);
    buf_done(&all);
}

static inline void check_named(const char *stem, const char *extension, const char *want)
{
    struct buf all = {0};
    size_t n;
    const uint32_t *list = assets_named(assets, str_from(stem), str_from(extension), &n);
    for (size_t i = 0; i < n; i++)
        buf_printf(&all, "%.*s ", STR_ARG(assets_at(assets, list[i]).path));
    CHECK_CSTR(buf_str(&all), want);
    buf_done(&all);
}

static inline void check_notes(const char *want)
{
    CHECK_CSTR(buf_str(&notes), want);
    buf_clear(&notes);
}
