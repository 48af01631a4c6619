/* What the parts of changes.h share: changes_file.c reads files, changes_git.c asks git, changes.c
 * compares. */
#pragma once

#include "agent/changes.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/sha256.h"

struct changes_file { /* what a path was when the snapshot was taken */
    enum changes_kind {
        CHANGES_ABSENT,
        CHANGES_REGULAR,
        CHANGES_LINK,
        CHANGES_FOLDER, /* one that git does not enter: a submodule, another repository */
        CHANGES_OTHER
    } kind;
    bool runs; /* executable */
    uint64_t size;
    int64_t time_ns;
    bool has_digest;
    uint8_t digest[SHA256_LEN];
    char code[3]; /* git's two letters */
};

struct changes_snapshot {
    struct arena arena;
    struct map files;  /* path in the repo -> struct changes_file; git: the dirty ones only */
    bool is_git, more; /* more: there were too many files */
    struct changes_limits limits;
    struct str head;   /* a commit, or the empty tree */
    struct str prefix; /* of the repo in git's work tree: "sub/"; "" if it is the whole */
    const char *repo;
    const char *settings[2];      /* git's files of settings */
    uint8_t commands[SHA256_LEN]; /* digest of the settings that may make git run commands */
};

/* Bytes that may be read for digests in one snapshot, and of one file. */
#define CHANGES_READ_MAX (64u << 20)
#define CHANGES_FILE_MAX (4u << 20)

/* Describe the file at folder/path. *budget: bytes that may still be read; NULL: no digest. */
void changes_file_read(const char *folder, struct str path, size_t *budget,
                       struct changes_file *out);
bool changes_file_is_same(const struct changes_file *a, const struct changes_file *b);
/* Count the lines of a text file. False if it is binary, too large, or no file. */
bool changes_file_count_lines(const char *folder, struct str path, uint64_t *lines);
/* Whether the path is one of this program, and not of the work. */
bool changes_file_is_ours(struct str path);

/* Put all files below the repo into c->files. */
void changes_file_read_all(struct changes_snapshot *c, const char *repo);

struct changes_count { /* a path that differs from a commit */
    char letter;       /* M, A, D, T */
    bool binary;
    uint64_t added, removed;
};

/* Put the dirty files into c->files. False if this is no work tree, or git fails. */
bool changes_git_take(struct changes_snapshot *c, const char *repo);
/* False if the settings changed or cannot be read. */
bool changes_git_has_same_settings(const struct changes_snapshot *c);
/* Fill counts with a struct changes_count for each path that differs from the commit `head`. */
bool changes_git_count(struct changes_snapshot *c, struct str head, const char *repo,
                       struct map *counts);
