/* The settings of the program: options override multiverse.json, which overrides the defaults.
 *
 *     struct config c;
 *     if (!config_load(NULL, &c, &err)) ...          // exit 2 with err.text
 *     config_override(&c, CONFIG_PORT, STR("0"));    // an option of the command line
 *     use(c.warnings, c.warning_count);
 *     http_server_listen(http, c.port, &err);
 *     config_done(&c);
 *
 * The file is one JSON object: {"schema_version": 1, "port": 48091, ...}. schema_version is
 * required and must be 1. Refused are a file that is not JSON (ERR_CONFIG_PARSE with line and
 * column), another version (ERR_CONFIG_SCHEMA_VERSION) and an invalid value (ERR_CONFIG_VALIDATION:
 * the key, the value, what is allowed). An unknown key is a warning that names the nearest known
 * key. A value of null is the same as a missing key. "tests.command" may also be written as
 * {"tests": {"command": ...}}. Paths in the file are relative to the folder of the file.
 *
 * To change the file:   config_set(&c, key, STR("49000"), &err); config_save(&c, &err);
 * Only the keys that were set or unset are written; layout, order and unknown keys of the file stay
 * as they are. A file that does not exist is not created while every setting has its default.
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

enum config_key { /* in the order of `multiverse config` */
    CONFIG_PORT,
    CONFIG_TOKEN_FILE,
    CONFIG_LOG_FORMAT,
    CONFIG_LOG_LEVEL,
    CONFIG_PROJECT_PATH,
    CONFIG_SAVE,
    CONFIG_UNITY_PATH,
    CONFIG_TESTS_COMMAND,
    CONFIG_LIMITS, /* the first row of bridge/limits.h; the others follow */
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
    char *token_file; /* NULL: clients need no token */
    enum log_format log_format;
    enum log_level log_level;
    char *project_path;   /* NULL: not set */
    bool save_manual;     /* the headless editor saves on save_scene only */
    char *unity_path;     /* NULL: search the usual places */
    char **tests_command; /* argv, ends with NULL; NULL: Unity */
    struct limits limits;
    enum config_origin origins[CONFIG_KEY_COUNT];
    char *path;      /* of the file, whether it exists or not */
    bool has_file;   /* it was read */
    char **warnings; /* one sentence each */
    size_t warning_count;
    /* private */
    char *changes[CONFIG_KEY_COUNT]; /* JSON to write; "": remove the key; NULL: unchanged */
};

/* path NULL: multiverse.json in the working directory, if it exists. Any other path must exist. */
bool config_load(const char *path, struct config *c, struct error *err);

/* Set a value from an option of the command line. The caller has checked it; a path is relative to
 * the working directory. */
void config_override(struct config *c, enum config_key key, struct str text);

/* Like config_load(), but the file need not exist yet. */
bool config_load_for_change(const char *path, struct config *c, struct error *err);
void config_done(struct config *c);

/* Check a text as config_load() would check the file `path`. */
bool config_check(const char *path, struct str text, struct error *err);

/* The settings. */
bool config_find(struct str name, enum config_key *key);
const char *config_nearest(struct str name); /* NULL: no similar name */
const char *config_name(enum config_key key);
const char *config_what(enum config_key key);                  /* its meaning, one phrase */
void config_put_range(enum config_key key, struct buf *out);   /* "a whole number from 1 to 9" */
void config_put_default(enum config_key key, struct buf *out); /* like config_put_value() */
/* Text without quotes, paths as they are used; empty if there is no value. */
void config_put_value(const struct config *c, enum config_key key, struct buf *out);
const char *config_origin_name(enum config_origin origin); /* "default", "file", "flag" */

/* Changes to the file. value is text as a person types it. */
bool config_set(struct config *c, enum config_key key, struct str value, struct error *err);
void config_unset(struct config *c, enum config_key key);
bool config_save(struct config *c, struct error *err);

/* Add the token to *out: the first line of the file, trimmed, 16 to 1024 visible ASCII characters.
 * ERR_CONFIG_VALIDATION with the path and what to change. */
bool config_read_token(const char *path, struct buf *out, struct error *err);
bool config_token_is_shared(const char *path); /* users other than its owner may read it */
