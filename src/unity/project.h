/* A Unity project folder: where it is, which editor it is for, its packages and settings.
 *
 *     struct project p;
 *     if (!project_open(&p, "game", &sink, &err)) ...  // "no Unity project at ...: ..."
 *     p.version, p.inline_maps, p.packages ...
 *     project_done(&p);
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "unity/diagnostic.h"
#include "unity/version.h"

struct project_package {
    struct str name;   /* "com.unity.ugui" */
    struct str folder; /* absolute; of an embedded, local or cached package */
    struct str version;
    enum project_package_kind {
        PROJECT_PACKAGE_EMBEDDED, /* Packages/<folder> with a package.json */
        PROJECT_PACKAGE_LOCAL,    /* "file:..." in Packages/manifest.json */
        PROJECT_PACKAGE_CACHED    /* Library/PackageCache/<name>@... */
    } kind;
};

struct project_scene {
    struct str path;
    bool enabled;
};

struct project {
    const char *root;       /* absolute, without a slash at its end, links resolved */
    struct version version; /* of ProjectSettings/ProjectVersion.txt; zero: not known */
    struct str version_text;
    bool inline_maps;                 /* EditorSettings: m_SerializeInlineMappingsOnOneLine */
    bool text_assets;                 /* EditorSettings: m_SerializationMode is 2, or not said */
    struct project_package *packages; /* found on disk, sorted by kind, then name */
    size_t package_count;
    struct str *listed; /* names in manifest.json and packages-lock.json, on disk or not; sorted */
    size_t listed_count;
    struct project_scene *build_scenes; /* EditorBuildSettings, in order */
    size_t build_scene_count;
    struct str layers[32]; /* TagManager; empty: unnamed */
    struct str *defines; /* scripting symbols: ProjectSettings' own, and those of an editor build */
    size_t define_count;
    /* private */
    struct arena arena;
};

/* Which Unity project a folder belongs to: the nearest one, from the given one upwards, that has
 * Assets and ProjectSettings in it. Without one it is the folder itself, and nothing is known for
 * sure. Absolute, without links, for free(). NULL: no such folder. */
char *project_find(const char *folder, bool *is_unity, struct error *err);

/* False and ERR_IO if path is no Unity project (no Assets folder): one line that says what is
 * missing. Settings that cannot be read are notes. */
bool project_open(struct project *p, const char *path, const struct diagnostic_sink *sink,
                  struct error *err);
void project_done(struct project *p);

/* Whether two readings of a project say the same. */
bool project_is_same(const struct project *a, const struct project *b);

/* Whether Unity has the project open: Temp/UnityLockfile is there and held (lockf/flock by another
 * process). */
bool project_is_locked(const struct project *p);

/* Whether a path, once links and ".." are resolved, lies inside the project; for files that are not
 * there yet their folder decides. *absolute is for writing. */
bool project_contains(const struct project *p, struct str path, struct buf *absolute);

/* Whether a file belongs to a package that Unity has fetched, by its path as shown or by what
 * project_contains() made of it: what is changed there is lost when Unity next looks. */
bool project_is_cached(const struct project *p, struct str path, struct str absolute);
