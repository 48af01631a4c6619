/* `multiverse task add --goal`: a planner writes tasks for a goal, a person agrees, they are
 * added. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/run_folder.h"
#include "base/file.h"
#include "base/id.h"
#include "base/mem.h"
#include "base/secrets.h"
#include "cli/command.h"
#include "cli/store_option.h"
#include "cli/table.h"
#include "cli/task_adding.h"
#include "cli/task_command.h"
#include "cli/terminal.h"
#include "cli/tooling_command.h"
#include "orchestrator/goal.h"
#include "process/self.h"
#include "process/supervisor.h"

struct goal_command {
    const struct options *options;
    struct task_command view;
    struct buf text; /* the goal */
    char *repo;
    struct tooling_file *file;
    struct ledger *ledger;
    struct secrets secrets;
    struct rng rng;
    struct loop *loop;
    struct supervisor *supervisor;
    struct goal *goal;
    struct buf dir, plans; /* of the run; of its plan */
    char run_id[RUN_FOLDER_ID];
    char self[PATH_MAX];
    struct task_adding adding;
    struct buf reason; /* why there is no plan */
    struct buf step;   /* the last progress line */
    uint64_t since;    /* its time */
    struct timer repeat;
    bool has_plan, interrupted;
};

/* ---- input */

static bool read_goal(struct goal_command *w, struct error *err)
{
    const char *given = options_text(w->options, "goal");
    char piece[4096];
    size_t n;
    w->text = buf_make(GOAL_MAX_TEXT);
    if (strcmp(given, "-") != 0)
        buf_add(&w->text, str_from(given));
    else
        while ((n = fread(piece, 1, sizeof piece, stdin)) > 0)
            buf_add(&w->text, str_make(piece, n));
    if (w->text.overflow)
        return error_set(err, ERR_LIMIT, "the goal is longer than %u KiB", GOAL_MAX_TEXT >> 10);
    if (!str_trim(buf_str(&w->text)).n)
        return error_set(err, ERR_INVALID_PARAMS,
                         "the goal is empty: describe in a sentence or two what is wanted");
    return true;
}

static bool find_repo(struct goal_command *w, struct error *err)
{
    const char *given = options_text(w->options, "repo");
    struct stat st;
    w->repo = realpath(given ? given : ".", NULL);
    if (w->repo && stat(w->repo, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    return error_set(err, ERR_INVALID_PARAMS, "--repo %s is not a folder", given ? given : ".");
}

static bool find_tooling(struct goal_command *w, struct error *err)
{
    w->file = tooling_command_open_file(options_text(w->options, "tooling"), err);
    if (w->file && tooling_file_error(w->file))
        terminal_print_warning("%s", tooling_file_error(w->file)->text);
    return w->file != NULL;
}

static bool read_all(struct goal_command *w)
{
    struct error err = {0};
    task_adding_init(&w->adding, w->options);
    if (read_goal(w, &err) && find_repo(w, &err) && find_tooling(w, &err))
        return true;
    terminal_print_failure(&err);
    w->view.code = COMMAND_USAGE;
    return false;
}

static bool prepare_goal(struct goal_command *w)
{
    struct error err = {0};
    uint64_t seed;
    bool fine = self_path(w->self, &err);
    w->ledger = fine ? ledger_open(store_option(w->options), &err) : NULL;
    fine = w->ledger && run_folder_make(w->run_id, &w->dir, &err);
    if (!fine) {
        terminal_print_failure(&err);
        w->view.code = COMMAND_FAILED;
        return false;
    }
    id_bytes(&seed, sizeof seed);
    rng_seed(&w->rng, seed);
    secrets_add_environment(&w->secrets);
    return true;
}

/* ---- the plan */

/* With this a reader of standard error can tell a long answer from a process that hangs. */
static void repeat_step(void *ctx)
{
    struct goal_command *w = ctx;
    uint64_t every = 0;
    if (!options_has(w->options, "json") || !options_number(w->options, "progress", &every))
        return;
    if (w->step.n)
        fprintf(stderr, "%.*s (%llu s)\n", STR_ARG(buf_str(&w->step)),
                (unsigned long long)(loop_now(w->loop) - w->since) / 1000);
    timer_start(&w->repeat, w->loop, every * 1000, repeat_step, w);
}

static void on_event(struct str text, void *ctx)
{
    struct goal_command *w = ctx;
    struct buf line = {0};
    buf_clear(&w->step);
    terminal_escape(&w->step, text);
    w->since = loop_now(w->loop);
    terminal_escape(&line, text);
    buf_add_char(&line, '\n');
    if (options_has(w->options, "json")) {
        fwrite(line.p, 1, line.n, stderr);
    } else {
        terminal_write(buf_str(&line));
        terminal_flush();
    }
    buf_done(&line);
}

static void on_end(struct goal *g, const struct goal_plan *plan, struct str reason, void *ctx)
{
    struct goal_command *w = ctx;
    (void)g;
    w->goal = NULL;
    timer_stop(&w->repeat);
    w->has_plan = plan != NULL;
    buf_add(&w->reason, reason);
    w->adding.batch.goal = str_trim(buf_str(&w->text));
    for (size_t i = 0; plan && i < plan->count; i++) {
        const struct goal_task *t = &plan->tasks[i];
        task_batch_add(&w->adding.batch, &(struct task_new){.name = t->id,
                                                            .title = t->title,
                                                            .repo = str_from(w->repo),
                                                            .spec = t->spec,
                                                            .needs = t->needs,
                                                            .need_count = t->need_count});
    }
    if (w->supervisor)
        supervisor_dismiss(w->supervisor);
    else
        loop_stop(w->loop);
}

static void on_supervisor_gone(void *ctx)
{
    struct goal_command *w = ctx;
    w->supervisor = NULL;
    if (!w->goal)
        loop_stop(w->loop);
}

static void on_signal(void *ctx)
{
    struct goal_command *w = ctx;
    w->interrupted = true;
    if (w->goal)
        goal_stop(w->goal);
}

static void make_plan(struct goal_command *w)
{
    struct error err = {0};
    w->loop = loop_new();
    self_on_signals(w->loop, on_signal, w);
    w->supervisor = supervisor_start(w->loop, w->self, on_supervisor_gone, w, &err);
    if (!w->supervisor)
        terminal_print_warning("agents may keep running if this program is killed: %s", err.text);
    w->goal = goal_start(
        w->loop, &(struct goal_options){.text = str_trim(buf_str(&w->text)),
                                        .repo = w->repo,
                                        .prefix = str_from(options_text(w->options, "prefix")),
                                        .tooling = tooling_file_current(w->file),
                                        .ledger = w->ledger,
                                        .rng = &w->rng,
                                        .self = w->self,
                                        .dir = w->dir.p,
                                        .run_id = w->run_id,
                                        .secrets = &w->secrets,
                                        .on_event = on_event,
                                        .on_end = on_end,
                                        .ctx = w});
    repeat_step(w);
    loop_run(w->loop);
    loop_free(w->loop);
}

/* ---- the plan as files: it was paid for, so it is kept even if it is not added */

static void put_file_name(struct buf *out, size_t number, struct str name)
{
    buf_printf(out, "/%03zu-", number);
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     c == '-' || c == '_' || c == '.';
        buf_add_char(out, plain ? c : '_');
    }
    buf_add(out, STR(".yaml"));
}

static void keep_plan(struct goal_command *w)
{
    struct error err = {0};
    buf_printf(&w->plans, "%s/plan", w->dir.p);
    bool fine = file_make_dirs(w->plans.p, &err);
    for (size_t i = 0; fine && i < w->adding.batch.count; i++) {
        struct buf path = {0};
        buf_add(&path, buf_str(&w->plans));
        put_file_name(&path, i + 1, w->adding.batch.news[i].name);
        fine = file_replace(path.p, w->adding.batch.news[i].spec, 0600, &err);
        buf_done(&path);
    }
    if (!fine)
        buf_clear(&w->plans);
}

static void print_kept_plan(const struct goal_command *w)
{
    if (w->plans.n)
        terminal_print_warning("the plan was saved: add it with multiverse task add %s/*.yaml",
                               w->plans.p);
}

/* ---- printing the plan */

static size_t index_of(const struct task_batch *b, struct str name)
{
    size_t i = 0;
    while (i < b->count && !str_eq(b->news[i].name, name))
        i++;
    return i;
}

static void put_picture(const struct task_batch *b, struct buf *out)
{
    struct draw_node *nodes = mem_zalloc((b->count + 1) * sizeof *nodes);
    size_t count = 0, most = 0;
    for (size_t i = 0; i < b->count; i++)
        most += b->news[i].need_count;
    struct graph_edge *edges = mem_zalloc((most + 1) * sizeof *edges);
    for (size_t i = 0; i < b->count; i++) {
        nodes[i] = (struct draw_node){.name = b->news[i].name, .title = b->news[i].title};
        for (size_t j = 0; j < b->news[i].need_count; j++) {
            size_t needs = index_of(b, b->news[i].needs[j]);
            if (needs < b->count)
                edges[count++] = (struct graph_edge){(uint32_t)i, (uint32_t)needs};
        }
    }
    struct draw d = {.graph = {(uint32_t)b->count, edges, count}, .nodes = nodes};
    cmd_task_graph_draw(&d, out);
    free(nodes);
    free(edges);
}

static void put_list(const struct task_batch *b, struct buf *out)
{
    struct table t = {0};
    for (size_t i = 0; i < b->count; i++) {
        const struct task_new *n = &b->news[i];
        struct buf needs = {0};
        for (size_t j = 0; j < n->need_count; j++)
            buf_printf(&needs, "%s%.*s", j ? ", " : "needs ", STR_ARG(n->needs[j]));
        table_add(&t, "%zu", i + 1);
        table_add_str(&t, n->name);
        table_add_str(&t, n->title);
        if (needs.n)
            table_add_str(&t, buf_str(&needs));
        table_end(&t);
        buf_done(&needs);
    }
    table_right(&t, 0);
    table_put(&t, out);
    table_done(&t);
}

static void put_json(const struct goal_command *w, struct buf *out)
{
    struct jsonw j = jsonw_make(out);
    jsonw_object(&j);
    jsonw_kstr(&j, "goal", str_trim(buf_str(&w->text)));
    jsonw_kbool(&j, "added", false);
    jsonw_kcstr(&j, "files", w->plans.n ? w->plans.p : NULL);
    jsonw_key(&j, "tasks");
    jsonw_array(&j);
    for (size_t i = 0; i < w->adding.batch.count; i++) {
        const struct task_new *n = &w->adding.batch.news[i];
        jsonw_object(&j);
        jsonw_kstr(&j, "name", n->name);
        jsonw_kstr(&j, "title", n->title);
        jsonw_key(&j, "needs");
        jsonw_array(&j);
        for (size_t k = 0; k < n->need_count; k++)
            jsonw_str(&j, n->needs[k]);
        jsonw_end(&j);
        jsonw_kstr(&j, "spec", n->spec);
        jsonw_end(&j);
    }
    jsonw_end(&j);
    jsonw_end(&j);
    buf_add_char(out, '\n');
}

static void show_plan(const struct goal_command *w, bool json)
{
    struct buf out = {0};
    if (json) {
        put_json(w, &out);
    } else {
        buf_add_char(&out, '\n');
        put_picture(&w->adding.batch, &out);
        buf_add_char(&out, '\n');
        put_list(&w->adding.batch, &out);
        buf_add_char(&out, '\n');
    }
    terminal_write(buf_str(&out));
    terminal_flush();
    buf_done(&out);
}

/* ---- confirmation */

static void on_interrupt(int signum)
{
    (void)signum; /* reading ends */
}

enum confirm_answer {
    YES,
    NO,
    GONE
};

static enum confirm_answer ask_to_add(const struct goal_command *w)
{
    struct sigaction act = {.sa_handler = on_interrupt}; /* without SA_RESTART */
    char line[16] = "";
    struct buf question = {0};
    buf_printf(&question, "add %s %zu task%s? [y/N] ",
               w->adding.batch.count == 1 ? "this" : "these", w->adding.batch.count,
               w->adding.batch.count == 1 ? "" : "s");
    terminal_write(buf_str(&question));
    terminal_flush();
    buf_done(&question);
    sigaction(SIGINT, &act, NULL);
    errno = 0;
    char *got = fgets(line, sizeof line, stdin);
    int reason = errno;
    signal(SIGINT, SIG_DFL);
    if (!got)
        return terminal_write(STR("\n")), reason == EINTR ? GONE : NO;
    struct str s = str_trim(str_from(line));
    return str_eq_nocase(s, STR("y")) || str_eq_nocase(s, STR("yes")) ? YES : NO;
}

/* True: add the plan. */
static bool confirm_plan(struct goal_command *w)
{
    bool json = options_has(w->options, "json");
    if (options_has(w->options, "yes") || w->adding.dry)
        return true;
    if (json || !terminal_is_tty(STDIN_FILENO) || !terminal_is_tty(STDOUT_FILENO)) {
        terminal_print_error(
            "nothing was added: there is no terminal to ask on; add the plan without "
            "asking with --yes%s%s%s",
            w->plans.n ? ", or: multiverse task add " : "", w->plans.n ? w->plans.p : "",
            w->plans.n ? "/*.yaml" : "");
        w->view.code = COMMAND_USAGE;
        return false;
    }
    switch (ask_to_add(w)) {
    case YES:
        return true;
    case NO:
        w->view.code = COMMAND_FINE;
        break;
    case GONE:
        w->view.code = COMMAND_INTERRUPTED;
        break;
    }
    terminal_print_warning("nothing was added");
    print_kept_plan(w);
    return false;
}

static void add_plan(struct goal_command *w)
{
    bool json = options_has(w->options, "json");
    bool asked = options_has(w->options, "yes");
    keep_plan(w);
    if (!json || !asked)
        show_plan(w, json);
    if (!confirm_plan(w))
        return;
    if (!task_command_open(&w->view, w->options, TASK_COMMAND_CREATE)) {
        print_kept_plan(w);
        return;
    }
    if (!task_adding_apply(&w->adding, &w->view))
        print_kept_plan(w);
    else if (!json || asked)
        task_adding_print(&w->adding, json);
    task_command_close(&w->view);
}

static bool check_store(struct goal_command *w)
{
    return task_command_open(&w->view, w->options, TASK_COMMAND_CREATE) &&
           task_command_close(&w->view) == COMMAND_FINE;
}

int cmd_task_goal(const struct options *o)
{
    struct goal_command w = {.options = o};
    /* Check the store first: a plan that cannot be added would be paid for in vain. */
    if (read_all(&w) && check_store(&w) && prepare_goal(&w)) {
        make_plan(&w);
        if (w.has_plan && !w.interrupted) {
            add_plan(&w);
        } else if (w.interrupted) {
            terminal_print_warning("nothing was added");
            w.view.code = COMMAND_INTERRUPTED;
        } else {
            terminal_print_error("there is no plan: %.*s", STR_ARG(buf_str(&w.reason)));
            w.view.code = COMMAND_FAILED;
        }
    }
    task_adding_done(&w.adding);
    secrets_done(&w.secrets);
    ledger_close(w.ledger);
    tooling_file_close(w.file);
    free(w.repo);
    buf_done(&w.text);
    buf_done(&w.reason);
    buf_done(&w.step);
    buf_done(&w.dir);
    buf_done(&w.plans);
    return w.view.code;
}
