/* `multiverse tooling doctor` and `classify`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "agent/doctor.h"
#include "agent/output.h"
#include "base/file.h"
#include "base/jsonw.h"
#include "base/rfc3339.h"
#include "cli/command.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "cli/tooling_command.h"

#define MAX_RECORD (256u << 20)

/* ---- doctor */

static void write_agents(const struct doctor_entry *all, size_t count, struct buf *out)
{
    static const char *const heads[] = {"TOOL", "FOUND", "VERSION", "ACCOUNT", "SIGNED IN"};
    struct table t = {0};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
        table_add(&t, "%s", heads[i]);
    table_end(&t);
    for (size_t i = 0; i < count; i++) {
        const struct provider_health *h = &all[i].health;
        table_add(&t, "%s", agent_kind_name(all[i].candidate->tool));
        table_add(&t, "%s", h->found ? (h->path[0] ? h->path : "built in") : "no");
        table_add(&t, "%s", h->version);
        table_add(&t, "%s", h->account);
        table_add(&t, "%s", h->signed_in);
        table_end(&t);
    }
    table_put(&t, out);
    table_done(&t);
}

static void write_agents_json(const struct doctor_entry *all, size_t count, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    jsonw_array(&w);
    for (size_t i = 0; i < count; i++) {
        jsonw_object(&w);
        jsonw_kcstr(&w, "tool", agent_kind_name(all[i].candidate->tool));
        doctor_write_health(&w, &all[i].health, str_from(all[i].health.account));
        jsonw_key(&w, "categories");
        jsonw_array(&w);
        for (enum category c = 0; c < CATEGORY_COUNT; c++)
            if (all[i].categories[c])
                jsonw_cstr(&w, tooling_category_name(c));
        jsonw_end(&w);
        jsonw_end(&w);
    }
    jsonw_end(&w);
    buf_add_char(out, '\n');
}

/* Finding a category without a usable agent is the purpose of doctor. */
static bool is_served(const struct doctor_entry *all, size_t count, enum category c)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].categories[c] && all[i].health.usable)
            return true;
    return false;
}

/* In force mode the last one does all work. */
static bool all_are_served(const struct tooling *t, const struct doctor_entry *all, size_t count)
{
    struct buf names = {0};
    if (t->forced && !all[count - 1].health.usable)
        terminal_print_error(
            "force mode is on, but %s cannot work: see above, or use multiverse tooling force off",
            agent_kind_name(t->force.tool));
    if (t->forced)
        return all[count - 1].health.usable;
    for (enum category c = 0; c < CATEGORY_COUNT; c++)
        if (!is_served(all, count, c))
            buf_printf(&names, "%s%s", names.n ? ", " : "", tooling_category_name(c));
    if (names.n)
        terminal_print_error(
            "no agent can do the work of %s: install one of its agents, or sign in", names.p);
    bool fine = names.n == 0;
    buf_done(&names);
    return fine;
}

int cmd_tooling_agents_doctor(const struct options *o)
{
    static struct doctor_entry all[DOCTOR_MAX];
    struct tooling_command v;
    struct buf out = {0};
    int code = COMMAND_FINE;
    if (!tooling_command_read(&v, o))
        return v.code;
    size_t count = doctor_list_candidates(v.tooling, DOCTOR_ACTIVE, all);
    for (size_t i = 0; i < count; i++)
        provider_doctor(all[i].candidate, &all[i].health);
    if (options_has(o, "json"))
        write_agents_json(all, count, &out);
    else
        write_agents(all, count, &out);
    terminal_write(buf_str(&out));
    fflush(stdout);
    if (!all_are_served(v.tooling, all, count))
        code = COMMAND_FAILED;
    buf_done(&out);
    tooling_command_close(&v);
    return code;
}

/* ---- classify */

static bool classify_line(struct str line, size_t number, int64_t now)
{
    struct arena arena = {0};
    struct buf out = {0};
    struct error err = {0};
    struct json_error fault;
    const struct json *record = json_parse(&arena, line, NULL, &fault);
    bool fine = false;
    if (!record)
        terminal_print_error("line %zu: not JSON, at byte %zu: %s", number, fault.offset,
                             fault.reason);
    else if (!output_classify(record, now, &out, &err))
        terminal_print_error("line %zu: %s", number, err.text);
    else
        fine = true;
    if (fine)
        terminal_write(buf_str(&out));
    buf_done(&out);
    arena_done(&arena);
    return fine;
}

static bool read_records(const char *path, struct buf *text, struct error *err)
{
    if (strcmp(path, "-") != 0)
        return file_read(path, MAX_RECORD, text, err);
    char piece[65536];
    size_t n;
    while ((n = fread(piece, 1, sizeof piece, stdin)) > 0)
        buf_add(text, str_make(piece, n));
    if (text->overflow)
        return error_set(err, ERR_LIMIT, "standard input holds more than %u MiB", MAX_RECORD >> 20);
    return true;
}

int cmd_tooling_agents_classify(const struct options *o)
{
    struct buf text = buf_make(MAX_RECORD);
    struct error err = {0};
    int64_t now = rfc3339_now();
    int code = COMMAND_FINE;
    if (!read_records(o->arg_count ? o->args[0] : "-", &text, &err)) {
        terminal_print_failure(&err);
        buf_done(&text);
        return COMMAND_USAGE;
    }
    struct str rest = buf_str(&text), line;
    for (size_t number = 1; rest.n; number++) {
        str_cut(&rest, '\n', &line);
        if (str_trim(line).n && !classify_line(str_trim(line), number, now))
            code = COMMAND_FAILED;
    }
    buf_done(&text);
    return code;
}
