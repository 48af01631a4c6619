#include "unity/assets_scan.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/id.h"
#include "base/mem.h"
#include "unity/meta.h"

#define NS_PER_S INT64_C(1000000000)
#define YOUNG_NS (2 * NS_PER_S) /* longer than the clock tick of any file system */

enum entry_kind {
    KIND_FILE,
    KIND_FOLDER,
    KIND_META
};

struct listed_item { /* an entry of a listing */
    struct str name; /* of a .meta: the name of its asset, followed by the name as listed */
    enum entry_kind kind;
    bool is_link;
};

struct folder_queue { /* a stack, shared by the workers */
    pthread_mutex_t lock;
    pthread_cond_t wake;
    struct scan_folder *first;
    size_t busy; /* queued or in work */
};

struct scan_worker {
    struct assets_scan *scan;
    struct folder_queue *queue;
    pthread_t thread;
    struct arena arena; /* everything this worker adds to the tree */
    struct listed_item *items;
    size_t item_cap;
    struct buf disk, other; /* paths on disk */
    struct scan_folder *read;
    size_t folders, entries, text_bytes, metas_read, folders_read;
    bool changed;
};

/* ---- names and times */

bool assets_scan_ignores(struct str name)
{
    return name.n == 0 || name.p[0] == '.' || name.p[name.n - 1] == '~' ||
           str_eq_nocase(name, STR("cvs")) ||
           (name.n >= 4 && str_eq_nocase(str_skip(name, name.n - 4), STR(".tmp")));
}

void assets_scan_disk_path(const struct scan_root *root, struct str path, struct buf *out)
{
    buf_clear(out);
    buf_add(out, root->disk);
    buf_add(out, str_skip(path, root->shown.n));
}

/* A file can have any time. A time out of range counts as unknown, so the file is never fresh. */
static int64_t to_nanoseconds(struct timespec t)
{
    if (t.tv_sec < 0 || t.tv_sec >= INT64_MAX / NS_PER_S)
        return 0;
    return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

static struct assets_stamp make_stamp(const struct stat *st)
{
    return (struct assets_stamp){to_nanoseconds(st->st_mtim), to_nanoseconds(st->st_ctim),
                                 st->st_ino, 0};
}

struct assets_stamp assets_scan_stamp(const char *disk_path)
{
    struct stat st;
    if (stat(disk_path, &st) < 0 || !S_ISDIR(st.st_mode))
        return (struct assets_stamp){0};
    return make_stamp(&st);
}

bool assets_scan_is_same(const struct assets_stamp *a, const struct assets_stamp *b)
{
    return a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns && a->inode == b->inode;
}

/* A recent file may change again within the tick of the clock without a change of its time, so it
 * is checked again. */
static bool is_young(int64_t time_ns, int64_t read_ns)
{
    return time_ns > read_ns - YOUNG_NS;
}

bool assets_scan_is_known(const struct assets_stamp *folder, const char *disk_path)
{
    struct stat st;
    return stat(disk_path, &st) == 0 && !is_young(to_nanoseconds(st.st_mtim), folder->read_ns) &&
           !is_young(to_nanoseconds(st.st_ctim), folder->read_ns);
}

/* ---- the queue */

static void push_folder(struct folder_queue *q, struct scan_folder *f)
{
    pthread_mutex_lock(&q->lock);
    f->next = q->first;
    q->first = f;
    q->busy++;
    pthread_cond_signal(&q->wake);
    pthread_mutex_unlock(&q->lock);
}

/* Finish `done` (NULL at first) and return the next folder, or NULL when all are finished. */
static struct scan_folder *pop_folder(struct folder_queue *q, const struct scan_folder *done)
{
    pthread_mutex_lock(&q->lock);
    if (done && --q->busy == 0)
        pthread_cond_broadcast(&q->wake);
    while (!q->first && q->busy)
        pthread_cond_wait(&q->wake, &q->lock);
    struct scan_folder *f = q->first;
    if (f)
        q->first = f->next;
    pthread_mutex_unlock(&q->lock);
    return f;
}

static struct scan_folder *add_folder(struct scan_worker *w, struct scan_folder *parent,
                                      struct str name, bool is_link)
{
    struct scan_folder *f = arena_zalloc(&w->arena, sizeof *f);
    size_t n = parent->path.n;
    char *path = arena_alloc(&w->arena, n + 1 + name.n);
    memcpy(path, parent->path.p, n);
    path[n] = '/';
    memcpy(path + n + 1, name.p, name.n);
    f->path = str_make(path, n + 1 + name.n);
    f->parent = parent;
    f->root = parent->root;
    f->is_linked = parent->is_linked || is_link;
    f->old = ASSETS_TABLE_NONE;
    return f;
}

/* Count one more entry; false: a limit is reached. */
static bool has_room(struct assets_scan *s, const struct scan_folder *f, struct str name)
{
    size_t n = f->path.n + 1 + name.n;
    return n <= ASSETS_MAX_PATH && atomic_fetch_add(&s->all_entries, 1) < ASSETS_MAX_ENTRIES &&
           atomic_fetch_add(&s->all_text, n) < ASSETS_MAX_TEXT - n;
}

/* ---- copy a folder */

/* A table from a file may be hostile: check the order of the names here, where it matters. The
 * limits apply too. */
static bool may_copy_folder(const struct assets_scan *s, const struct scan_folder *f)
{
    if (f->old == ASSETS_TABLE_NONE || !s->fresh[f->old])
        return false;
    const struct assets_table *t = s->old;
    const uint32_t *children = t->children + t->folders[f->old].first_child;
    for (uint32_t i = 1; i < t->folders[f->old].child_count; i++)
        if (str_cmp(assets_table_name(t, children[i - 1]), assets_table_name(t, children[i])) >= 0)
            return false;
    return true;
}

static void copy_folder(struct scan_worker *w, struct scan_folder *f)
{
    const struct assets_table *t = w->scan->old;
    const struct assets_folder *old = &t->folders[f->old];
    f->stamp = old->stamp;
    f->entries = arena_alloc(&w->arena, old->child_count * sizeof *f->entries);
    for (uint32_t i = 0; i < old->child_count; i++) {
        uint32_t at = t->children[old->first_child + i];
        const struct assets_row *row = &t->assets[at];
        struct str name = assets_table_name(t, at);
        if (!has_room(w->scan, f, name)) {
            w->changed = true;
            f->stamp.mtime_ns = 0;
            continue;
        }
        struct scan_entry *e = &f->entries[f->count++];
        *e = (struct scan_entry){name, row->guid, row->flags & ~(uint32_t)ASSETS_SHADOWED, NULL};
        if (row->sub == ASSETS_TABLE_NONE)
            continue;
        e->folder = add_folder(w, f, name, row->flags & ASSETS_LINK);
        e->folder->old = row->sub;
        push_folder(w->queue, e->folder);
    }
}

/* ---- list a folder */

static bool is_folder_at(int fd, const char *name)
{
    struct stat st;
    return fstatat(fd, name, &st, 0) == 0 && S_ISDIR(st.st_mode);
}

/* Whether a link leads to a folder that contains it. */
static bool is_cycle(struct scan_worker *w, int fd, const char *name, const struct scan_folder *in)
{
    struct stat to, st;
    if (fstatat(fd, name, &to, 0) < 0)
        return true;
    for (; in; in = in->parent) {
        assets_scan_disk_path(&w->scan->roots[in->root], in->path, &w->other);
        if (stat(w->other.p, &st) < 0 || (st.st_dev == to.st_dev && st.st_ino == to.st_ino))
            return true;
    }
    return false;
}

/* Classify an entry of a folder; false: ignore it. */
static bool classify_entry(const struct dirent *d, int fd, struct listed_item *item)
{
    struct str name = str_from(d->d_name), suffix = STR(META_SUFFIX);
    unsigned char type = d->d_type;
    item->is_link = type == DT_LNK;
    item->kind = KIND_FILE;
    if (assets_scan_ignores(name))
        return false;
    if (type == DT_UNKNOWN) {
        struct stat st;
        if (fstatat(fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
            return false;
        item->is_link = S_ISLNK(st.st_mode);
        type = S_ISDIR(st.st_mode) ? DT_DIR : S_ISREG(st.st_mode) ? DT_REG : DT_FIFO;
    }
    if (type == DT_DIR || (item->is_link && is_folder_at(fd, d->d_name)))
        item->kind = KIND_FOLDER;
    else if (type != DT_REG && !item->is_link) /* pipes, sockets and the like */
        return false;
    if (str_ends(name, suffix)) {
        name = str_head(name, name.n - suffix.n);
        if (item->kind == KIND_FOLDER || assets_scan_ignores(name))
            return false;
        item->kind = KIND_META;
    }
    item->name = name;
    return true;
}

/* By name; an asset precedes its .meta. */
static int cmp_items(const void *a, const void *b)
{
    const struct listed_item *x = a, *y = b;
    int cmp = str_cmp(x->name, y->name);
    return cmp ? cmp : (x->kind == KIND_META) - (y->kind == KIND_META);
}

static size_t list_folder(struct scan_worker *w, struct scan_folder *f, DIR *dir)
{
    size_t count = 0;
    for (struct dirent *d; errno = 0, (d = readdir(dir)) != NULL;) {
        struct listed_item item;
        if (!classify_entry(d, dirfd(dir), &item))
            continue;
        if (!has_room(w->scan, f, item.name)) {
            f->was_cut = true;
            continue;
        }
        item.name.p = arena_cstr(&w->arena, str_from(d->d_name));
        mem_grow((void **)&w->items, &w->item_cap, count + 1, sizeof item);
        w->items[count++] = item;
    }
    f->failed = errno;
    if (count)
        qsort(w->items, count, sizeof *w->items, cmp_items);
    return count;
}

static void enter_folder(struct scan_worker *w, struct scan_folder *f, struct scan_entry *e,
                         const struct listed_item *item, int fd)
{
    struct assets_scan *s = w->scan;
    if (item->is_link && is_cycle(w, fd, item->name.p, f))
        return;
    if ((item->is_link || f->is_linked) && atomic_fetch_add(&s->linked, 1) >= ASSETS_MAX_LINKED) {
        f->was_cut = true;
        return;
    }
    e->flags |= item->is_link ? ASSETS_LINK : 0u;
    e->folder = add_folder(w, f, e->name, item->is_link);
    if (f->old != ASSETS_TABLE_NONE)
        e->folder->old = assets_table_find_folder(s->old, e->folder->path);
    push_folder(w->queue, e->folder);
}

static void add_meta(struct scan_worker *w, struct scan_entry *e, const char *name, int fd)
{
    enum meta_result result = meta_read(fd, name, &e->guid);
    w->metas_read++;
    if (result == META_BAD)
        e->flags |= ASSETS_BAD_META;
    else if (result == META_NONE) /* removed in the meantime */
        e->flags |= ASSETS_NO_META;
}

/* Merge an asset and its .meta into one entry. */
static void make_entries(struct scan_worker *w, struct scan_folder *f, size_t count, int fd)
{
    f->entries = arena_alloc(&w->arena, count * sizeof *f->entries);
    for (size_t i = 0; i < count; i++) {
        const struct listed_item *asset = w->items[i].kind == KIND_META ? NULL : &w->items[i];
        const struct listed_item *meta = asset ? NULL : &w->items[i];
        struct scan_entry *e = &f->entries[f->count++];
        *e = (struct scan_entry){.name = w->items[i].name};
        if (asset && i + 1 < count && w->items[i + 1].kind == KIND_META &&
            str_eq(w->items[i + 1].name, asset->name))
            meta = &w->items[++i];
        if (meta)
            add_meta(w, e, meta->name.p, fd);
        else
            e->flags |= ASSETS_NO_META;
        if (!asset)
            e->flags |= ASSETS_MISSING;
        else if (asset->kind == KIND_FOLDER) {
            e->flags |= ASSETS_FOLDER;
            enter_folder(w, f, e, asset, fd);
        }
    }
}

static bool differs_from_old(const struct assets_scan *s, const struct scan_folder *f)
{
    const struct assets_table *t = s->old;
    if (f->old == ASSETS_TABLE_NONE || t->folders[f->old].child_count != f->count)
        return true;
    for (uint32_t i = 0; i < f->count; i++) {
        uint32_t at = t->children[t->folders[f->old].first_child + i];
        const struct assets_row *row = &t->assets[at];
        const struct scan_entry *e = &f->entries[i];
        if (!guid_eq(row->guid, e->guid) || (row->sub == ASSETS_TABLE_NONE) != !e->folder ||
            (row->flags & ~(uint32_t)ASSETS_SHADOWED) != e->flags ||
            !str_eq(assets_table_name(t, at), e->name))
            return true;
    }
    return false;
}

static void read_folder(struct scan_worker *w, struct scan_folder *f)
{
    assets_scan_disk_path(&w->scan->roots[f->root], f->path, &w->disk);
    int fd = open(w->disk.p, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct stat st;
    if (!dir || fstat(fd, &st) < 0) {
        f->failed = errno;
        if (fd >= 0 && !dir)
            close(fd);
    } else {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        f->stamp = make_stamp(&st); /* before the listing, so that later changes are noticed */
        f->stamp.read_ns = to_nanoseconds(now);
        make_entries(w, f, list_folder(w, f, dir), fd);
        if (is_young(f->stamp.mtime_ns, f->stamp.read_ns) || f->failed || f->was_cut)
            f->stamp.mtime_ns = 0;
    }
    if (dir)
        closedir(dir);
    w->folders_read++;
    w->changed |= differs_from_old(w->scan, f);
    f->next = w->read;
    w->read = f;
}

/* ---- workers */

static void *run_worker(void *ctx)
{
    struct scan_worker *w = ctx;
    for (struct scan_folder *f = NULL; (f = pop_folder(w->queue, f)) != NULL;) {
        if (may_copy_folder(w->scan, f))
            copy_folder(w, f);
        else
            read_folder(w, f);
        w->folders++;
        w->entries += f->count;
        for (size_t i = 0; i < f->count; i++)
            w->text_bytes += f->path.n + 1 + f->entries[i].name.n;
    }
    return NULL;
}

/* A package may have moved: do not use what is known of another folder. */
static uint32_t find_top(const struct assets_scan *s, const struct scan_root *root)
{
    const struct assets_table *t = s->old;
    uint32_t at = assets_table_find_folder(t, root->shown);
    if (at == ASSETS_TABLE_NONE ||
        !str_eq(assets_table_text(t, t->roots[t->folders[at].root].disk), root->disk))
        return ASSETS_TABLE_NONE;
    return at;
}

static void add_tops(struct assets_scan *s, struct folder_queue *q)
{
    s->tops = arena_alloc(&s->arena, s->root_count * sizeof *s->tops);
    for (size_t i = 0; i < s->root_count; i++) {
        struct scan_folder *f = arena_zalloc(&s->arena, sizeof *f);
        f->path = s->roots[i].shown;
        f->root = (uint32_t)i;
        f->old = s->old ? find_top(s, &s->roots[i]) : ASSETS_TABLE_NONE;
        s->text_bytes += s->roots[i].shown.n + s->roots[i].disk.n;
        s->tops[i] = f;
    }
    for (size_t i = s->root_count; i > 0; i--) /* the queue is a stack */
        push_folder(q, s->tops[i - 1]);
}

static void collect_results(struct assets_scan *s, struct scan_worker *w)
{
    s->folders += w->folders;
    s->entries += w->entries;
    s->text_bytes += w->text_bytes;
    s->metas_read += w->metas_read;
    s->folders_read += w->folders_read;
    s->changed |= w->changed;
    while (w->read) {
        struct scan_folder *f = w->read;
        w->read = f->next;
        f->next = s->read;
        s->read = f;
    }
    buf_done(&w->disk);
    buf_done(&w->other);
    free(w->items);
}

static size_t count_threads(const struct assets_scan *s)
{
    long cores = s->in_parallel ? sysconf(_SC_NPROCESSORS_ONLN) : 1;
    if (cores < 1)
        return 1;
    return (size_t)cores < ASSETS_MAX_THREADS ? (size_t)cores : ASSETS_MAX_THREADS;
}

void assets_scan_run(struct assets_scan *s)
{
    assert(!s->old || s->fresh);
    struct folder_queue q = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, NULL, 0};
    size_t threads = count_threads(s), started = 1;
    add_tops(s, &q);
    s->workers = mem_zalloc(ASSETS_MAX_THREADS * sizeof *s->workers);
    for (size_t i = 0; i < threads; i++) {
        s->workers[i].scan = s;
        s->workers[i].queue = &q;
    }
    /* A thread that cannot be started is not needed: this thread works too. */
    while (started < threads &&
           pthread_create(&s->workers[started].thread, NULL, run_worker, &s->workers[started]) == 0)
        started++;
    run_worker(&s->workers[0]);
    for (size_t i = 1; i < started; i++)
        pthread_join(s->workers[i].thread, NULL);
    for (size_t i = 0; i < threads; i++)
        collect_results(s, &s->workers[i]);
    pthread_mutex_destroy(&q.lock);
    pthread_cond_destroy(&q.wake);
}

void assets_scan_done(struct assets_scan *s)
{
    for (size_t i = 0; s->workers && i < ASSETS_MAX_THREADS; i++)
        arena_done(&s->workers[i].arena);
    free(s->workers);
    arena_done(&s->arena);
    *s = (struct assets_scan){0};
}

struct table_build {
    const struct assets_scan *scan;
    struct assets_table table;
    uint32_t folders, assets, children, text; /* filled so far */
};

static uint32_t add_text(struct table_build *b, struct str s)
{
    uint32_t at = b->text;
    assert(s.n <= b->table.head->text_bytes - at);
    if (s.n)
        memcpy(b->table.text + at, s.p, s.n);
    b->text += (uint32_t)s.n;
    return at;
}

static int cmp_folders(const void *a, const void *b)
{
    const struct scan_entry *const *x = a, *const *y = b;
    return assets_table_cmp_folders((*x)->name, (*y)->name);
}

/* Return the subfolders of f in the order of their contents. */
static const struct scan_entry **sort_folders(const struct scan_folder *f, size_t *count)
{
    size_t n = 0;
    for (size_t i = 0; i < f->count; i++)
        n += f->entries[i].folder != NULL;
    *count = n;
    if (n == 0)
        return NULL;
    const struct scan_entry **list = mem_alloc(n * sizeof *list);
    for (size_t i = f->count; i > 0; i--)
        if (f->entries[i - 1].folder)
            list[--n] = &f->entries[i - 1];
    qsort(list, *count, sizeof *list, cmp_folders);
    return list;
}

static void add_asset_row(struct table_build *b, const struct scan_entry *e, uint32_t folder,
                          uint32_t child)
{
    const struct assets_table *t = &b->table;
    struct str in = assets_table_text(t, t->folders[folder].path);
    t->children[t->folders[folder].first_child + child] = b->assets;
    t->assets[b->assets++] = (struct assets_row){
        .guid = e->guid,
        .path_at = add_text(b, in),
        .path_n = (uint16_t)(in.n + 1 + e->name.n),
        .flags = (uint16_t)e->flags,
        .folder = folder,
        .sub = ASSETS_TABLE_NONE,
    };
    add_text(b, STR("/"));
    add_text(b, e->name);
}

static uint32_t add_folder_row(struct table_build *b, const struct scan_folder *f,
                               struct assets_text path)
{
    uint32_t at = b->folders++;
    b->table.folders[at] = (struct assets_folder){
        .path = path,
        .root = f->root,
        .first_child = b->children,
        .child_count = (uint32_t)f->count,
        .stamp = f->stamp,
    };
    b->children += (uint32_t)f->count;
    return at;
}

/* Whether a name sorts before "folder/". */
static bool comes_before(struct str name, struct str folder)
{
    size_t n = name.n < folder.n ? name.n : folder.n;
    int cmp = memcmp(name.p, folder.p, n);
    if (cmp != 0 || name.n <= folder.n)
        return cmp <= 0;
    return (unsigned char)name.p[n] < '/';
}

/* Add assets depth first. All paths below "a/b/" follow each other, after "a/b", "a/b c" and
 * "a/b.cs", so the contents of folders are merged into the names as if those ended with a slash.
 * The depth is limited by the length of paths. */
static void add_tree(struct table_build *b, const struct scan_folder *f, uint32_t at)
{
    size_t count, next = 0;
    const struct scan_entry **folders = sort_folders(f, &count);
    const struct assets_folder *row = &b->table.folders[at];
    uint32_t *children = b->table.children + row->first_child;
    for (size_t i = 0; i <= f->count; i++) {
        const struct scan_entry *e = i < f->count ? &f->entries[i] : NULL;
        for (; next < count; next++) {
            const struct scan_entry *sub = folders[next];
            if (e && comes_before(e->name, sub->name))
                break;
            uint32_t asset = children[sub - f->entries];
            struct assets_text path = {b->table.assets[asset].path_at,
                                       b->table.assets[asset].path_n};
            uint32_t folder = add_folder_row(b, sub->folder, path);
            b->table.assets[asset].sub = folder;
            add_tree(b, sub->folder, folder);
        }
        if (e)
            add_asset_row(b, e, at, (uint32_t)i);
    }
    free(folders);
}

/* ---- indexes by hash */

static void sort_pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
    size_t starts[257] = {0};
    for (size_t i = 0; i < n; i++)
        starts[(from[i] >> shift & 255) + 1]++;
    for (size_t i = 1; i < 257; i++)
        starts[i] += starts[i - 1];
    for (size_t i = 0; i < n; i++)
        to[starts[from[i] >> shift & 255]++] = from[i];
}

/* Sort pairs of a hash (high half) and an ascending index by their hash, in four passes. */
static void sort_pairs(uint64_t *pairs, uint64_t *spare, size_t n)
{
    for (unsigned shift = 32; shift < 64; shift += 16) {
        sort_pass(pairs, spare, n, shift);
        sort_pass(spare, pairs, n, shift + 8);
    }
}

static void split_pairs(const uint64_t *pairs, size_t n, uint32_t *hashes, uint32_t *indexes)
{
    for (size_t i = 0; i < n; i++) {
        hashes[i] = (uint32_t)(pairs[i] >> 32);
        indexes[i] = (uint32_t)pairs[i];
    }
}

static void index_names(struct assets_table *t)
{
    uint32_t n = t->head->asset_count;
    uint64_t *names = mem_alloc((n + 1) * sizeof *names);
    uint64_t *extensions = mem_alloc((n + 1) * sizeof *extensions);
    uint64_t *spare = mem_alloc((n + 1) * sizeof *spare);
    for (uint32_t i = 0; i < n; i++) {
        struct str name = assets_table_name(t, i);
        struct str extension = assets_table_extension(name);
        names[i] = (uint64_t)assets_table_hash(t, name) << 32 | i;
        extensions[i] = (uint64_t)assets_table_hash_extension(t, extension) << 32 | i;
    }
    sort_pairs(names, spare, n);
    split_pairs(names, n, t->name_hash, t->by_name);
    sort_pairs(extensions, spare, n);
    split_pairs(extensions, n, t->extension_hash, t->by_extension);
    free(names);
    free(extensions);
    free(spare);
}

/* ---- the table */

static int cmp_tops(const void *a, const void *b)
{
    const struct scan_folder *const *x = a, *const *y = b;
    return assets_table_cmp_folders((*x)->path, (*y)->path);
}

static void add_roots(struct table_build *b)
{
    const struct assets_scan *s = b->scan;
    const struct scan_folder **tops = mem_dup(s->tops, s->root_count * sizeof *tops);
    for (size_t i = 0; i < s->root_count; i++) {
        struct str shown = s->roots[i].shown, disk = s->roots[i].disk;
        b->table.roots[i] = (struct assets_root){
            .shown = {add_text(b, shown), (uint32_t)shown.n},
            .disk = {add_text(b, disk), (uint32_t)disk.n},
        };
    }
    qsort(tops, s->root_count, sizeof *tops, cmp_tops);
    for (size_t i = 0; i < s->root_count; i++) {
        uint32_t at = add_folder_row(b, tops[i], b->table.roots[tops[i]->root].shown);
        add_tree(b, tops[i], at);
    }
    free(tops);
}

struct assets_table assets_scan_make_table(const struct assets_scan *scan)
{
    struct assets_head counts = {
        .root_count = (uint32_t)scan->root_count,
        .folder_count = (uint32_t)scan->folders,
        .asset_count = (uint32_t)scan->entries,
        .text_bytes = scan->text_bytes,
    };
    id_bytes(&counts.seed, sizeof counts.seed);
    struct table_build b = {.scan = scan, .table = assets_table_new(&counts)};
    add_roots(&b);
    assert(b.folders == scan->folders && b.assets == scan->entries && b.text == scan->text_bytes);
    index_names(&b.table);
    assets_table_index_guids(&b.table);
    return b.table;
}
