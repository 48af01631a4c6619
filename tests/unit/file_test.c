#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "test.h"

/* Every test works in a folder of its own, which is also the current one. */
static char folder[64];
static struct buf got;
static struct error err;

static int setup(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/file_test.XXXXXX");
    got = (struct buf){0};
    err = (struct error){0};
    return !mkdtemp(folder) || chdir(folder) != 0;
}

static int teardown(void **state)
{
    char command[256];
    buf_done(&got);
    snprintf(command, sizeof command, "chmod -R u+rwx %s && rm -rf %s", folder, folder);
    return chdir("/") != 0 || system(command) != 0;
}

static void put(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
}

static void make_link(const char *to, const char *path)
{
    assert_int_equal(symlink(to, path), 0);
}

static void make_folder(const char *path)
{
    assert_int_equal(mkdir(path, 0755), 0);
}

static void check_file(const char *path, const char *want)
{
    buf_clear(&got);
    if (!file_read(path, 1 << 20, &got, &err))
        fail_msg("%s", err.text);
    CHECK_CSTR(buf_str(&got), want);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(lstat(path, &st), 0);
    return st.st_mode & 07777;
}

static size_t files_in(const char *path)
{
    size_t n = 0;
    DIR *dir = opendir(path);
    assert_non_null(dir);
    for (struct dirent *e; (e = readdir(dir));)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(dir);
    return n;
}

static size_t open_files(void)
{
    return files_in("/proc/self/fd");
}

/* ---- read */

TEST_FIXTURE(setup, teardown);

TEST(a_file_is_appended_to_the_buffer)
{
    put("a", "text");
    buf_add(&got, STR("before "));
    assert_true(file_read("a", 4, &got, &err));
    CHECK_CSTR(buf_str(&got), "before text");
    assert_int_equal(err.code, ERR_NONE);
}

TEST(an_empty_file_is_empty_text)
{
    put("a", "");
    assert_true(file_read("a", 0, &got, &err));
    assert_int_equal(got.n, 0);
    assert_true(file_read("/dev/null", 0, &got, &err));
    assert_int_equal(got.n, 0);
}

TEST(a_large_file_is_read_whole)
{
    size_t n = 3000001;
    char *p = mem_alloc(n);
    for (size_t i = 0; i < n; i++)
        p[i] = (char)(i * 31 >> 3);
    assert_true(file_replace("a", str_make(p, n), 0644, &err));
    assert_true(file_read("a", n, &got, &err));
    CHECK_STR(buf_str(&got), str_make(p, n));
    free(p);
}

TEST(a_file_without_a_size_is_read_whole)
{
    assert_true(file_read("/proc/self/status", 1 << 20, &got, &err));
    assert_true(str_starts(buf_str(&got), STR("Name:\tfile_test")));
    buf_clear(&got);
    assert_false(file_read("/proc/self/status", 10, &got, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(got.n, 0);
}

TEST(a_file_above_the_limit_is_refused)
{
    put("a", "12345");
    buf_add(&got, STR("x"));
    assert_false(file_read("a", 4, &got, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    CHECK_CSTR(str_from(err.text), "cannot read a: it is larger than 4 bytes");
    CHECK_CSTR(buf_str(&got), "x");
    assert_int_equal(got.p[1], 0);
    assert_true(file_read("a", 5, &got, &err));
    CHECK_CSTR(buf_str(&got), "x12345");
}

TEST(a_file_larger_than_the_buffer_is_refused)
{
    struct buf small = buf_make(6);
    put("a", "12345");
    buf_add(&small, STR("ab"));
    assert_false(file_read("a", 100, &small, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_false(small.overflow);
    CHECK_CSTR(buf_str(&small), "ab");
    buf_drop(&small, 1);
    assert_true(file_read("a", 100, &small, &err));
    CHECK_CSTR(buf_str(&small), "b12345");
    buf_done(&small);
}

TEST(an_endless_device_is_read_to_the_limit)
{
    assert_false(file_read("/dev/zero", 1000000, &got, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(got.n, 0);
}

TEST(a_read_error_has_path_and_reason)
{
    make_folder("dir");
    assert_int_equal(mkfifo("pipe", 0644), 0);
    put("file", "x");
    make_link("loop", "loop");
    static const char *const bad[][2] = {
        {"none", "cannot read none: No such file or directory"},
        {"", "cannot read : No such file or directory"},
        {"dir", "cannot read dir: Is a directory"},
        {"file/x", "cannot read file/x: Not a directory"},
        {"pipe", "cannot read pipe: it is not a file"},
        {"loop", "cannot read loop: Too many levels of symbolic links"},
    };
    size_t before = open_files();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(file_read(bad[i][0], 100, &got, &err));
        assert_int_equal(err.code, ERR_IO);
        CHECK_CSTR(str_from(err.text), bad[i][1]);
        assert_int_equal(got.n, 0);
    }
    assert_false(file_read("none", 100, &got, NULL));
    assert_int_equal(open_files(), before);
}

/* ---- replace */

TEST(a_new_file_has_its_bytes_and_mode)
{
    mode_t old = umask(022);
    assert_true(file_replace("a", STR("one\0two"), 0666, &err));
    assert_true(file_replace("secret", STR("s"), 0600, &err));
    umask(old);
    buf_clear(&got);
    assert_true(file_read("a", 100, &got, &err));
    CHECK_STR(buf_str(&got), STR("one\0two"));
    assert_int_equal(mode_of("a"), 0644);
    assert_int_equal(mode_of("secret"), 0600);
    assert_int_equal(files_in("."), 2);
    assert_int_equal(err.code, ERR_NONE);
}

TEST(an_existing_file_keeps_its_mode)
{
    static const mode_t modes[] = {0600, 0644, 0755, 0640, 0444, 0777};
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        put("a", "old");
        assert_int_equal(chmod("a", modes[i]), 0);
        assert_true(file_replace("a", STR("new"), 0666, &err));
        check_file("a", "new");
        assert_int_equal(mode_of("a"), modes[i]);
        assert_int_equal(unlink("a"), 0);
    }
}

TEST(an_existing_file_keeps_its_owner)
{
    struct stat st;
    put("a", "old");
    if (chown("a", 12345, 23456) != 0)
        skip(); /* only root may give files away */
    assert_int_equal(chmod("a", 04755), 0);
    assert_true(file_replace("a", STR("new"), 0644, &err));
    assert_int_equal(stat("a", &st), 0);
    assert_int_equal(st.st_uid, 12345);
    assert_int_equal(st.st_gid, 23456);
    assert_int_equal(mode_of("a"), 04755);
}

TEST(a_file_can_become_empty)
{
    put("a", "old");
    assert_true(file_replace("a", (struct str){0}, 0644, &err));
    check_file("a", "");
}

TEST(paths_of_any_form_work)
{
    char path[128], name[256];
    make_folder("dir");
    snprintf(path, sizeof path, "%s/dir/a", folder);
    assert_true(file_replace(path, STR("1"), 0644, &err));
    check_file("dir/a", "1");
    assert_true(file_replace("./dir/../dir//a", STR("2"), 0644, &err));
    check_file("dir/a", "2");
    memset(name, 'n', 255); /* as long as a name can be */
    name[255] = 0;
    assert_true(file_replace(name, STR("3"), 0644, &err));
    check_file(name, "3");
}

TEST(a_link_stays_a_link_to_the_new_bytes)
{
    struct stat st;
    char absolute[128];
    make_folder("dir");
    make_folder("other");
    put("dir/real", "old");
    make_link("../dir/real", "other/second");
    snprintf(absolute, sizeof absolute, "%s/other/second", folder);
    make_link(absolute, "first");
    assert_true(file_replace("first", STR("new"), 0644, &err));
    check_file("dir/real", "new");
    assert_int_equal(lstat("first", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat("other/second", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_int_equal(lstat("dir/real", &st), 0);
    assert_true(S_ISREG(st.st_mode));
    assert_int_equal(files_in("dir") + files_in("other"), 2);
}

TEST(a_dangling_link_gets_its_file)
{
    struct stat st;
    make_folder("dir");
    make_link("dir/new", "link");
    assert_true(file_replace("link", STR("text"), 0600, &err));
    check_file("dir/new", "text");
    assert_int_equal(mode_of("dir/new"), 0600);
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
}

TEST(a_link_to_a_folder_in_the_path_is_followed)
{
    make_folder("dir");
    make_link("dir", "way");
    assert_true(file_replace("way/a", STR("text"), 0644, &err));
    check_file("dir/a", "text");
}

TEST(a_write_error_has_path_and_reason)
{
    make_folder("dir");
    assert_int_equal(mkfifo("pipe", 0644), 0);
    put("file", "x");
    make_link("loop", "loop");
    make_link("none/x", "nowhere");
    char name[257];
    memset(name, 'n', 256);
    name[256] = 0;
    const char *const bad[][2] = {
        {"none/a", "cannot write none/a: No such file or directory"},
        {"", "cannot write : No such file or directory"},
        {"dir", "cannot write dir: Is a directory"},
        {"dir/", "cannot write dir/: Is a directory"},
        {"file/x", "cannot write file/x: Not a directory"},
        {"pipe", "cannot write pipe: it is not a regular file"},
        {"/dev/null", "cannot write /dev/null: it is not a regular file"},
        {"loop", "cannot write loop: Too many levels of symbolic links"},
        {"nowhere", "cannot write none/x: No such file or directory"},
        {name, NULL},
    };
    size_t files = files_in("."), before = open_files();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(file_replace(bad[i][0], STR("y"), 0644, &err));
        assert_int_equal(err.code, ERR_IO);
        if (bad[i][1])
            CHECK_CSTR(str_from(err.text), bad[i][1]);
    }
    assert_false(file_replace("dir", STR("y"), 0644, NULL));
    assert_int_equal(files_in("."), files);
    assert_int_equal(files_in("dir"), 0);
    assert_int_equal(open_files(), before);
    check_file("file", "x");
}

/* In a child without root's rights, because root may write into a read-only folder. */
TEST(a_read_only_folder_is_refused)
{
    int status;
    put("a", "old");
    assert_int_equal(chmod(".", 0555), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(2);
        bool ok = file_replace("a", STR("new"), 0644, &err);
        bool told = strcmp(err.text, "cannot write a: Permission denied") == 0;
        _exit(ok || err.code != ERR_IO || !told);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(status, 0);
    check_file("a", "old");
    assert_int_equal(files_in("."), 1);
}

/* A file size limit simulates a full disk: the write fails half way. */
TEST(a_write_that_fails_half_way_leaves_only_the_old_file)
{
    int status;
    put("a", "old");
    pid_t pid = fork();
    if (pid == 0) {
        static char bytes[100000];
        signal(SIGXFSZ, SIG_IGN);
        struct rlimit limit = {5000, 5000};
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(2);
        bool ok = file_replace("a", str_make(bytes, sizeof bytes), 0644, &err);
        bool told = strcmp(err.text, "cannot write a: File too large") == 0;
        _exit(ok || err.code != ERR_IO || !told);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    check_file("a", "old");
    assert_int_equal(files_in("."), 1);
}

#define VERSION_SIZE 200000u

/* Each version consists of one letter: the reader must never see two letters or a part. */
static _Noreturn void read_until_end(int go)
{
    for (size_t rounds = 0;; rounds++) {
        buf_clear(&got);
        if (!file_read("a", VERSION_SIZE, &got, &err) || got.n != VERSION_SIZE)
            _exit(2);
        for (size_t i = 1; i < got.n; i++)
            if (got.p[i] != got.p[0])
                _exit(3);
        if (rounds == 0 && write(go, "g", 1) != 1)
            _exit(4);
        if (got.p[0] == 'Z')
            _exit(0);
    }
}

TEST(a_reader_sees_the_old_file_or_the_new_one_but_no_mixture)
{
    int go[2], status;
    char letter;
    char *bytes = mem_alloc(VERSION_SIZE);
    memset(bytes, 'a', VERSION_SIZE);
    assert_true(file_replace("a", str_make(bytes, VERSION_SIZE), 0644, &err));
    assert_int_equal(pipe(go), 0);
    pid_t pid = fork();
    if (pid == 0)
        read_until_end(go[1]);
    assert_int_equal(read(go[0], &letter, 1), 1);
    for (int i = 0; i <= 100; i++) {
        memset(bytes, i == 100 ? 'Z' : 'b' + i % 20, VERSION_SIZE);
        assert_true(file_replace("a", str_make(bytes, VERSION_SIZE), 0644, &err));
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    close(go[0]);
    close(go[1]);
    free(bytes);
    assert_int_equal(files_in("."), 1);
}

TEST(two_writers_leave_one_whole_file)
{
    int status;
    static char bytes[50000];
    pid_t pid = fork();
    memset(bytes, pid == 0 ? 'c' : 'p', sizeof bytes);
    for (int i = 0; i < 50; i++)
        if (!file_replace("a", str_make(bytes, sizeof bytes), 0644, &err)) {
            if (pid == 0)
                _exit(1);
            fail_msg("%s", err.text);
        }
    if (pid == 0)
        _exit(0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
    assert_true(file_read("a", sizeof bytes, &got, &err));
    assert_int_equal(got.n, sizeof bytes);
    for (size_t i = 1; i < got.n; i++)
        assert_int_equal(got.p[i], got.p[0]);
    assert_int_equal(files_in("."), 1);
}

TEST(no_descriptor_leaks)
{
    size_t before = open_files();
    for (int i = 0; i < 20; i++) {
        assert_true(file_replace("a", STR("text"), 0644, &err));
        check_file("a", "text");
    }
    assert_int_equal(open_files(), before);
}

/* ---- existence and folders */

TEST(files_folders_and_targets_of_links_exist)
{
    put("a", "");
    make_folder("dir");
    make_link("a", "link");
    make_link("none", "dangling");
    assert_true(file_exists("a"));
    assert_true(file_exists("dir"));
    assert_true(file_exists("link"));
    assert_false(file_exists("dangling"));
    assert_false(file_exists("none"));
    assert_false(file_exists("a/b"));
    assert_false(file_exists(""));
}

TEST(folders_are_made_with_their_parents)
{
    char path[128];
    assert_true(file_make_dirs("x/y/z", &err));
    assert_int_equal(files_in("x/y/z"), 0);
    assert_true(file_make_dirs("x/y/z", &err));
    assert_true(file_make_dirs("x//y/./w/", &err));
    assert_int_equal(files_in("x/y/w"), 0);
    snprintf(path, sizeof path, "%s/abs/olute", folder);
    assert_true(file_make_dirs(path, &err));
    assert_int_equal(files_in("abs/olute"), 0);
    assert_true(file_make_dirs("/", &err));
    assert_true(file_make_dirs(".", &err));
    make_link("x", "link");
    assert_true(file_make_dirs("link/v", &err));
    assert_int_equal(files_in("x/v"), 0);
    assert_int_equal(err.code, ERR_NONE);
}

TEST(an_error_names_the_folder_that_cannot_be_made)
{
    put("file", "x");
    make_link("none", "dangling");
    static const char *const bad[][2] = {
        {"file", "cannot make the folder file: Not a directory"},
        {"file/a/b", "cannot make the folder file: Not a directory"},
        {"new/../file/c", "cannot make the folder new/../file: Not a directory"},
        {"dangling/a", "cannot make the folder dangling: Not a directory"},
        {"/proc/nothing/here", "cannot make the folder /proc/nothing: No such file or directory"},
        {"", "cannot make the folder \"\": No such file or directory"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(file_make_dirs(bad[i][0], &err));
        assert_int_equal(err.code, ERR_IO);
        CHECK_CSTR(str_from(err.text), bad[i][1]);
    }
}
