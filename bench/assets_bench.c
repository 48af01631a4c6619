/* How long it takes to index the GUIDs of 100,000 assets: the first time, again, and after a
 * change; compared with a program that only lists the folders and reads the first bytes of every
 * .meta file. Exits with 1 if opening again is not 10 times as fast as the first time. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "unity/assets.h"
#include "unity/assets_cache.h"

#define FOLDERS 400
#define FILES   250 /* in each */
#define ROUNDS  5
#define GOAL    10.0

static struct project project;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "%s\n", what);
    exit(2);
}

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static void write_file(const char *path, struct str text)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0 || write(fd, text.p, text.n) != (ssize_t)text.n || close(fd) < 0)
        die("cannot write the assets");
}

static void write_meta(const char *asset, unsigned number)
{
    char path[600], text[400];
    snprintf(path, sizeof path, "%s.meta", asset);
    int n = snprintf(text, sizeof text,
                     "fileFormatVersion: 2\nguid: %08x%08x%08x%08x\nNativeFormatImporter:\n"
                     "  externalObjects: {}\n  mainObjectFileID: 2100000\n  userData: \n"
                     "  assetBundleName: \n  assetBundleVariant: \n",
                     number * 2654435761u, number ^ 0x5bd1e995u, number * 40503u, number);
    write_file(path, str_make(text, (size_t)n));
}

static void make_project(const char *root)
{
    char folder[300], path[512];
    unsigned number = 1;
    for (int f = 0; f < FOLDERS; f++) {
        snprintf(folder, sizeof folder, "%s/Assets/Area%02d/Place%03d", root, f / 20, f);
        if (!file_make_dirs(folder, NULL))
            die("cannot make the folders");
        write_meta(folder, number++);
        for (int i = 0; i < FILES; i++) {
            snprintf(path, sizeof path, "%s/Thing number %d of %d.mat", folder, i, f);
            write_file(path, STR("x"));
            write_meta(path, number++);
        }
    }
}

/* Files written a moment ago are not trusted by their time, so make them older. */
static void make_older(const char *path)
{
    struct timespec times[2];
    clock_gettime(CLOCK_REALTIME, &times[0]);
    times[0].tv_sec -= 3600;
    times[1] = times[0];
    DIR *dir = opendir(path);
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        char sub[512];
        if (d->d_type != DT_DIR || d->d_name[0] == '.')
            continue;
        snprintf(sub, sizeof sub, "%s/%s", path, d->d_name);
        make_older(sub);
    }
    if (!dir || closedir(dir) < 0 || utimensat(AT_FDCWD, path, times, 0) < 0)
        die("cannot set the time of a folder");
}

/* ---- measurements */

static size_t read_bare(const char *path)
{
    size_t count = 0;
    DIR *dir = opendir(path);
    for (struct dirent *d; dir && (d = readdir(dir)) != NULL;) {
        size_t n = strlen(d->d_name);
        char sub[512], text[128];
        if (d->d_type == DT_DIR && d->d_name[0] != '.') {
            snprintf(sub, sizeof sub, "%s/%s", path, d->d_name);
            count += read_bare(sub);
        } else if (n > 5 && memcmp(d->d_name + n - 5, ".meta", 5) == 0) {
            int fd = openat(dirfd(dir), d->d_name, O_RDONLY | O_CLOEXEC);
            count += fd >= 0 && read(fd, text, sizeof text) > 0;
            close(fd);
        }
    }
    closedir(dir);
    return count;
}

static double run_bare(void)
{
    char path[300];
    snprintf(path, sizeof path, "%s/Assets", project.root);
    double start = now_ms();
    if (read_bare(path) < FOLDERS * FILES)
        die("not all .meta files were read");
    return now_ms() - start;
}

/* Open and, untimed, close; return milliseconds. */
static double run_open(size_t *folders_read)
{
    double start = now_ms();
    struct assets *a = assets_open(&project, NULL);
    double took = now_ms() - start;
    if (assets_count(a) < FOLDERS * FILES)
        die("not all assets were found");
    *folders_read = assets_stats(a).folders_read;
    assets_close(a);
    return took;
}

static double run_cold(void)
{
    char path[300];
    size_t folders;
    snprintf(path, sizeof path, "%s/" ASSETS_CACHE_PATH, project.root);
    unlink(path);
    return run_open(&folders);
}

static double run_warm(void)
{
    size_t folders;
    double took = run_open(&folders);
    if (folders)
        die("folders were read again");
    return took;
}

static double run_changed(void)
{
    static int turn;
    char path[300];
    size_t folders;
    snprintf(path, sizeof path, "%s/Assets/Area00/Place000/New %d.mat", project.root, turn++);
    write_file(path, STR("x"));
    write_meta(path, (unsigned)(1u << 30) + (unsigned)turn);
    double took = run_open(&folders);
    if (folders != 1)
        die("not just the changed folder was read");
    make_older(project.root);
    run_open(&folders);
    return took;
}

static double run_lookups(void)
{
    struct assets *a = assets_open(&project, NULL);
    double start = now_ms();
    for (size_t i = 0; i < assets_count(a); i++)
        if (assets_path(a, assets_at(a, i).guid).n == 0 && assets_at(a, i).guid.lo)
            die("a GUID was not found");
    double took = now_ms() - start;
    assets_close(a);
    return took;
}

static double find_best(double (*run)(void))
{
    double least = 1e18;
    for (int i = 0; i < ROUNDS; i++) {
        double took = run();
        least = took < least ? took : least;
    }
    return least;
}

int main(void)
{
    char root[] = "/tmp/assets_bench.XXXXXX", command[64];
    struct error err;
    if (!mkdtemp(root))
        die("no temporary folder");
    make_project(root);
    make_older(root);
    if (!project_open(&project, root, NULL, &err))
        die(err.text);

    double alone = find_best(run_bare), cold = find_best(run_cold), warm = find_best(run_warm);
    double changed = find_best(run_changed), asked = find_best(run_lookups);
    printf("%d assets in %d folders, ms\n", FOLDERS * FILES, FOLDERS);
    printf("%-44s %8.2f\n", "list the folders, read the .meta files, nothing else", alone);
    printf("%-44s %8.2f  %.2f of that\n", "open, first time", cold, cold / alone);
    printf("%-44s %8.2f  1/%.1f of the first time (goal 1/%.0f)\n", "open again", warm, cold / warm,
           GOAL);
    printf("%-44s %8.2f  1/%.1f\n", "open after a change in one folder", changed, cold / changed);
    printf("%-44s %8.2f\n", "query each GUID once, with its .meta checked again", asked);

    project_done(&project);
    snprintf(command, sizeof command, "rm -rf %s", root);
    if (system(command) != 0)
        die("cannot remove the temporary folder");
    return cold / warm < GOAL;
}
