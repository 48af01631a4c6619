#include "agent/task_note.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/rfc3339.h"
#include "base/utf8.h"

#define MAX_LINE 600u

/* ---- texts of others */

/* Adds the character at byte *i of valid UTF-8; a control, of either kind, becomes a blank. */
static void put_char(struct buf *out, struct str text, size_t *i, const char *kept)
{
    unsigned char c = (unsigned char)text.p[*i];
    bool second = c == 0xc2 && *i + 1 < text.n && (unsigned char)text.p[*i + 1] < 0xa0;
    bool control = second || ((c < ' ' || c == 0x7f) && !(c && strchr(kept, c)));
    buf_add_char(out, control ? ' ' : (char)c);
    *i += second;
}

/* One line that starts nothing of Markdown's. */
static void put_line(struct buf *out, struct str text)
{
    struct buf clean = {0};
    utf8_add_lossy(&clean, utf8_head(str_trim(text), MAX_LINE));
    for (size_t i = 0; i < clean.n; i++) {
        if (clean.p[i] == '<')
            buf_add_char(out, '\\');
        put_char(out, buf_str(&clean), &i, "");
    }
    if (str_trim(text).n > MAX_LINE)
        buf_add(out, STR("..."));
    buf_done(&clean);
}

static size_t longest_fence(struct str text)
{
    size_t most = 0, run = 0;
    for (size_t i = 0; i < text.n; i++) {
        run = text.p[i] == '`' ? run + 1 : 0;
        most = run > most ? run : most;
    }
    return most;
}

static void put_fence(struct buf *out, size_t n)
{
    while (n--)
        buf_add_char(out, '`');
}

/* In a fence that is longer than any in the text; of a long text the end, or the beginning. */
static void put_block(struct buf *out, struct str text, bool keep_end)
{
    struct buf clean = {0};
    utf8_add_lossy(&clean, text);
    struct str all = buf_str(&clean), kept = utf8_head(all, TASK_NOTE_MAX_TEXT);
    if (keep_end && all.n > TASK_NOTE_MAX_TEXT) {
        kept = str_skip(all, all.n - TASK_NOTE_MAX_TEXT);
        while (kept.n && ((unsigned char)kept.p[0] & 0xc0) == 0x80)
            kept = str_skip(kept, 1);
    }
    size_t fence = longest_fence(kept) + 1;
    fence = fence < 3 ? 3 : fence;
    put_fence(out, fence);
    buf_add(out, STR("text\n"));
    if (keep_end && kept.n < all.n)
        buf_add(out, STR("[...]\n"));
    for (size_t i = 0; i < kept.n; i++)
        put_char(out, kept, &i, "\n\t");
    if (kept.n && kept.p[kept.n - 1] != '\n')
        buf_add_char(out, '\n');
    if (!keep_end && kept.n < all.n)
        buf_add(out, STR("[...]\n"));
    put_fence(out, fence);
    buf_add(out, STR("\n\n"));
    buf_done(&clean);
}

/* ---- the page */

static void put_seconds(struct buf *out, int64_t from, int64_t to)
{
    double seconds = to > from ? (double)(to - from) / 1000 : 0;
    if (seconds < 100)
        buf_printf(out, "%.1f s", seconds);
    else
        buf_printf(out, "%.0f min", seconds / 60);
}

static void put_head(struct buf *out, const struct task_note *n)
{
    char at[RFC3339_LEN + 1];
    buf_add(out, STR("# "));
    put_line(out, n->task->title);
    buf_add(out, STR("\n\n- Task: "));
    put_line(out, n->task->id);
    buf_printf(out, "\n- State: **%s**", run_state_name(n->state));
    if (n->why.n) {
        buf_add(out, STR(": "));
        put_line(out, n->why);
    }
    rfc3339_format(n->started, at);
    buf_printf(out, "\n- Started: %s", at);
    if (n->ended) {
        rfc3339_format(n->ended, at);
        buf_printf(out, "\n- Ended: %s, after ", at);
        put_seconds(out, n->started, n->ended);
    }
    buf_printf(out, "\n- Worker runs: %zu of at most %llu", n->loop_count,
               (unsigned long long)n->task->max_loops);
    if (n->input_tokens || n->output_tokens)
        buf_printf(out, "\n- Tokens: %llu in, %llu out", (unsigned long long)n->input_tokens,
                   (unsigned long long)n->output_tokens);
    if (n->cost_usd > 0)
        buf_printf(out, "\n- Cost: %.4f USD, as far as it was told", n->cost_usd);
    buf_add(out, STR("\n\n"));
}

static void put_criteria(struct buf *out, const struct question_plan *plan)
{
    static const char *const marks[] = {
        [QUESTION_OPEN] = "[ ]", [QUESTION_PASSED] = "[x]", [QUESTION_FAILED] = "[ ] (failed)"};
    if (!plan || !plan->count)
        return;
    buf_add(out, STR("## Acceptance criteria\n\n"));
    for (size_t i = 0; i < plan->count; i++) {
        const struct question_criterion *c = &plan->criteria[i];
        buf_printf(out, "- %s ", marks[c->mark]);
        put_line(out, c->id);
        buf_add(out, STR(": "));
        put_line(out, c->text);
        if (c->comment.n) {
            buf_add(out, STR(" -- "));
            put_line(out, c->comment);
        }
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\n');
    if (plan->plan.n) {
        buf_add(out, STR("## Plan\n\n"));
        put_block(out, plan->plan, false);
    }
}

static void put_loop(struct buf *out, const struct task_note_loop *loop, size_t number)
{
    buf_printf(out, "### Run %zu: ", number);
    put_line(out, loop->who);
    buf_add(out, STR(": "));
    put_line(out, loop->outcome.n ? loop->outcome : STR("at work"));
    if (loop->ended) {
        buf_add(out, STR(", "));
        put_seconds(out, loop->started, loop->ended);
    }
    buf_add(out, STR("\n\n"));
    if (loop->said.n)
        put_block(out, loop->said, false);
    if (loop->changes.n) {
        buf_add(out, STR("Changed:\n\n"));
        put_block(out, loop->changes, false);
    } else if (loop->ended) {
        buf_add(out, STR("No file was changed.\n\n"));
    }
}

static void put_ends(struct buf *out, const struct task_note *n)
{
    const struct question_assessment *s = n->assessment;
    if (n->test_end.n) {
        buf_add(out, STR("## Test\n\n"));
        put_line(out, n->task->test_command);
        buf_add(out, STR(": "));
        put_line(out, n->test_end);
        buf_add(out, STR("\n\n"));
        if (n->test_output.n)
            put_block(out, n->test_output, true);
    }
    if (s && s->summary.n) {
        buf_add(out, STR("## Assessment\n\n"));
        put_block(out, s->summary, false);
    }
    if (s && s->risk_count) {
        buf_add(out, STR("## Risks\n\n"));
        for (size_t i = 0; i < s->risk_count; i++) {
            buf_add(out, STR("- "));
            put_line(out, s->risks[i]);
            buf_add_char(out, '\n');
        }
        buf_add_char(out, '\n');
    }
}

static void put_page(struct buf *out, const struct task_note *n)
{
    put_head(out, n);
    put_criteria(out, n->plan);
    if (n->loop_count)
        buf_add(out, STR("## Worker runs\n\n"));
    for (size_t i = 0; i < n->loop_count; i++)
        put_loop(out, &n->loops[i], i + 1);
    put_ends(out, n);
    while (out->n > 1 && out->p[out->n - 1] == '\n' && out->p[out->n - 2] == '\n')
        out->n--;
}

/* ---- where it goes */

static void put_name(struct buf *out, struct str id)
{
    id = utf8_head(id, TASK_NOTE_MAX_NAME);
    while (id.n) {
        size_t n = utf8_char_bytes(id);
        char c = id.p[0];
        bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                    c == '.' || c == '_' || c == '-';
        buf_add_char(out, fine ? c : '_');
        id = str_skip(id, n ? n : 1);
    }
}

/* The folder is there, and is one. */
static bool make_folder(const char *path, struct error *err)
{
    struct stat st;
    if (mkdir(path, 0755) < 0 && errno != EEXIST)
        return error_set(err, ERR_IO, "cannot make %s: %s", path, strerror(errno));
    if (lstat(path, &st) < 0 || !S_ISDIR(st.st_mode))
        return error_set(err, ERR_IO, "%s is no folder: the note is not written", path);
    return true;
}

static bool is_writable(const char *path, struct error *err)
{
    struct stat st;
    return lstat(path, &st) < 0 || S_ISREG(st.st_mode) ||
           error_set(err, ERR_IO, "%s is no plain file: the note is not written", path);
}

bool task_note_write(const struct task_note *n, const struct secrets *secrets, struct buf *path,
                     struct error *err)
{
    struct buf page = {0}, masked = {0}, at = {0};
    put_page(&page, n);
    if (secrets)
        secrets_mask(secrets, buf_str(&page), &masked);
    buf_printf(&at, "%s/%s", n->task->repo, TASK_NOTE_FOLDER);
    bool ok = make_folder(at.p, err);
    buf_add(&at, STR("/task-"));
    put_name(&at, n->task->id);
    buf_add(&at, STR(".md"));
    ok = ok && is_writable(at.p, err) &&
         file_replace(at.p, buf_str(secrets ? &masked : &page), 0644, err);
    if (ok && path)
        buf_add(path, buf_str(&at));
    buf_done(&page);
    buf_done(&masked);
    buf_done(&at);
    return ok;
}
