#include <stdio.h>
#include <unistd.h>

#include "base/jsonw.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "unity/check.h"

#define SHOWN_FINDINGS 50u
#define BAR_WIDTH      40u

/* ---- the bar, on a terminal only */

static void on_progress(size_t done, size_t total, void *ctx)
{
    unsigned *shown = ctx, percent = total ? (unsigned)(done * 100 / total) : 100;
    if (percent <= *shown)
        return;
    *shown = percent;
    char bar[BAR_WIDTH + 1] = {0};
    for (unsigned i = 0; i < BAR_WIDTH; i++)
        bar[i] = i * 100 < percent * BAR_WIDTH ? '#' : '.';
    fprintf(stderr, "\r[%s] %3u %%  %zu of %zu files", bar, percent, done, total);
    if (done == total)
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

/* ---- for programs */

static void put_number(struct jsonw *w, const char *key, uint64_t n)
{
    jsonw_key(w, key);
    jsonw_uint(w, n);
}

static void put_json(const struct check_report *r, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_object(&w);
    put_number(&w, "files", r->files);
    put_number(&w, "bytes", r->bytes);
    put_number(&w, "documents", r->documents);
    put_number(&w, "not_identical", r->counts[CHECK_NOT_IDENTICAL]);
    put_number(&w, "unreadable", r->counts[CHECK_UNREADABLE]);
    put_number(&w, "missing_scripts", r->counts[CHECK_MISSING_SCRIPT]);
    put_number(&w, "broken_references", r->counts[CHECK_BROKEN_REFERENCE]);
    put_number(&w, "duplicate_guids", r->counts[CHECK_DUPLICATE_GUID]);
    put_number(&w, "binary", r->binary);
    put_number(&w, "unresolved_references", r->unresolved);
    jsonw_key(&w, "findings");
    jsonw_array(&w);
    for (size_t i = 0; i < r->count; i++) {
        const struct check_finding *f = &r->findings[i];
        jsonw_object(&w);
        jsonw_kcstr(&w, "kind", check_kind_name(f->kind));
        jsonw_kstr(&w, "file", f->file);
        put_number(&w, "line", f->line);
        jsonw_kstr(&w, "message", f->message);
        jsonw_end(&w);
    }
    jsonw_end(&w);
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

/* ---- for people */

static const char *const titles[CHECK_KIND_COUNT] = {
    [CHECK_UNREADABLE] = "unreadable",          [CHECK_NOT_IDENTICAL] = "not identical",
    [CHECK_MISSING_SCRIPT] = "missing scripts", [CHECK_BROKEN_REFERENCE] = "broken references",
    [CHECK_DUPLICATE_GUID] = "duplicate GUIDs",
};

static void put_row(struct buf *out, const char *title, uint64_t n, const char *remark)
{
    buf_printf(out, "%-18s %12llu%s%s\n", title, (unsigned long long)n, *remark ? "  " : "",
               remark);
}

static void put_finding(struct buf *out, const struct check_finding *f)
{
    buf_add(out, STR("  "));
    terminal_escape(out, f->file);
    if (f->line)
        buf_printf(out, ":%u", f->line);
    buf_add(out, STR(": "));
    terminal_escape(out, f->message);
    buf_add_char(out, '\n');
}

static void put_table(const struct check_report *r, struct buf *out)
{
    put_row(out, "files", r->files, "");
    put_row(out, "bytes", r->bytes, "");
    put_row(out, "documents", r->documents, "");
    for (size_t i = 0; i < CHECK_KIND_COUNT; i++)
        put_row(out, titles[i], r->counts[i], "");
    if (r->binary)
        put_row(out, "binary", r->binary, "files that Unity keeps as binary");
    if (r->unresolved)
        put_row(out, "unresolved", r->unresolved,
                "GUIDs that may belong to packages that are not on disk");
    size_t shown = r->count < SHOWN_FINDINGS ? r->count : SHOWN_FINDINGS;
    for (size_t i = 0; i < shown; i++) {
        if (i == 0 || r->findings[i - 1].kind != r->findings[i].kind)
            buf_printf(out, "\n%s:\n", titles[r->findings[i].kind]);
        put_finding(out, &r->findings[i]);
    }
    if (r->count > shown)
        buf_printf(out, "\nand %zu more; --json shows them all\n", r->count - shown);
}

/* ---- the command */

static int check_files(const char *folder, bool json)
{
    static const struct diagnostic_sink nobody = {0};
    struct project project = {0};
    struct error err = {0};
    struct check_report report;
    struct buf out = buf_make(1u << 30);
    unsigned shown = 0;
    if (!project_open(&project, folder, &nobody, &err)) {
        terminal_print_failure(&err);
        return COMMAND_USAGE;
    }
    struct assets *assets = assets_open(&project, &nobody);
    struct types *types = types_new(&project, assets, &nobody);
    check_project(
        &(struct check_options){.project = &project,
                                .assets = assets,
                                .types = types,
                                .progress = terminal_is_tty(STDERR_FILENO) ? on_progress : NULL,
                                .ctx = &shown},
        &report);
    if (json)
        put_json(&report, &out);
    else
        put_table(&report, &out);
    terminal_write(buf_str(&out));
    int code = report.count ? COMMAND_FAILED : COMMAND_FINE;
    buf_done(&out);
    check_report_done(&report);
    types_free(types);
    assets_close(assets);
    project_done(&project);
    return code;
}

int cmd_project(const struct options *o)
{
    if (!str_eq(str_from(o->args[0]), STR("check"))) {
        terminal_print_error("project: unknown action %s: use multiverse project check DIR",
                             o->args[0]);
        return COMMAND_USAGE;
    }
    return check_files(o->arg_count > 1 ? o->args[1] : ".", options_has(o, "json"));
}
