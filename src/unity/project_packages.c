#include "unity/project_packages.h"

#include <dirent.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"

#define MAX_BYTES (4u << 20) /* of package.json, manifest.json and packages-lock.json */

struct package_reader {
    struct project *project;
    const struct diagnostic_sink *sink;
    struct project_package *list;
    size_t count, cap;
    struct arena arena;                 /* of the JSON texts */
    const struct json *manifest, *lock; /* NULL: missing */
};

/* ---- files */

/* shown: path relative to the project, for diagnostics. */
static const struct json *read_json(struct package_reader *k, const char *path, const char *shown)
{
    struct buf text = buf_make(MAX_BYTES);
    struct error err = {0};
    struct json_error bad;
    struct diagnostic about = {
        .level = DIAGNOSTIC_WARNING, .kind = DIAGNOSTIC_UNREADABLE, .file = str_from(shown)};
    const struct json *doc = NULL;
    if (file_read(path, MAX_BYTES, &text, &err)) {
        struct str own = arena_str(&k->arena, buf_str(&text));
        if (str_starts(own, STR("\xEF\xBB\xBF")))
            own = str_skip(own, 3);
        doc = json_parse(&k->arena, own, NULL, &bad);
        about.line = about.column = 1;
        for (size_t i = 0; !doc && i < bad.offset; i++) {
            about.line += own.p[i] == '\n';
            about.column = own.p[i] == '\n' ? 1 : about.column + 1;
        }
        if (!doc)
            diagnostic_report(k->sink, &about, "invalid JSON: %s", bad.reason);
    } else if (file_exists(path)) {
        diagnostic_report(k->sink, &about, "%s", err.text);
    }
    buf_done(&text);
    return doc;
}

static const struct json *read_packages_file(struct package_reader *k, const char *name)
{
    struct buf path = {0}, shown = {0};
    buf_printf(&shown, "Packages/%s", name);
    buf_printf(&path, "%s/%s", k->project->root, shown.p);
    const struct json *doc = read_json(k, path.p, shown.p);
    buf_done(&path);
    buf_done(&shown);
    return doc;
}

/* ---- names */

/* A name becomes part of paths, so allow only Unity's characters. */
static bool is_name(struct str name)
{
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        bool ok = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                  (c == '.' && i > 0) || c == '_' || c == '-';
        if (!ok)
            return false;
    }
    return name.n > 0 && name.n <= 214;
}

/* Compare versions such as "1.10.2-pre.3" part by part; a number is greater than any other text. */
static int cmp_versions(struct str a, struct str b)
{
    while (a.n || b.n) {
        struct str x, y;
        uint64_t m = 0, n = 0;
        str_cut(&a, '.', &x);
        str_cut(&b, '.', &y);
        bool is_m = str_to_u64(x, &m), is_n = str_to_u64(y, &n);
        if (is_m != is_n)
            return is_m ? 1 : -1;
        if (m != n)
            return m < n ? -1 : 1;
        int cmp = is_m ? 0 : str_cmp(x, y);
        if (cmp)
            return cmp;
    }
    return 0;
}

/* ---- list */

static struct project_package *find_package(struct package_reader *k, struct str name)
{
    for (size_t i = 0; i < k->count; i++)
        if (str_eq(k->list[i].name, name))
            return &k->list[i];
    return NULL;
}

/* Return the version that the project requires; empty: none. */
static struct str get_wanted_version(const struct package_reader *k, struct str name)
{
    struct str version =
        json_str(json_get(json_get(json_get(k->lock, STR("dependencies")), name), STR("version")));
    if (version.n == 0)
        version = json_str(json_get(json_get(k->manifest, STR("dependencies")), name));
    return version;
}

static bool is_better(const struct package_reader *k, const struct project_package *a,
                      const struct project_package *b)
{
    struct str want = get_wanted_version(k, a->name);
    bool is_a = str_eq(a->version, want), is_b = str_eq(b->version, want);
    return is_a != is_b ? is_a : cmp_versions(a->version, b->version) > 0;
}

static void add_package(struct package_reader *k, const struct project_package *package)
{
    struct arena *arena = &k->project->arena;
    struct project_package *known = find_package(k, package->name);
    if (known && (known->kind != PROJECT_PACKAGE_CACHED || !is_better(k, package, known)))
        return;
    if (!known) {
        if (k->count >= PROJECT_MAX_PACKAGES)
            return;
        mem_grow((void **)&k->list, &k->cap, k->count + 1, sizeof *k->list);
        known = &k->list[k->count++];
    }
    *known = (struct project_package){
        .name = arena_str(arena, package->name),
        .folder = arena_str(arena, package->folder),
        .version = arena_str(arena, package->version),
        .kind = package->kind,
    };
}

static int cmp_packages(const void *a, const void *b)
{
    const struct project_package *x = a, *y = b;
    return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : str_cmp(x->name, y->name);
}

/* ---- kinds of packages */

typedef void each_fn(struct package_reader *k, struct str folder, struct str name);

/* Call fn for each folder in a folder of the project, sorted by name. */
static void each_folder(struct package_reader *k, const char *in, each_fn *fn)
{
    struct buf path = {0};
    struct dirent **found = NULL;
    buf_printf(&path, "%s/%s", k->project->root, in);
    int count = scandir(path.p, &found, NULL, alphasort);
    size_t n = path.n;
    for (int i = 0; i < count; i++) {
        struct str name = str_from(found[i]->d_name);
        path.n = n;
        buf_printf(&path, "/%s", found[i]->d_name);
        if (found[i]->d_type != DT_REG && name.p[0] != '.' && name.p[name.n - 1] != '~')
            fn(k, buf_str(&path), name);
        free(found[i]);
    }
    free(found);
    buf_done(&path);
}

static void add_embedded(struct package_reader *k, struct str folder, struct str name)
{
    struct buf path = {0}, shown = {0};
    buf_printf(&path, "%.*s/package.json", STR_ARG(folder));
    buf_printf(&shown, "Packages/%.*s/package.json", STR_ARG(name));
    if (file_exists(path.p)) {
        const struct json *doc = read_json(k, path.p, shown.p);
        struct str own = json_str(json_get(doc, STR("name")));
        struct project_package package = {is_name(own) ? own : name, folder,
                                          json_str(json_get(doc, STR("version"))),
                                          PROJECT_PACKAGE_EMBEDDED};
        if (is_name(package.name))
            add_package(k, &package);
    }
    buf_done(&path);
    buf_done(&shown);
}

/* "file:../../shared/pkg" is relative to Packages; "file:/a/b" and "file:///a/b" are absolute. */
static void add_local(struct package_reader *k, struct str name, struct str url)
{
    struct str scheme = STR("file:");
    if (!is_name(name) || !str_starts(url, scheme) || memchr(url.p, 0, url.n))
        return;
    struct str to = str_skip(url, scheme.n);
    if (str_starts(to, STR("///")))
        to = str_skip(to, 2);
    struct buf path = {0};
    if (!str_starts(to, STR("/")))
        buf_printf(&path, "%s/Packages/", k->project->root);
    buf_add(&path, to);
    char *folder = realpath(path.p, NULL);
    buf_clear(&path);
    buf_printf(&path, "%s/package.json", folder ? folder : "");
    if (!folder) {
        diagnostic_report(k->sink,
                          &(struct diagnostic){.level = DIAGNOSTIC_WARNING,
                                               .file = STR("Packages/manifest.json")},
                          "missing local package %.*s: %.*s", STR_ARG(name), STR_ARG(url));
    } else if (!str_ends(to, STR(".tgz"))) { /* archives are unpacked into the cache */
        const struct json *doc = file_exists(path.p) ? read_json(k, path.p, path.p) : NULL;
        add_package(k, &(struct project_package){name, str_from(folder),
                                                 json_str(json_get(doc, STR("version"))),
                                                 PROJECT_PACKAGE_LOCAL});
    }
    free(folder);
    buf_done(&path);
}

/* "com.unity.ugui@1.0.0", since Unity 6 "com.unity.ugui@1a2b3c4d5e6f". */
static void add_cached(struct package_reader *k, struct str folder, struct str name)
{
    struct str version = name, own;
    if (!str_cut(&version, '@', &own) || !is_name(own))
        return;
    const struct project_package *known = find_package(k, own);
    if (known && known->kind != PROJECT_PACKAGE_CACHED)
        return;
    if (str_find_char(version, '.') == version.n) {
        struct buf path = {0};
        buf_printf(&path, "%.*s/package.json", STR_ARG(folder));
        struct str stored = file_exists(path.p)
                                ? json_str(json_get(read_json(k, path.p, path.p), STR("version")))
                                : (struct str){0};
        version = stored.n ? stored : version;
        buf_done(&path);
    }
    add_package(k, &(struct project_package){own, folder, version, PROJECT_PACKAGE_CACHED});
}

/* ---- required packages */

static int cmp_names(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static void list_names(struct package_reader *k)
{
    struct project *p = k->project;
    const struct json *files[] = {k->manifest, k->lock};
    struct str *names = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        JSON_EACH (json_get(files[i], STR("dependencies")), key) {
            if (!is_name(json_str(key)) || count >= PROJECT_MAX_PACKAGES)
                continue;
            mem_grow((void **)&names, &cap, count + 1, sizeof *names);
            names[count++] = json_str(key);
        }
    if (count)
        qsort(names, count, sizeof *names, cmp_names);
    p->listed = arena_alloc(&p->arena, count * sizeof *p->listed);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || !str_eq(names[i], names[i - 1]))
            p->listed[p->listed_count++] = arena_str(&p->arena, names[i]);
    free(names);
}

void project_packages_read(struct project *p, const struct diagnostic_sink *sink)
{
    struct package_reader k = {.project = p, .sink = sink};
    k.manifest = read_packages_file(&k, "manifest.json");
    k.lock = read_packages_file(&k, "packages-lock.json");
    list_names(&k);
    each_folder(&k, "Packages", add_embedded);
    JSON_EACH (json_get(k.manifest, STR("dependencies")), key)
        add_local(&k, json_str(key), json_str(key + 1));
    each_folder(&k, "Library/PackageCache", add_cached);
    if (k.count)
        qsort(k.list, k.count, sizeof *k.list, cmp_packages);
    size_t bytes = k.count * sizeof *k.list;
    p->packages = arena_alloc(&p->arena, bytes);
    if (bytes)
        memcpy(p->packages, k.list, bytes);
    p->package_count = k.count;
    free(k.list);
    arena_done(&k.arena);
}
