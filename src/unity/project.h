/* A Unity project folder: its editor version, packages and settings.
 *
 *     struct error err;
 *     struct project project;
 *     if (!project_open(&project, "game", &sink, &err))     // "no Unity project at ...: ..."
 *         return false;
 *     printf("%.*s\n", STR_ARG(project.version_text));
 *     project_done(&project);
 */
#pragma once

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "unity/diagnostic.h"
#include "unity/version.h"

struct project_package {
    struct str name;   /* "com.unity.ugui" */
    struct str folder; /* absolute */
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
    const char *root;       /* absolute, links resolved, without a trailing slash */
    struct version version; /* from ProjectSettings/ProjectVersion.txt; zero: unknown */
    struct str version_text;
    bool inline_maps;                 /* EditorSettings: m_SerializeInlineMappingsOnOneLine */
    bool text_assets;                 /* EditorSettings: m_SerializationMode is 2, or missing */
    struct project_package *packages; /* on disk, sorted by kind, then name */
    size_t package_count;
    struct str *listed; /* names in manifest.json and packages-lock.json, sorted; may not be on
                           disk */
    size_t listed_count;
    struct project_scene *build_scenes; /* EditorBuildSettings, in order */
    size_t build_scene_count;
    struct str layers[32]; /* from TagManager; empty: no name */
    struct str *defines;   /* scripting symbols of ProjectSettings and of the editor */
    size_t define_count;
    /* private */
    struct arena arena;
};

/* Find the project of a folder: the nearest folder from there upwards with Assets and
 * ProjectSettings. Without one, return the folder itself and set *is_unity to false. The result is
 * absolute, without links, for free(). NULL: no such folder. */
char *project_find(const char *folder, bool *is_unity, struct error *err);

/* Open a project. Fails with ERR_IO if path has no Assets folder. Unreadable settings are reported
 * to the sink. */
bool project_open(struct project *p, const char *path, const struct diagnostic_sink *sink,
                  struct error *err);
void project_done(struct project *p);

/* Whether two loaded projects are equal. */
bool project_is_same(const struct project *a, const struct project *b);

/* Whether Unity has the project open: another process holds a lock (lockf or flock) on
 * Temp/UnityLockfile. */
bool project_is_locked(const struct project *p);
void project_lock_path(const struct project *p, struct buf *out); /* of that file */

/* Whether a path is in the project after links and ".." are resolved; for a file that does not
 * exist, its folder decides. *absolute is the resolved path. */
bool project_contains(const struct project *p, struct str path, struct buf *absolute);

/* Whether a file belongs to a package that Unity downloaded, by its path in the project or by the
 * result of project_contains(). Unity may overwrite changes in such a file. */
bool project_is_cached(const struct project *p, struct str path, struct str absolute);
