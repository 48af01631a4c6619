#include "unity/asset_contents.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/map.h"
#include "base/mem.h"
#include "unity/asset_kind.h"

struct file_identity {
    struct timespec time;
    off_t size;
    ino_t number;
    dev_t device;
};

struct contents_entry { /* one block, followed by its objects and their texts */
    struct file_identity file;
    struct asset_contents contents;
    bool is_readable;
    bool is_recent; /* just written: another change may have the same time */
};

struct asset_contents_cache {
    struct assets *assets;
    struct map entries; /* path -> struct contents_entry */
};

struct contents_reader {
    struct arena arena;
    struct contained_object *list;
    size_t count, cap;
    bool is_open, is_single;
};

/* ---- files */

static struct file_identity get_identity(const struct stat *s)
{
    return (struct file_identity){s->st_mtim, s->st_size, s->st_ino, s->st_dev};
}

/* File systems count in milliseconds, some in seconds. */
static bool is_recent(const struct file_identity *file)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return file->time.tv_sec + 2 >= now.tv_sec;
}

static bool is_same(const struct file_identity *a, const struct file_identity *b)
{
    return a->time.tv_sec == b->time.tv_sec && a->time.tv_nsec == b->time.tv_nsec &&
           a->size == b->size && a->number == b->number && a->device == b->device;
}

/* Read up to max bytes. Folders and pipes are rejected, so this never blocks. */
static bool read_start(const char *path, size_t max, struct buf *out)
{
    struct stat s;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool ok = fd >= 0 && fstat(fd, &s) == 0 && S_ISREG(s.st_mode);
    while (ok && out->n < max) {
        size_t room =
            max - out->n < ASSET_CONTENTS_HEAD_BYTES ? max - out->n : ASSET_CONTENTS_HEAD_BYTES;
        char *to = buf_room(out, room);
        ssize_t n = to != NULL ? read(fd, to, room) : -1;
        ok = n >= 0;
        if (n <= 0)
            break;
        out->n += (size_t)n;
    }
    if (fd >= 0)
        close(fd);
    return ok;
}

/* ---- objects */

static void add_object(struct contents_reader *r, const struct contained_object *object)
{
    if (r->count >= ASSET_CONTENTS_MAX_OBJECTS)
        return;
    if (r->count == r->cap) {
        size_t cap = r->cap > 0 ? 2 * r->cap : 8;
        r->list = arena_grow(&r->arena, r->list, r->cap * sizeof *r->list, cap * sizeof *r->list);
        r->cap = cap;
    }
    r->list[r->count++] = *object;
}

static void add_doc(struct contents_reader *r, const struct yaml_file *f, const struct yaml_doc *d)
{
    struct contained_object object = {.class_id = d->class_id};
    struct yaml_value body = yaml_body(f, d);
    int64_t flags = 0;
    yaml_i64(yaml_get(body, STR("m_ObjectHideFlags")), &flags);
    object.is_hidden = flags & 1;
    object.name = yaml_text(&r->arena, yaml_get(body, STR("m_Name")));
    if (d->class_id == 114) {
        yaml_reference(yaml_get(body, STR("m_Script")), &object.script);
        object.identifier = yaml_text(&r->arena, yaml_get(body, STR("m_EditorClassIdentifier")));
    }
    add_object(r, &object);
}

static void read_docs(struct contents_reader *r, struct yaml_file *f, int64_t main_id)
{
    const struct yaml_doc *main = yaml_find(f, main_id);
    if (main == NULL && f->count > 0)
        main = &f->docs[0];
    if (main != NULL)
        add_doc(r, f, main);
    for (size_t i = 0; i < f->count && r->count < ASSET_CONTENTS_MAX_OBJECTS; i++)
        if (&f->docs[i] != main)
            add_doc(r, f, &f->docs[i]);
}

/* ---- prefabs */

static int64_t read_id(struct yaml_value map, const char *key)
{
    struct reference ref = {0};
    yaml_reference(yaml_get(map, str_from(key)), &ref);
    return ref.file_id;
}

static bool is_transform(int32_t class_id)
{
    return class_id == 4 || class_id == 224;
}

/* Return the GameObject whose Transform has no parent. NULL: none, or the root is an instance or
 * not unique (is_open). */
static const struct yaml_doc *find_prefab_root(struct contents_reader *r, struct yaml_file *f)
{
    const struct yaml_doc *root = NULL;
    for (size_t i = 0; i < f->count && !r->is_open; i++) {
        const struct yaml_doc *d = &f->docs[i];
        if (d->class_id == 1001) {
            struct yaml_value change = yaml_get(yaml_body(f, d), STR("m_Modification"));
            r->is_open = read_id(change, "m_TransformParent") == 0;
        } else if (is_transform(d->class_id) && !d->stripped &&
                   read_id(yaml_body(f, d), "m_Father") == 0) {
            r->is_open = root != NULL;
            root = yaml_find(f, read_id(yaml_body(f, d), "m_GameObject"));
        }
    }
    return r->is_open ? NULL : root;
}

static void read_prefab(struct contents_reader *r, struct yaml_file *f)
{
    const struct yaml_doc *root = find_prefab_root(r, f);
    struct yaml_item entry, first;
    if (root == NULL)
        return;
    for (int transforms = 1; transforms >= 0; transforms--) {
        struct yaml_walk walk = yaml_walk(yaml_get(yaml_body(f, root), STR("m_Component")));
        while (yaml_next(&walk, &entry) && r->count < ASSET_CONTENTS_MAX_OBJECTS) {
            struct yaml_walk inner = yaml_walk(entry.value); /* "component:", or a class id in old
                                                                files */
            struct reference ref = {0};
            if (!yaml_next(&inner, &first) || !yaml_reference(first.value, &ref))
                continue;
            const struct yaml_doc *d = yaml_find(f, ref.file_id);
            if (d != NULL && is_transform(d->class_id) == (transforms == 1))
                add_doc(r, f, d);
        }
    }
}

/* ---- importers */

static struct str key_text(struct contents_reader *r, struct str key)
{
    return yaml_text(&r->arena, (struct yaml_value){.kind = YAML_SCALAR, .text = key});
}

static void add_named(struct contents_reader *r, int64_t class_id, struct str name)
{
    if (name.n > 0 && class_id > 0 && class_id < INT32_MAX)
        add_object(r, &(struct contained_object){.class_id = (int32_t)class_id, .name = name});
}

/* Read both forms of the table; wanted 0: all classes. */
static void read_table(struct contents_reader *r, struct yaml_value importer, int64_t wanted)
{
    struct yaml_item item, first;
    struct yaml_walk walk = yaml_walk(yaml_get(importer, STR("internalIDToNameTable")));
    int64_t class_id;
    while (yaml_next(&walk, &item) && r->count < ASSET_CONTENTS_MAX_OBJECTS) {
        struct yaml_walk inner = yaml_walk(yaml_get(item.value, STR("first")));
        if (yaml_next(&inner, &first) && str_to_i64(first.key, &class_id) &&
            (wanted == 0 || class_id == wanted))
            add_named(r, class_id, yaml_text(&r->arena, yaml_get(item.value, STR("second"))));
    }
    walk = yaml_walk(yaml_get(importer, STR("fileIDToRecycleName")));
    while (yaml_next(&walk, &item) && r->count < ASSET_CONTENTS_MAX_OBJECTS)
        if (str_to_i64(item.key, &class_id) && (wanted == 0 || class_id / 100000 == wanted))
            add_named(r, class_id / 100000, yaml_text(&r->arena, item.value));
}

/* The sheet lists the current sprites; the tables have their ids, maybe with outdated ones. */
static void read_sheet(struct contents_reader *r, struct yaml_value importer)
{
    struct yaml_value sheet = yaml_get(importer, STR("spriteSheet"));
    struct contents_reader known = {0};
    struct map ids = {0}, sprites = {0};
    struct yaml_item item;
    read_table(&known, importer, 213);
    struct yaml_walk walk = yaml_walk(yaml_get(sheet, STR("nameFileIdTable")));
    while (yaml_next(&walk, &item) && known.count < ASSET_CONTENTS_MAX_OBJECTS)
        add_named(&known, 213, key_text(&known, item.key));
    walk = yaml_walk(yaml_get(sheet, STR("sprites")));
    for (size_t n = 0; n < ASSET_CONTENTS_MAX_OBJECTS && yaml_next(&walk, &item); n++)
        map_set(&sprites, yaml_text(&known.arena, yaml_get(item.value, STR("name"))), r);
    for (size_t i = 0; i < known.count; i++) {
        struct str name = known.list[i].name;
        if ((sprites.count == 0 || map_get(&sprites, name) != NULL) &&
            map_set(&ids, name, r) == NULL)
            add_named(r, 213, arena_str(&r->arena, name));
    }
    map_done(&ids);
    map_done(&sprites);
    arena_done(&known.arena);
}

static void read_image(struct contents_reader *r, struct str meta, struct str path)
{
    struct yaml_value importer = yaml_get(yaml_plain(meta), STR("TextureImporter"));
    int64_t shape = 1, mode = 0;
    yaml_i64(yaml_get(importer, STR("textureShape")), &shape);
    yaml_i64(yaml_get(importer, STR("spriteMode")), &mode);
    int32_t class_id = shape == 2 ? 89 : shape == 4 ? 187 : shape == 8 ? 117 : 28;
    add_object(r, &(struct contained_object){.class_id = class_id, .name = asset_kind_stem(path)});
    r->is_single = mode == 1;
    if (r->is_single)
        add_named(r, 213, asset_kind_stem(path));
    else if (mode != 0)
        read_sheet(r, importer);
}

/* ---- cache */

static size_t text_size(const struct contents_reader *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->count; i++)
        n += r->list[i].name.n + r->list[i].identifier.n;
    return n;
}

static struct str move_text(char **to, struct str text)
{
    char *at = *to;
    if (text.n > 0)
        memcpy(at, text.p, text.n);
    *to += text.n;
    return str_make(at, text.n);
}

static struct contents_entry *make_entry(const struct contents_reader *r)
{
    size_t size = sizeof(struct contents_entry) + r->count * sizeof(struct contained_object);
    struct contents_entry *k = mem_zalloc(size + text_size(r));
    struct contained_object *list = (struct contained_object *)(k + 1);
    char *texts = (char *)k + size;
    for (size_t i = 0; i < r->count; i++) {
        list[i] = r->list[i];
        list[i].name = move_text(&texts, r->list[i].name);
        list[i].identifier = move_text(&texts, r->list[i].identifier);
    }
    k->contents = (struct asset_contents){list, r->count, r->is_open, r->is_single};
    return k;
}

static bool read_yaml(struct contents_reader *r, struct str text, struct str path,
                      enum asset_contents_form form)
{
    struct yaml_file f;
    struct yaml_error error;
    if (!yaml_split(&f, text, &error))
        return false;
    const struct asset_kind *k = asset_kind_of(path);
    if (form == ASSET_CONTENTS_PREFAB)
        read_prefab(r, &f);
    else
        read_docs(r, &f, k != NULL ? k->file_id : 0);
    yaml_done(&f);
    return true;
}

static struct contents_entry *read_file(const char *file, off_t size, struct str path,
                                        enum asset_contents_form form)
{
    struct contents_reader r = {0};
    struct buf bytes = {0};
    bool is_large = size > (off_t)ASSET_CONTENTS_MAX_BYTES;
    size_t max = form == ASSET_CONTENTS_YAML && is_large ? ASSET_CONTENTS_HEAD_BYTES
                                                         : ASSET_CONTENTS_MAX_BYTES;
    bool ok = read_start(file, max, &bytes);
    if (ok && form == ASSET_CONTENTS_IMAGE)
        read_image(&r, buf_str(&bytes), path);
    else if (ok && form == ASSET_CONTENTS_MODEL)
        read_table(&r, yaml_get(yaml_plain(buf_str(&bytes)), STR("ModelImporter")), 0);
    else if (ok && form == ASSET_CONTENTS_PREFAB && is_large)
        r.is_open = true;
    else if (ok)
        ok = read_yaml(&r, buf_str(&bytes), path, form);
    struct contents_entry *k = make_entry(&r);
    k->is_readable = ok;
    arena_done(&r.arena);
    buf_done(&bytes);
    return k;
}

static void forget_all(struct asset_contents_cache *h)
{
    MAP_EACH (&h->entries, i)
        free(map_value(&h->entries, i));
    map_done(&h->entries);
    h->entries = (struct map){0};
}

const struct asset_contents *asset_contents_get(struct asset_contents_cache *h, struct str path,
                                                enum asset_contents_form form)
{
    struct buf file = {0};
    struct stat s;
    struct contents_entry *k = NULL;
    bool ok = assets_file(h->assets, path, &file);
    if (h->entries.count >
        2 * assets_count(h->assets) + 1024) /* most entries are of removed files */
        forget_all(h);
    if (ok && (form == ASSET_CONTENTS_IMAGE || form == ASSET_CONTENTS_MODEL))
        buf_add(&file, STR(".meta"));
    if (ok && stat(file.p, &s) == 0 && S_ISREG(s.st_mode)) {
        struct file_identity now = get_identity(&s);
        k = map_get(&h->entries, path);
        if (k == NULL || k->is_recent || !is_same(&k->file, &now)) {
            k = read_file(file.p, s.st_size, path, form);
            k->file = now;
            k->is_recent = is_recent(&now);
            free(map_set(&h->entries, path, k));
        }
    }
    buf_done(&file);
    return k != NULL && k->is_readable ? &k->contents : NULL;
}

struct asset_contents_cache *asset_contents_new(struct assets *assets)
{
    struct asset_contents_cache *h = mem_zalloc(sizeof *h);
    h->assets = assets;
    return h;
}

void asset_contents_free(struct asset_contents_cache *h)
{
    if (h == NULL)
        return;
    forget_all(h);
    free(h);
}
