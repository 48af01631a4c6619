/* goal_prompt(): the task of the planner, and a description of the repo. */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "agent/prompt_text.h"
#include "base/file.h"
#include "base/mem.h"
#include "orchestrator/goal_internal.h"

#define MAX_READ    20000u /* entries of a folder that are read */
#define MAX_TOP     150u   /* that are listed */
#define MAX_INNER   40u
#define MAX_TREE    (16u << 10)
#define MAX_NAME    120u
#define MAX_FOLDERS 2000u /* searched for scenes */
#define MAX_DEPTH   10u
#define MAX_SCENES  50u

/* ---- folders */

struct repo_entry {
    char *name;
    bool is_folder;
};

struct repo_folder {
    struct repo_entry *entries; /* sorted */
    size_t count, cap;
    bool is_cut; /* there are more than MAX_READ */
};

/* Generated, downloaded and hidden files say nothing about the project. */
static bool is_skipped(const char *name)
{
    static const char *const names[] = {
        "Library",      "Temp",           "Logs",   "Obj",         "obj",
        "UserSettings", "MemoryCaptures", "Builds", "__pycache__", "node_modules",
        "venv",         "target",         "dist",
    };
    struct str s = str_from(name);
    if (name[0] == '.' && strcmp(name, ".github") != 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return str_ends(s, STR(".meta")) || str_ends(s, STR("~"));
}

static bool is_folder(int dir, const struct dirent *e)
{
    struct stat st;
    if (e->d_type != DT_UNKNOWN)
        return e->d_type == DT_DIR;
    return fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(st.st_mode);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct repo_entry *)a)->name, ((const struct repo_entry *)b)->name);
}

/* A folder that cannot be read is empty. */
static void read_folder(const char *path, struct repo_folder *out)
{
    DIR *dir = opendir(path);
    size_t seen = 0;
    *out = (struct repo_folder){0};
    if (!dir)
        return;
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        if (++seen > MAX_READ) {
            out->is_cut = true;
            break;
        }
        if (is_skipped(e->d_name))
            continue;
        mem_grow((void **)&out->entries, &out->cap, out->count + 1, sizeof *out->entries);
        out->entries[out->count++] =
            (struct repo_entry){str_dup(str_from(e->d_name)), is_folder(dirfd(dir), e)};
    }
    closedir(dir);
    if (out->count)
        qsort(out->entries, out->count, sizeof *out->entries, by_name);
}

static void folder_done(struct repo_folder *f)
{
    for (size_t i = 0; i < f->count; i++)
        free(f->entries[i].name);
    free(f->entries);
}

/* ---- the files, two levels deep */

static void add_folder(struct buf *out, const char *path, size_t depth)
{
    struct repo_folder f;
    size_t most = depth ? MAX_INNER : MAX_TOP;
    read_folder(path, &f);
    for (size_t i = 0; i < f.count && out->n < MAX_TREE; i++) {
        if (i == most) {
            buf_printf(out, "%*s... and %zu%s more\n", (int)depth * 2, "", f.count - i,
                       f.is_cut ? " or" : "");
            break;
        }
        buf_printf(out, "%*s", (int)depth * 2, "");
        prompt_text_line(out, str_from(f.entries[i].name), MAX_NAME);
        buf_add(out, f.entries[i].is_folder ? STR("/\n") : STR("\n"));
        if (depth == 0 && f.entries[i].is_folder) {
            struct buf inner = {0};
            buf_printf(&inner, "%s/%s", path, f.entries[i].name);
            add_folder(out, inner.p, depth + 1);
            buf_done(&inner);
        }
    }
    folder_done(&f);
}

/* ---- a Unity project */

struct scene_paths {
    struct str found[MAX_SCENES];
    size_t count, folders;
    size_t root; /* bytes of the repo's path, with its slash */
    struct arena *a;
};

static void find_scenes(struct scene_paths *s, const char *path, size_t depth)
{
    struct repo_folder f;
    if (depth > MAX_DEPTH || ++s->folders > MAX_FOLDERS || s->count == MAX_SCENES)
        return;
    read_folder(path, &f);
    for (size_t i = 0; i < f.count && s->count < MAX_SCENES; i++) {
        const struct repo_entry *e = &f.entries[i];
        struct buf inner = {0};
        buf_printf(&inner, "%s/%s", path, e->name);
        if (e->is_folder)
            find_scenes(s, inner.p, depth + 1);
        else if (str_ends(buf_str(&inner), STR(".unity")))
            s->found[s->count++] = arena_str(s->a, str_skip(buf_str(&inner), s->root));
        buf_done(&inner);
    }
    folder_done(&f);
}

static void add_version(struct buf *out, const char *repo)
{
    struct buf path = {0}, text = {0};
    struct str rest, line;
    buf_printf(&path, "%s/ProjectSettings/ProjectVersion.txt", repo);
    if (file_read(path.p, 4096, &text, NULL)) {
        for (rest = buf_str(&text); rest.n;) {
            str_cut(&rest, '\n', &line);
            if (!str_starts(line, STR("m_EditorVersion:")))
                continue;
            buf_add(out, STR(" of the editor's version "));
            prompt_text_line(out, str_skip(line, sizeof "m_EditorVersion:" - 1), 60);
        }
    }
    buf_done(&path);
    buf_done(&text);
}

static void add_unity(struct buf *out, const char *repo)
{
    struct arena a = {0};
    struct scene_paths s = {.root = strlen(repo) + 1, .a = &a};
    struct buf assets = {0}, settings = {0};
    buf_printf(&assets, "%s/Assets", repo);
    buf_printf(&settings, "%s/ProjectSettings", repo);
    if (file_exists(assets.p) && file_exists(settings.p)) {
        buf_add(out, STR("\nIt is a Unity project"));
        add_version(out, repo);
        buf_add(out, STR(".\n"));
        find_scenes(&s, assets.p, 0);
        prompt_text_list(out, "Its scenes", s.found, s.count);
    }
    buf_done(&assets);
    buf_done(&settings);
    arena_done(&a);
}

/* ---- the question */

static const char rules[] =
    "\n# Your answer\n\n"
    "Cut the goal into tasks: as few as make sense, usually 2 to 12, at most 100; one, if it is "
    "small. Each is given to a coding agent that works in this repository and has seen neither "
    "this page nor the other tasks. A good task\n"
    "- is small: one agent can do it in one go, and the project is in order afterwards;\n"
    "- is complete: \"description\" says what is to be done and where, and what it builds on;\n"
    "- can be checked by itself: \"acceptance\" lists facts that can be seen in the repository or "
    "by running something, and \"test\" is a shell command, run in the root of the repository, "
    "that ends with 0 only if it is done. Give a test where such a command exists or the task "
    "makes it; leave it out otherwise;\n"
    "- depends only on tasks whose results it needs, so that as many as possible can be done at "
    "the same time. They all work in the same folder: of two that would change the same files "
    "one must depend on the other.\n\n"
    "\"id\" is a short name of letters, digits, '.', '_' and '-', each once; \"dependencies\" are "
    "ids of other tasks in your list, without a cycle; both lists and \"test\", \"file_paths\", "
    "\"phase_name\" and \"wbs_level\" may be missing.\n";

static const char example[] =
    "{\"type\": \"" GOAL_QUESTION "\", \"tasks\": ["
    "{\"id\": \"score-model\", \"title\": \"Count the score\", \"description\": \"Add "
    "Assets/Scripts/Score.cs with a class Score that ...\", \"acceptance\": [\"Score.Add(3) raises "
    "Score.Total by 3\"], \"test\": \"make test\", \"file_paths\": [\"Assets/Scripts/Score.cs\"]}, "
    "{\"id\": \"score-label\", \"title\": \"Show the score\", \"description\": \"Show Score.Total, "
    "which Assets/Scripts/Score.cs counts, in ...\", \"dependencies\": [\"score-model\"], "
    "\"acceptance\": [\"the label shows 3 after Score.Add(3)\"]}]}";

void goal_prompt(struct buf *out, const struct goal_options *o)
{
    struct buf tree = {0};
    prompt_text_head(out, GOAL_QUESTION,
                     "You are the planner of work on a software project. You cut a goal into tasks "
                     "that others carry out, several at the same time.");
    buf_add(out, STR("# The goal\n\n"));
    prompt_text_tagged(out, "goal", o->text, GOAL_MAX_TEXT);
    buf_add(out, STR("\n# The repository\n\n"));
    add_folder(&tree, o->repo, 0);
    if (tree.n)
        prompt_text_tagged(out, "files", buf_str(&tree), MAX_TREE + (1u << 10));
    else
        buf_add(out, STR("It is empty.\n"));
    add_unity(out, o->repo);
    buf_add(out, str_from(rules));
    prompt_text_form(out, example);
    buf_done(&tree);
}
