#include "agent/task_note.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/rfc3339.h"
#include "base/utf8.h"

#define MAX_LINE 600u

/* ---- texts of agents */

/* Add the character at byte *i of valid UTF-8; a control character becomes a blank. */
static void write_char(struct buf *out, struct str text, size_t *i, const char *kept)
{
    unsigned char c = (unsigned char)text.p[*i];
    bool second = c == 0xc2 && *i + 1 < text.n && (unsigned char)text.p[*i + 1] < 0xa0;
    bool control = second || ((c < ' ' || c == 0x7f) && !(c && strchr(kept, c)));
    buf_add_char(out, control ? ' ' : (char)c);
    *i += second;
}

/* Write one line that cannot start an element of Markdown. */
static void write_line(struct buf *out, struct str text)
{
    struct buf clean = {0};
    utf8_add_lossy(&clean, utf8_head(str_trim(text), MAX_LINE));
    for (size_t i = 0; i < clean.n; i++) {
        if (clean.p[i] == '<')
            buf_add_char(out, '\\');
        write_char(out, buf_str(&clean), &i, "");
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

static void write_fence(struct buf *out, size_t n)
{
    while (n--)
        buf_add_char(out, '`');
}

/* Write a block with a fence longer than any in the text; of a long text, its end or its start. */
static void write_block(struct buf *out, struct str text, bool keep_end)
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
    write_fence(out, fence);
    buf_add(out, STR("text\n"));
    if (keep_end && kept.n < all.n)
        buf_add(out, STR("[...]\n"));
    for (size_t i = 0; i < kept.n; i++)
        write_char(out, kept, &i, "\n\t");
    if (kept.n && kept.p[kept.n - 1] != '\n')
        buf_add_char(out, '\n');
    if (!keep_end && kept.n < all.n)
        buf_add(out, STR("[...]\n"));
    write_fence(out, fence);
    buf_add(out, STR("\n\n"));
    buf_done(&clean);
}

/* ---- the page */

static void write_seconds(struct buf *out, int64_t from, int64_t to)
{
    double seconds = to > from ? (double)(to - from) / 1000 : 0;
    if (seconds < 100)
        buf_printf(out, "%.1f s", seconds);
    else
        buf_printf(out, "%.0f min", seconds / 60);
}

static void write_head(struct buf *out, const struct task_note *n)
{
    char at[RFC3339_LEN + 1];
    buf_add(out, STR("# "));
    write_line(out, n->task->title);
    buf_add(out, STR("\n\n- Task: "));
    write_line(out, n->task->id);
    buf_printf(out, "\n- State: **%s**", run_state_name(n->state));
    if (n->why.n) {
        buf_add(out, STR(": "));
        write_line(out, n->why);
    }
    rfc3339_format(n->started, at);
    buf_printf(out, "\n- Started: %s", at);
    if (n->ended) {
        rfc3339_format(n->ended, at);
        buf_printf(out, "\n- Ended: %s, after ", at);
        write_seconds(out, n->started, n->ended);
    }
    buf_printf(out, "\n- Worker runs: %zu of at most %llu", n->loop_count,
               (unsigned long long)n->task->max_loops);
    if (n->input_tokens || n->output_tokens)
        buf_printf(out, "\n- Tokens: %llu in, %llu out", (unsigned long long)n->input_tokens,
                   (unsigned long long)n->output_tokens);
    if (n->cost_usd > 0)
        buf_printf(out, "\n- Cost: %.4f USD, as far as it is known", n->cost_usd);
    buf_add(out, STR("\n\n"));
}

static void write_criteria(struct buf *out, const struct question_plan *plan)
{
    static const char *const marks[] = {
        [QUESTION_OPEN] = "[ ]", [QUESTION_PASSED] = "[x]", [QUESTION_FAILED] = "[ ] (failed)"};
    if (!plan || !plan->count)
        return;
    buf_add(out, STR("## Acceptance criteria\n\n"));
    for (size_t i = 0; i < plan->count; i++) {
        const struct question_criterion *c = &plan->criteria[i];
        buf_printf(out, "- %s ", marks[c->mark]);
        write_line(out, c->id);
        buf_add(out, STR(": "));
        write_line(out, c->text);
        if (c->comment.n) {
            buf_add(out, STR(" -- "));
            write_line(out, c->comment);
        }
        buf_add_char(out, '\n');
    }
    buf_add_char(out, '\n');
    if (plan->plan.n) {
        buf_add(out, STR("## Plan\n\n"));
        write_block(out, plan->plan, false);
    }
}

static void write_loop(struct buf *out, const struct task_note_loop *loop, size_t number)
{
    buf_printf(out, "### Run %zu: ", number);
    write_line(out, loop->who);
    buf_add(out, STR(": "));
    write_line(out, loop->outcome.n ? loop->outcome : STR("running"));
    if (loop->ended) {
        buf_add(out, STR(", "));
        write_seconds(out, loop->started, loop->ended);
    }
    buf_add(out, STR("\n\n"));
    if (loop->said.n)
        write_block(out, loop->said, false);
    if (loop->changes.n) {
        buf_add(out, STR("Changed:\n\n"));
        write_block(out, loop->changes, false);
    } else if (loop->ended) {
        buf_add(out, STR("No file was changed.\n\n"));
    }
}

static void write_ends(struct buf *out, const struct task_note *n)
{
    const struct question_assessment *s = n->assessment;
    if (n->test_end.n) {
        buf_add(out, STR("## Test\n\n"));
        write_line(out, n->task->test_command);
        buf_add(out, STR(": "));
        write_line(out, n->test_end);
        buf_add(out, STR("\n\n"));
        if (n->test_output.n)
            write_block(out, n->test_output, true);
    }
    if (s && s->summary.n) {
        buf_add(out, STR("## Assessment\n\n"));
        write_block(out, s->summary, false);
    }
    if (s && s->risk_count) {
        buf_add(out, STR("## Risks\n\n"));
        for (size_t i = 0; i < s->risk_count; i++) {
            buf_add(out, STR("- "));
            write_line(out, s->risks[i]);
            buf_add_char(out, '\n');
        }
        buf_add_char(out, '\n');
    }
}

static void write_page(struct buf *out, const struct task_note *n)
{
    write_head(out, n);
    write_criteria(out, n->plan);
    if (n->loop_count)
        buf_add(out, STR("## Worker runs\n\n"));
    for (size_t i = 0; i < n->loop_count; i++)
        write_loop(out, &n->loops[i], i + 1);
    write_ends(out, n);
    while (out->n > 1 && out->p[out->n - 1] == '\n' && out->p[out->n - 2] == '\n')
        out->n--;
}

/* ---- the file */

static void write_name(struct buf *out, struct str id)
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

/* Make the folder, if it does not exist. */
static bool make_folder(const char *path, struct error *err)
{
    struct stat st;
    if (mkdir(path, 0755) < 0 && errno != EEXIST)
        return error_set(err, ERR_IO, "cannot make %s: %s", path, strerror(errno));
    if (lstat(path, &st) < 0 || !S_ISDIR(st.st_mode))
        return error_set(err, ERR_IO, "%s is not a folder, so the note is not written", path);
    return true;
}

static bool is_writable(const char *path, struct error *err)
{
    struct stat st;
    return lstat(path, &st) < 0 || S_ISREG(st.st_mode) ||
           error_set(err, ERR_IO, "%s is not a regular file, so the note is not written", path);
}

bool task_note_write(const struct task_note *n, const struct secrets *secrets, struct buf *path,
                     struct error *err)
{
    struct buf page = {0}, masked = {0}, at = {0};
    write_page(&page, n);
    if (secrets)
        secrets_mask(secrets, buf_str(&page), &masked);
    buf_printf(&at, "%s/%s", n->task->repo, TASK_NOTE_FOLDER);
    bool ok = make_folder(at.p, err);
    buf_add(&at, STR("/task-"));
    write_name(&at, n->task->id);
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
