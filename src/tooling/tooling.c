#include "tooling/tooling.h"

#include <assert.h>
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "tooling_default_json.h"

static const char *const categories[CATEGORY_COUNT] = {
    [CATEGORY_META] = "meta",           [CATEGORY_PLAN] = "plan",     [CATEGORY_TASK] = "task",
    [CATEGORY_EXECUTION] = "execution", [CATEGORY_WORKER] = "worker",
};

static const char *const strategies[STRATEGY_COUNT] = {
    [STRATEGY_WEIGHTED] = "weighted",
    [STRATEGY_ROUND_ROBIN] = "round_robin",
    [STRATEGY_PRIORITY] = "priority",
    [STRATEGY_LEAST_RECENT] = "least_recent",
};

const char *tooling_category_name(enum category c)
{
    assert(c < CATEGORY_COUNT);
    return categories[c];
}

bool tooling_category_find(struct str name, enum category *out)
{
    for (enum category c = 0; c < CATEGORY_COUNT; c++)
        if (str_eq(name, str_from(categories[c]))) {
            *out = c;
            return true;
        }
    return false;
}

const char *tooling_strategy_name(enum strategy s)
{
    assert(s < STRATEGY_COUNT);
    return strategies[s];
}

struct tooling *tooling_ref(struct tooling *t)
{
    assert(t->refs > 0);
    t->refs++;
    return t;
}

void tooling_unref(struct tooling *t)
{
    if (!t || --t->refs > 0)
        return;
    arena_done(&t->arena);
    free(t);
}

const struct tooling_category *tooling_profile_category(const struct tooling_profile *p,
                                                        enum category c)
{
    assert(c < CATEGORY_COUNT);
    const struct tooling_category *own = &p->categories[c];
    const struct tooling_category *meta = &p->categories[CATEGORY_META];
    return own->count ? own : meta->count ? meta : NULL;
}

const struct tooling_category *tooling_category(const struct tooling *t, enum category c)
{
    return tooling_profile_category(t->active, c);
}

const struct tooling_category *tooling_category_named(const struct tooling *t, struct str name)
{
    enum category c;
    return tooling_category(t, tooling_category_find(name, &c) ? c : CATEGORY_META);
}

const struct tooling_profile *tooling_profile(const struct tooling *t, struct str id)
{
    for (size_t i = 0; i < t->profile_count; i++)
        if (str_eq(t->profiles[i].id, id))
            return &t->profiles[i];
    return NULL;
}

struct str tooling_default_text(void)
{
    return str_make(tooling_default_json, sizeof tooling_default_json);
}

struct tooling *tooling_default(void)
{
    struct doc doc = {0};
    struct tooling *t = NULL;
    if (doc_read(&doc, tooling_default_text(), &(struct doc_source){"default", DOC_JSON}, NULL))
        t = tooling_read(&doc, STR(""), NULL);
    assert(t && t->warning_count == 0);
    doc_done(&doc);
    return t;
}

static const char *user_home(void)
{
    const char *home = getenv("HOME");
    if (home && *home)
        return home;
    const struct passwd *user = getpwuid(getuid());
    return user && user->pw_dir && *user->pw_dir ? user->pw_dir : NULL;
}

/* Make it absolute, because child processes run in other folders. */
static bool add_absolute(struct buf *out, const char *path, struct error *err)
{
    if (path[0] != '/') {
        char *here = getcwd(NULL, 0);
        if (!here)
            return error_set(err, ERR_IO, "cannot find the working directory");
        buf_printf(out, "%s/", here);
        free(here);
    }
    struct str trimmed = str_from(path);
    while (trimmed.n > 1 && trimmed.p[trimmed.n - 1] == '/')
        trimmed.n--;
    buf_add(out, trimmed);
    return true;
}

bool tooling_home_make(const char *folder, struct error *err)
{
    const char *slash = strrchr(folder, '/');
    struct stat st;
    char text[128];
    if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode))
        return true;
    if (slash && slash != folder) {
        char *parent = str_dup(str_make(folder, (size_t)(slash - folder)));
        bool ok = file_make_dirs(parent, err);
        free(parent);
        if (!ok)
            return false;
    }
    if (mkdir(folder, 0700) == 0)
        return true;
    int code = errno;
    if (stat(folder, &st) == 0 && S_ISDIR(st.st_mode)) /* another process has just created it */
        return true;
    return error_set(err, ERR_IO, "cannot create the folder %s: %s", folder,
                     strerror_r(code, text, sizeof text));
}

bool tooling_home(struct buf *out, bool make, struct error *err)
{
    const char *own = getenv("MULTIVERSE_HOME"), *home = user_home();
    struct buf path = {0};
    bool ok = own && *own ? add_absolute(&path, own, err)
              : home
                  ? add_absolute(&path, home, err) && buf_add(&path, STR("/.multiverse"))
                  : error_set(err, ERR_IO, "there is no home folder: set MULTIVERSE_HOME or HOME");
    ok = ok && (!make || tooling_home_make(path.p, err));
    if (ok)
        buf_add(out, buf_str(&path));
    buf_done(&path);
    return ok;
}
