#include "agent/changes.h"

#include "folder_fixture.h"

static char folder[128], *old_path; /* the repo, the PATH as it was */
static struct changes_snapshot *before;

static int setup(void **state)
{
    bool ok = enter_folder();
    snprintf(folder, sizeof folder, "%s", project_folder);
    old_path = str_dup(str_from(getenv("PATH")));
    return ok ? 0 : -1;
}

static int teardown(void **state)
{
    setenv("PATH", old_path, 1);
    free(old_path);
    changes_free(before);
    before = NULL;
    return leave_folder() ? 0 : -1;
}

/* Run a command in the folder; a failure fails the test. */
static void sh(const char *script)
{
    struct buf all = {0};
    buf_printf(&all,
               "cd %s && export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 "
               "GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a "
               "GIT_COMMITTER_EMAIL=a@b && ( set -e; %s ) >/dev/null",
               folder, script);
    int code = system(all.p);
    buf_done(&all);
    assert_int_equal(code, 0);
}

static void look(void)
{
    struct error err = {0};
    changes_free(before);
    before = changes_take(folder, &err);
    assert_non_null(before);
}

static void check(const char *want)
{
    struct error err = {0};
    struct buf got = {0};
    size_t count = 99, lines = 0;
    assert_true(changes_list(before, folder, &got, &count, &err));
    CHECK_CSTR(buf_str(&got), want);
    for (const char *c = want; *c; c++)
        lines += *c == '\n';
    assert_int_equal(count, lines);
    buf_done(&got);
}

#define COMMITTED                                                                                  \
    "git init -q . && printf 'a\\nb\\nc\\n' > one && printf 'x\\n' > two && mkdir sub && "         \
    "printf 'y\\n' > sub/three && git add . && git commit -qm first"

/* ---- git */

TEST_FIXTURE(setup, teardown);

TEST(without_changes_the_list_is_empty)
{
    sh(COMMITTED " && echo dirty >> one && echo new > untracked");
    look();
    check("");
    sh("touch one two untracked"); /* changes the times, not the contents */
    check("");
}

TEST(new_changed_and_removed_files_are_listed)
{
    sh(COMMITTED);
    look();
    sh("printf 'a\\nB\\nc\\nd\\n' > one; rm two; mkdir -p new/deep; printf 'n\\nm' > new/deep/er");
    check("?? new/deep/er | +2 -0\n"
          " M one | +2 -1\n"
          " D two | +0 -1\n");
}

TEST(a_dirty_file_counts_if_it_changes_again)
{
    sh(COMMITTED " && echo dirty >> one && echo dirty >> two && echo new > untracked && "
                 "echo other > other && rm sub/three");
    look();
    sh("echo more >> one; echo more >> untracked");
    check(" M one | +2 -0\n"
          "?? untracked | +2 -0\n");
    sh("git checkout -q one sub/three; rm untracked");
    check("M  one | as committed\n"
          "M  sub/three | as committed\n"
          "D  untracked\n");
}

TEST(commits_of_the_worker_count)
{
    sh(COMMITTED " && echo mine >> two && echo kept > kept");
    look();
    sh("echo z >> one; echo n > new; git add one new; git commit -qm second; "
       "git add two kept; git commit -qm third");
    check("A  new | +1 -0\n"
          "M  one | +1 -0\n");
}

TEST(a_repository_without_a_commit_works)
{
    sh("git init -q . && echo a > a && echo b > b && git add a");
    look();
    check("");
    sh("echo c > c; echo more >> b");
    check("?? b | +2 -0\n"
          "?? c | +1 -0\n");
    sh("git add .; git commit -qm first");
    check("A  b | +2 -0\n"
          "A  c | +1 -0\n");
}

TEST(a_rename_is_a_removed_and_a_new_file)
{
    sh(COMMITTED);
    look();
    sh("git mv one uno; mv two due");
    check("?? due | +1 -0\n"
          "D  one | +0 -3\n"
          " D two | +0 -1\n"
          "A  uno | +3 -0\n");
}

TEST(binary_files_have_no_lines)
{
    sh(COMMITTED " && printf '\\000\\001' > pic && git add pic && git commit -qm pic");
    look();
    sh("printf '\\000\\002' > pic; printf '\\000' > raw; chmod +x two; ln -s one link");
    check("?? link\n"
          " M pic | binary\n"
          "?? raw\n"
          " M two | +0 -0\n");
}

TEST(odd_names_are_quoted)
{
    sh(COMMITTED);
    look();
    sh("echo a > 'new\nline'; echo a > 'quo\"te'; echo a > ' blank'; echo a > 'b a'; "
       "echo a > \"$(printf 'b\\377ad')\"; echo a > gr\xc3\xbcn");
    check("?? \" blank\" | +1 -0\n"
          "?? b a | +1 -0\n"
          "?? \"b\xef\xbf\xbd"
          "ad\" | +1 -0\n"
          "?? gr\xc3\xbcn | +1 -0\n"
          "?? \"new\\u000aline\" | +1 -0\n"
          "?? \"quo\\\"te\" | +1 -0\n");
}

TEST(only_files_below_the_repo_are_listed)
{
    sh(COMMITTED);
    snprintf(folder, sizeof folder, "%s/sub", project_folder);
    look();
    sh("echo a > ../one; echo a > new; echo b >> three");
    check("?? new | +1 -0\n"
          " M three | +1 -0\n");
}

TEST(the_folder_of_notes_is_never_listed)
{
    sh(COMMITTED);
    look();
    sh("mkdir .agent-runner; echo a > .agent-runner/task-1.md; echo b > b");
    check("?? b | +1 -0\n");
}

TEST(temporary_files_of_other_runs_are_never_listed)
{
    sh(COMMITTED);
    look();
    sh("echo a > .replace-9f86d081884c7d659a2feaa0c55ad015.tmp; echo b > b;"
       "echo a > sub/.replace-9f86d081884c7d659a2feaa0c55ad015.tmp; echo c > .replace-mine.tmp");
    check("?? .replace-mine.tmp | +1 -0\n?? b | +1 -0\n");
}

TEST(repositories_inside_the_repo_do_no_harm)
{
    sh(COMMITTED " && git init -q inner && echo a > inner/a && git init -q lib && "
                 "( cd lib && echo l > l && git add l && git commit -qm l ) && "
                 "git -c protocol.file.allow=always submodule add -q ./lib lib && "
                 "git commit -qm sub");
    look();
    check("");
    sh("echo b > inner/b; echo more >> lib/l");
    check("?? inner\n"
          " M lib\n");
}

TEST(an_ignored_folder_of_another_repository_is_compared_without_git)
{
    sh("git init -q . && echo /sub > .gitignore && mkdir sub && echo a > sub/a");
    snprintf(folder, sizeof folder, "%s/sub", project_folder);
    look();
    sh("echo bb > b");
    check("A  b | 3 bytes\n");
}

TEST(more_than_fifty_are_counted)
{
    struct error err = {0};
    struct buf got = {0};
    size_t count = 0;
    sh(COMMITTED);
    look();
    sh("i=100; while [ $i -lt 170 ]; do echo a > f$i; i=$((i+1)); done");
    assert_true(changes_list(before, folder, &got, &count, &err));
    assert_int_equal(count, 70);
    assert_true(str_ends(buf_str(&got), STR("?? f149 | +1 -0\nand 20 more files\n")));
    buf_done(&got);
}

TEST(variables_do_not_redirect_git)
{
    sh(COMMITTED);
    setenv("GIT_DIR", "/nowhere", 1);
    setenv("GIT_INDEX_FILE", "/nowhere/index", 1);
    look();
    unsetenv("GIT_DIR");
    unsetenv("GIT_INDEX_FILE");
    sh("echo z >> one");
    check(" M one | +1 -0\n");
}

/* ---- without git */

TEST(without_git_size_and_time_are_compared)
{
    sh("mkdir -p a/b Library Temp node_modules .agent-runner; echo 1 > a/b/c; echo 2 > gone; "
       "echo 3 > kept");
    look();
    check("");
    sh("echo 11 > a/b/c; rm gone; echo new > new; touch -d '2001-01-01' kept; "
       "echo x > Library/x; echo x > Temp/x; echo x > node_modules/x; echo x > .agent-runner/x; "
       "echo x > .agent-runner.log; ln -s / root");
    check("M  a/b/c | 3 bytes\n"
          "D  gone\n"
          "M  kept | 2 bytes\n"
          "A  new | 4 bytes\n"
          "A  root | 1 bytes\n");
}

TEST(a_missing_git_is_replaced_by_comparing_files)
{
    sh(COMMITTED);
    setenv("PATH", "/nowhere", 1);
    look();
    setenv("PATH", old_path, 1);
    sh("echo bb > b");
    check("A  b | 3 bytes\n");
}

/* The script would take an hour: only the time limit ends it. */
TEST(a_hanging_git_is_replaced_by_comparing_files)
{
    struct error err = {0};
    char path[256];
    sh("mkdir bin work && printf '#!/bin/sh\\nsleep 3600\\n' > bin/git && "
       "chmod +x bin/git");
    snprintf(path, sizeof path, "%s/bin:%s", folder, old_path);
    snprintf(folder, sizeof folder, "%s/work", project_folder);
    sh("echo a > a");
    setenv("PATH", path, 1);
    before = changes_take_within(folder, &(struct changes_limits){.git_ms = 300}, &err);
    assert_non_null(before);
    setenv("PATH", old_path, 1);
    sh("echo bb > b");
    check("A  b | 3 bytes\n");
}

TEST(a_git_that_fails_later_is_an_error)
{
    struct error err = {0};
    struct buf got = {0};
    size_t count = 7;
    sh(COMMITTED);
    look();
    sh("rm -rf .git");
    assert_false(changes_list(before, folder, &got, &count, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_int_equal(count, 7);
    assert_int_equal(got.n, 0);
}

TEST(a_missing_folder_is_an_error)
{
    struct error err = {0};
    struct buf got = {0};
    size_t count;
    assert_null(changes_take("/nowhere/at/all", &err));
    assert_int_equal(err.code, ERR_IO);
    look();
    err = (struct error){0};
    assert_false(changes_list(before, "/nowhere/at/all", &got, &count, &err));
    assert_int_equal(err.code, ERR_IO);
}

/* Files beyond the limit are neither new nor removed. */
static void check_huge(const char *script, size_t want)
{
    struct error err = {0};
    struct buf got = {0};
    size_t count = 0;
    sh(script);
    changes_free(before);
    before = changes_take_within(folder, &(struct changes_limits){.max_seen = 100}, &err);
    sh("echo new > d/new; rm -f d/1 d/10");
    assert_true(changes_list(before, folder, &got, &count, &err));
    assert_true(
        str_ends(buf_str(&got), STR("(only the first 100 files were compared, there are more)\n")));
    assert_int_equal(count, want);
    buf_done(&got);
}

TEST(only_a_part_of_a_huge_folder_is_compared)
{
    check_huge("mkdir d && cd d && seq 200 | xargs touch", 0);
    check_huge("git init -q . && touch d/1 d/10", 2);
}

/* Neither a pipe without a writer nor a link upwards is followed. */
TEST(pipes_and_loops_of_links_do_not_block)
{
    sh("mkfifo pipe; ln -s . loop; mkdir locked; chmod 0 locked");
    look();
    sh("echo a > a");
    check("A  a | 2 bytes\n");
    sh("git init -q .");
    look();
    sh("echo b > b");
    check("?? b | +1 -0\n");
    sh("chmod 700 locked");
}

static void check_settings(const char *script, bool hold)
{
    struct error err = {0};
    struct buf got = {0};
    size_t count;
    sh("rm -rf .git .git2 ran; git init -q; git config filter.mine.clean cat; echo 1 > a; git add "
       "a;"
       "git commit -qm x");
    look();
    sh(script);
    sh("echo changed > a");
    if (changes_has_same_settings(before) != hold)
        fail_msg("%s", script);
    assert_int_equal(changes_list(before, folder, &got, &count, &err), hold);
    assert_false(file_exists("ran"));
    buf_done(&got);
}

/* git runs commands of its settings, and a worker may have written those. */
TEST(git_is_not_used_after_its_settings_changed)
{
    const char *evil =
        "git config filter.x.clean 'touch ran; cat'; echo '* filter=x' > .gitattributes";
    check_settings("true", true);
    check_settings(
        "git config branch.b.remote o; git config remote.o.url x; git config user.name n", true);
    check_settings(evil, false);
    check_settings("git config filter.mine.clean 'touch ran; cat'; echo '* filter=mine' > "
                   ".gitattributes",
                   false);
    check_settings("printf '[include]\\npath = ../more\\n' >> .git/config", false);
    check_settings("git config core.fsmonitor 'touch ran'", false);
    check_settings("mv .git .git2; echo 'gitdir: .git2' > .git", false);
    check_settings("rm -rf .git", false);

    sh("rm -rf .git .git2 .gitattributes; git init -q");
    sh(evil);
    struct error err = {0};
    changes_free(before);
    before = changes_take_files(folder, &err);
    assert_true(changes_has_same_settings(before));
    sh("rm -f new; echo 1 > new");
    check("A  new | 2 bytes\n");
    assert_false(file_exists("ran"));
}

static void add_file(struct str path, enum changes_how how, void *ctx)
{
    buf_printf(ctx, "%.*s %s\n", STR_ARG(path), changes_how_name(how));
}

static void check_each(const char *want)
{
    struct error err = {0};
    struct buf got = {0};
    if (!changes_each(before, 0, add_file, &got, &err))
        fail_msg("%s", err.text);
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

TEST(every_changed_file_is_reported)
{
    sh(COMMITTED " && echo new > untracked && rm two && echo gone > goes");
    look();
    check_each("");
    sh("echo x >> one; echo more >> untracked; git checkout -q two; rm goes; rm sub/three; "
       "echo n > 'a b'; echo c > committed; git add committed; git commit -qm second");
    check_each("a b added\ncommitted added\ngoes deleted\none modified\nsub/three deleted\n"
               "two added\nuntracked modified\n");
    sh("for i in $(seq 100 170); do echo x > f$i; done");
    struct buf got = {0};
    assert_true(changes_each(before, 0, add_file, &got, NULL));
    assert_true(str_find(buf_str(&got), STR("f170 added\n")) < got.n);
    buf_done(&got);
}

TEST(every_changed_file_is_reported_without_git)
{
    sh("echo 1 > one; echo 2 > two; mkdir sub; echo 3 > sub/three");
    look();
    sh("echo more >> one; rm two; echo 4 > sub/four; mkdir .agent-runner; echo x > "
       ".agent-runner/x");
    check_each("one modified\nsub/four added\ntwo deleted\n");
}
