/* The settings of the program: multiverse.json, the flags above it, the defaults below it.
 *
 *     struct config c;
 *     if (!config_open(&c, options, &err)) ...       // exit 2 with err.text
 *     for (size_t i = 0; i < c.warning_count; i++) log_warn(c.warnings[i]);
 *     listen(c.port);
 *     config_done(&c);
 *
 * The file is one JSON object: {"schema_version": 1, "port": 48091, ...}. schema_version must be
 * there and 1. A file that is no JSON (ERR_CONFIG_PARSE with line and column), another version
 * (ERR_CONFIG_SCHEMA_VERSION) and a bad value (ERR_CONFIG_VALIDATION: the key, what came, what is
 * allowed) are refused; an unknown key is a warning with the nearest known one. null is the same as
 * leaving a key out. "tests.command" may also be written as {"tests": {"command": ...}}. Paths in
 * the file are relative to the folder of the file.
 *
 * Changing it:   config_set(&c, key, STR("49000"), &err); config_save(&c, &err);
 * Only what was set or unset is written, the rest of the file keeps its text: layout, order and
 * unknown keys. A file that does not exist is not created while everything is default.
 *
 * Spec: docs/spec/10-bridge.md, 10 and 11.
 */
#pragma once

#include "base/buf.h"
#include "base/error.h"
#include "base/log.h"
#include "bridge/limits.h"

#define CONFIG_FILE_NAME      "multiverse.json"
#define CONFIG_DEFAULT_PORT   48091
#define CONFIG_SCHEMA_VERSION 1
#define CONFIG_MAX_BYTES      (1u << 20)
#define CONFIG_TOKEN_MIN      16u
#define CONFIG_TOKEN_MAX      1024u

enum config_key { /* in the order they are shown */
    CONFIG_PORT,
    CONFIG_TOKEN_FILE,
    CONFIG_LOG_FORMAT,
    CONFIG_LOG_LEVEL,
    CONFIG_PROJECT_PATH,
    CONFIG_SAVE,
    CONFIG_UNITY_PATH,
    CONFIG_TESTS_COMMAND,
    CONFIG_LIMITS, /* the first row of bridge/limits.h; the others follow in their order */
#define CONFIG_ONE_MORE(name, normal, least, most, what) +1
    CONFIG_KEY_COUNT = CONFIG_LIMITS LIMITS(CONFIG_ONE_MORE, CONFIG_ONE_MORE)
#undef CONFIG_ONE_MORE
};

enum config_origin {
    CONFIG_FROM_DEFAULT,
    CONFIG_FROM_FILE,
    CONFIG_FROM_FLAG
};

struct config {
    uint16_t port;
    char *token_file; /* NULL: no token is asked for */
    enum log_format log_format;
    enum log_level log_level;
    char *project_path;   /* NULL: none was named */
    bool save_manual;     /* the headless editor writes only when told to */
    char *unity_path;     /* NULL: it is looked for */
    char **tests_command; /* argv, NULL ends; NULL: Unity */
    struct limits limits;
    enum config_origin origins[CONFIG_KEY_COUNT];
    char *path;      /* the file that holds the settings, whether it exists or not */
    bool has_file;   /* it was there and was read */
    char **warnings; /* one sentence each */
    size_t warning_count;
    /* private */
    char *changes[CONFIG_KEY_COUNT]; /* JSON to be written; "": the key goes; NULL: untouched */
};

/* path NULL: multiverse.json of the working directory, if there is one. A path that is given must
 * exist. */
bool config_load(const char *path, struct config *c, struct error *err);

/* Set a value from an option of the command line. The caller has checked it; a path is relative to
 * the working directory. */
void config_override(struct config *c, enum config_key key, struct str text);

/* As config_load(), but a path that is given may be a file that is yet to be made. */
bool config_load_for_change(const char *path, struct config *c, struct error *err);
void config_done(struct config *c);

/* Would the text do as the file of that name? As config_load(), but nothing is kept. */
bool config_check(const char *path, struct str text, struct error *err);

/* Keys: what there is to be set. */
bool config_find(struct str name, enum config_key *key);
const char *config_nearest(struct str name); /* NULL: nothing is near */
const char *config_name(enum config_key key);
const char *config_what(enum config_key key);                  /* what it means, one phrase */
void config_put_range(enum config_key key, struct buf *out);   /* "a whole number from 1 to 9" */
void config_put_default(enum config_key key, struct buf *out); /* as config_put_value() */
/* For a person: text without quotes, paths as they are used; nothing where there is no value. */
void config_put_value(const struct config *c, enum config_key key, struct buf *out);
const char *config_origin_name(enum config_origin origin); /* "default", "file", "flag" */

/* Changes of the file. value is text as a person types it. */
bool config_set(struct config *c, enum config_key key, struct str value, struct error *err);
void config_unset(struct config *c, enum config_key key);
bool config_save(struct config *c, struct error *err);

/* The first line of the token file, trimmed, added to *out: 16 to 1024 visible ASCII characters.
 * ERR_CONFIG_VALIDATION with the path and the way out. */
bool config_read_token(const char *path, struct buf *out, struct error *err);
bool config_token_is_shared(const char *path); /* others than its owner may read it: warn */
