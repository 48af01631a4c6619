/* What the parts of changes.h share: files as they stood at a moment, and git as a witness. */
#pragma once

#include "agent/changes.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/sha256.h"

struct changes_file { /* what a name stands for at a moment */
    enum changes_kind {
        CHANGES_ABSENT,
        CHANGES_REGULAR,
        CHANGES_LINK,
        CHANGES_FOLDER, /* one that git does not look into: a submodule, another repository */
        CHANGES_OTHER
    } kind;
    bool runs; /* executable */
    uint64_t size;
    int64_t time_ns;
    bool has_digest;
    uint8_t digest[SHA256_LEN];
    char code[3]; /* git's two letters */
};

struct changes {
    struct arena arena;
    struct map files;  /* path from the repo to struct changes_file; git: the dirty ones only */
    bool is_git, more; /* more: there are files that are not in it */
    struct changes_limits limits;
    struct str head;   /* what is compared with: a commit, or the empty tree */
    struct str prefix; /* of the repo in git's work tree: "sub/"; "" it is the whole */
    const char *repo;
    const char *settings[2];      /* git's own files of settings */
    uint8_t commands[SHA256_LEN]; /* of those settings that can have it run something */
};

/* Bytes that may be read for digests in one look. */
#define CHANGES_READ_MAX (64u << 20)
#define CHANGES_FILE_MAX (4u << 20)

/* The file at folder/path as it is now. *budget: bytes that may still be read; NULL: no digest. */
void changes_file_look(const char *folder, struct str path, size_t *budget,
                       struct changes_file *out);
bool changes_file_same(const struct changes_file *a, const struct changes_file *b);
/* Lines of a text file; false: it is binary, too large, or no file. */
bool changes_file_lines(const char *folder, struct str path, uint64_t *lines);
/* True: it is no part of the work. */
bool changes_is_ours(struct str path);

/* All files below the repo, into c->files. */
void changes_walk(struct changes *c, const char *repo);

/* One count of lines for each path that differs from a commit: struct changes_count. */
struct changes_count {
    char letter; /* M, A, D, T */
    bool binary;
    uint64_t added, removed;
};

/* False: this is no work tree of git's, or git does not answer. */
bool changes_git_look(struct changes *c, const char *repo);
/* False: what git may run is not what it was, or cannot be told. */
bool changes_git_settings_hold(const struct changes *c);
bool changes_git_counts(struct changes *c, struct str head, const char *repo, struct map *counts);
