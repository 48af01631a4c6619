#include "app/config.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_edit.h"
#include "base/jsonw.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/number.h"
#include "base/utf8.h"

#define SHOWN_MAX 40u /* bytes of a value that a message quotes */

enum config_kind {
    PORT,
    PATH,
    FORMAT,
    LEVEL,
    SAVE,
    COMMAND,
    LIMIT
};

static const struct {
    const char *name, *what;
    enum config_kind kind;
} rows[CONFIG_LIMITS] = {
    [CONFIG_PORT] = {"port", "port of the server on 127.0.0.1; 0 takes a free one", PORT},
    [CONFIG_TOKEN_FILE] = {"token_file", "file with the token that clients need", PATH},
    [CONFIG_LOG_FORMAT] = {"log_format", "log format: for people or for programs", FORMAT},
    [CONFIG_LOG_LEVEL] = {"log_level", "least severe level that is logged", LEVEL},
    [CONFIG_PROJECT_PATH] = {"project_path", "folder of the Unity project", PATH},
    [CONFIG_SAVE] = {"save", "when the headless editor saves a changed scene", SAVE},
    [CONFIG_UNITY_PATH] = {"unity_path", "Unity program that run_tests starts", PATH},
    [CONFIG_TESTS_COMMAND] = {"tests.command", "command that run_tests runs instead of Unity",
                              COMMAND},
};

static const char *const format_names[] = {[LOG_TEXT] = "text", [LOG_JSON] = "json"};
static const char *const level_names[] = {
    [LOG_DEBUG] = "debug", [LOG_INFO] = "info", [LOG_WARN] = "warn", [LOG_ERROR] = "error"};
static const char *const save_names[] = {[false] = "auto", [true] = "manual"};
_Static_assert(sizeof level_names / sizeof *level_names == LOG_LEVEL_COUNT, "one name per level");

/* ---- keys */

static enum config_kind kind_of(enum config_key key)
{
    assert(key < CONFIG_KEY_COUNT);
    return key < CONFIG_LIMITS ? rows[key].kind : LIMIT;
}

static const struct limits_row *limit_of(enum config_key key)
{
    assert(key >= CONFIG_LIMITS && key - CONFIG_LIMITS < limits_row_count);
    return &limits_rows[key - CONFIG_LIMITS];
}

const char *config_name(enum config_key key)
{
    return key < CONFIG_LIMITS ? rows[key].name : limit_of(key)->name;
}

const char *config_what(enum config_key key)
{
    return key < CONFIG_LIMITS ? rows[key].what : limit_of(key)->what;
}

const char *config_origin_name(enum config_origin origin)
{
    static const char *const names[] = {[CONFIG_FROM_DEFAULT] = "default",
                                        [CONFIG_FROM_FILE] = "file",
                                        [CONFIG_FROM_FLAG] = "flag"};
    return names[origin];
}

bool config_find(struct str name, enum config_key *key)
{
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++)
        if (str_eq(name, str_from(config_name(k)))) {
            *key = k;
            return true;
        }
    return false;
}

const char *config_nearest(struct str name)
{
    struct nearest near = nearest_make(name);
    for (enum config_key k = 0; k < CONFIG_KEY_COUNT; k++)
        nearest_offer(&near, str_from(config_name(k)));
    nearest_offer(&near, STR("schema_version"));
    return near.best.p; /* one of our own names, so it ends with a NUL */
}

static void put_double(struct buf *out, double d)
{
    char text[NUMBER_MAX];
    buf_add(out, str_make(text, number_print_double(d, text)));
}

void config_put_range(enum config_key key, struct buf *out)
{
    const struct limits_row *limit;
    switch (kind_of(key)) {
    case PORT:
        buf_add(out, STR("a whole number from 0 to 65535"));
        break;
    case PATH:
        buf_add(out, STR("a path"));
        break;
    case FORMAT:
        buf_add(out, STR("\"text\" or \"json\""));
        break;
    case LEVEL:
        buf_add(out, STR("\"debug\", \"info\", \"warn\" or \"error\""));
        break;
    case SAVE:
        buf_add(out, STR("\"auto\" or \"manual\""));
        break;
    case COMMAND:
        buf_add(out, STR("a list of strings, the program first, as in [\"dotnet\", \"test\"]"));
        break;
    case LIMIT:
        limit = limit_of(key);
        buf_add(out, limit->is_real ? STR("a number from ") : STR("a whole number from "));
        put_double(out, limit->least);
        buf_add(out, STR(" to "));
        put_double(out, limit->most);
        break;
    }
}

static char **path_of(struct config *c, enum config_key key)
{
    return key == CONFIG_TOKEN_FILE   ? &c->token_file
           : key == CONFIG_UNITY_PATH ? &c->unity_path
                                      : &c->project_path;
}

static void put_command(char *const *argv, struct buf *out)
{
    struct jsonw w = jsonw_make(out);
    if (!argv)
        return;
    jsonw_array(&w);
    for (; *argv; argv++)
        jsonw_cstr(&w, *argv);
    jsonw_end(&w);
}

static const char *text_or_empty(const char *s)
{
    return s ? s : "";
}

void config_put_value(const struct config *c, enum config_key key, struct buf *out)
{
    switch (kind_of(key)) {
    case PORT:
        buf_printf(out, "%u", c->port);
        break;
    case PATH:
        buf_add(out, str_from(text_or_empty(*path_of((struct config *)(uintptr_t)c, key))));
        break;
    case SAVE:
        buf_add(out, str_from(save_names[c->save_manual]));
        break;
    case COMMAND:
        put_command(c->tests_command, out);
        break;
    case FORMAT:
        buf_add(out, str_from(format_names[c->log_format]));
        break;
    case LEVEL:
        buf_add(out, str_from(level_names[c->log_level]));
        break;
    case LIMIT:
        put_double(out, limits_get(&c->limits, limit_of(key)));
        break;
    }
}

static struct config make_defaults(void)
{
    struct config c = {.port = CONFIG_DEFAULT_PORT, .log_format = LOG_TEXT, .log_level = LOG_INFO};
    limits_init(&c.limits);
    return c;
}

void config_put_default(enum config_key key, struct buf *out)
{
    struct config c = make_defaults();
    config_put_value(&c, key, out);
}

/* ---- values */

/* The value, shortened, for a message. */
static void put_shown(const struct json *v, struct buf *out)
{
    struct str s = json_str(v);
    if (json_is(v, JSON_STRING))
        buf_printf(out, "\"%.*s%s\"", STR_ARG(utf8_head(s, SHOWN_MAX)),
                   s.n > SHOWN_MAX ? "..." : "");
    else if (json_is(v, JSON_NUMBER))
        buf_printf(out, "%.*s", STR_ARG(utf8_head(json_number_text(v), SHOWN_MAX)));
    else if (json_is(v, JSON_BOOL))
        buf_add(out, json_bool(v) ? STR("true") : STR("false"));
    else
        buf_add(out, str_from(json_type_name(v)));
}

/* file NULL: the value was typed. */
static bool set_bad_value(const char *file, enum config_key key, const struct json *v,
                          struct error *err)
{
    struct buf range = {0}, shown = {0};
    config_put_range(key, &range);
    put_shown(v, &shown);
    error_set(err, ERR_CONFIG_VALIDATION, "%s%s%s must be %.*s, not %.*s", text_or_empty(file),
              file ? ": " : "", config_name(key), STR_ARG(buf_str(&range)),
              STR_ARG(buf_str(&shown)));
    buf_done(&range);
    buf_done(&shown);
    return false;
}

/* "folder/of/file/" + path, unless the path is absolute or file has no folder. */
static char *resolve_path(const char *file, struct str path)
{
    const char *slash = file ? strrchr(file, '/') : NULL;
    size_t folder = slash && path.p[0] != '/' ? (size_t)(slash - file) + 1 : 0;
    char *whole = mem_alloc(folder + path.n + 1);
    if (folder)
        memcpy(whole, file, folder);
    memcpy(whole + folder, path.p, path.n);
    whole[folder + path.n] = 0;
    return whole;
}

static bool set_path(struct config *c, enum config_key key, struct str path, const char *file)
{
    char **to = path_of(c, key);
    if (path.n == 0 || memchr(path.p, 0, path.n))
        return false;
    free(*to);
    *to = resolve_path(file, path);
    return true;
}

static void free_command(char **argv)
{
    for (char **arg = argv; arg && *arg; arg++)
        free(*arg);
    free(argv);
}

static bool set_command(struct config *c, const struct json *v)
{
    size_t n = 0;
    if (!json_is(v, JSON_ARRAY) || json_count(v) == 0 || json_str(json_at(v, 0)).n == 0)
        return false;
    JSON_ITEMS (v, arg)
        if (!json_is(arg, JSON_STRING) || memchr(json_str(arg).p, 0, json_str(arg).n))
            return false;
    free_command(c->tests_command);
    c->tests_command = mem_zalloc((json_count(v) + 1) * sizeof *c->tests_command);
    JSON_ITEMS (v, arg)
        c->tests_command[n++] = str_dup(json_str(arg));
    return true;
}

static bool set_save(struct config *c, struct str text)
{
    bool manual = str_eq(text, str_from(save_names[true]));
    if (!manual && !str_eq(text, str_from(save_names[false])))
        return false;
    c->save_manual = manual;
    return true;
}

static bool set_limit(struct config *c, enum config_key key, const struct json *v)
{
    const struct limits_row *limit = limit_of(key);
    double d;
    uint64_t whole;
    if (!limit->is_real && !json_u64(v, &whole))
        return false;
    if (!json_double(v, &d) || d < limit->least || d > limit->most)
        return false;
    limits_set(&c->limits, limit, d);
    return true;
}

/* Paths are relative to the folder of `file`; NULL: to the working directory. */
static bool set_json(struct config *c, enum config_key key, const struct json *v, const char *file)
{
    uint64_t n;
    switch (kind_of(key)) {
    case PORT:
        if (!json_u64(v, &n) || n > UINT16_MAX)
            return false;
        c->port = (uint16_t)n;
        return true;
    case PATH:
        return json_is(v, JSON_STRING) && set_path(c, key, json_str(v), file);
    case FORMAT:
        return log_format_from_name(json_str(v), &c->log_format);
    case LEVEL:
        return log_level_from_name(json_str(v), &c->log_level);
    case SAVE:
        return set_save(c, json_str(v));
    case COMMAND:
        return set_command(c, v);
    case LIMIT:
        return set_limit(c, key, v);
    }
    return false;
}

static bool is_text(enum config_key key)
{
    enum config_kind kind = kind_of(key);
    return kind == PATH || kind == FORMAT || kind == LEVEL || kind == SAVE;
}

/* Set the value that a person typed, and add its JSON for the file to *json. */
static bool set_text(struct config *c, enum config_key key, struct str text, struct buf *json,
                     struct error *err)
{
    struct arena a = {0};
    const struct json *v = is_text(key) ? NULL : json_parse(&a, text, NULL, NULL);
    if (json_is(v, JSON_NUMBER)) {
        buf_add(json, json_number_text(v));
    } else if (json_is(v, JSON_ARRAY)) {
        struct jsonw w = jsonw_make(json);
        jsonw_value(&w, v);
    } else {
        struct jsonw w = jsonw_make(json);
        jsonw_str(&w, text);
        v = json_parse(&a, buf_str(json), NULL, NULL);
    }
    bool ok = utf8_is_valid(text) && set_json(c, key, v, c->path);
    if (!ok)
        set_bad_value(NULL, key, v, err);
    arena_done(&a);
    return ok;
}

/* ---- the file */

static void add_warning(struct config *c, struct str text)
{
    size_t n = c->warning_count;
    c->warnings = mem_realloc(c->warnings, (n + 1) * sizeof *c->warnings);
    c->warnings[n] = mem_zalloc(text.n + 1);
    memcpy(c->warnings[n], text.p, text.n);
    c->warning_count++;
}

static void warn_unknown(struct config *c, struct str name)
{
    struct buf text = {0};
    const char *near = config_nearest(name);
    buf_printf(&text, "%s: unknown key \"%.*s\" is ignored", c->path,
               STR_ARG(utf8_head(name, SHOWN_MAX)));
    if (near)
        buf_printf(&text, "; did you mean \"%s\"?", near);
    add_warning(c, buf_str(&text));
    buf_done(&text);
}

static bool check_version(const char *path, const struct json *doc, struct error *err)
{
    const struct json *v = json_get(doc, STR("schema_version"));
    struct buf shown = {0};
    uint64_t n;
    if (json_u64(v, &n) && n == CONFIG_SCHEMA_VERSION)
        return true;
    put_shown(v, &shown);
    if (v)
        error_set(err, ERR_CONFIG_SCHEMA_VERSION, "%s: schema_version must be %d, not %.*s", path,
                  CONFIG_SCHEMA_VERSION, STR_ARG(buf_str(&shown)));
    else
        error_set(err, ERR_CONFIG_SCHEMA_VERSION,
                  "%s: schema_version is missing: add \"schema_version\": %d", path,
                  CONFIG_SCHEMA_VERSION);
    buf_done(&shown);
    return false;
}

static bool read_member(struct config *c, struct str name, const struct json *v, struct error *err)
{
    enum config_key key;
    if (json_is(v, JSON_NULL))
        return true;
    if (!config_find(name, &key)) {
        warn_unknown(c, name);
        return true;
    }
    if (!set_json(c, key, v, c->path))
        return set_bad_value(c->path, key, v, err);
    c->origins[key] = CONFIG_FROM_FILE;
    return true;
}

/* {"tests": {"command": [...]}} means "tests.command". */
static bool read_group(struct config *c, const struct json *group, struct error *err)
{
    struct buf name = {0};
    bool ok = true;
    JSON_EACH (group, k) {
        buf_clear(&name);
        buf_printf(&name, "tests.%.*s", STR_ARG(json_str(k)));
        ok = ok && read_member(c, buf_str(&name), k + 1, err);
    }
    buf_done(&name);
    return ok;
}

static bool read_members(struct config *c, const struct json *doc, struct error *err)
{
    const struct json *tests = json_get(doc, STR("tests"));
    if (json_is(tests, JSON_OBJECT) && !read_group(c, tests, err))
        return false;
    JSON_EACH (doc, k) {
        if (str_eq(json_str(k), STR("schema_version")) ||
            (k + 1 == tests && json_is(tests, JSON_OBJECT)))
            continue;
        if (!read_member(c, json_str(k), k + 1, err))
            return false;
    }
    struct error inner = {0};
    if (!limits_check(&c->limits, &inner))
        return error_set(err, inner.code, "%s: %s", c->path, inner.text);
    return true;
}

static bool read_text(struct config *c, struct str text, struct error *err)
{
    struct arena a = {0};
    struct json_error bad;
    size_t line, column;
    bool ok = false;
    const struct json *doc = json_parse(&a, text, NULL, &bad);
    if (!doc) {
        utf8_locate(text, bad.offset, &line, &column);
        error_set(err, ERR_CONFIG_PARSE, "%s, line %zu, column %zu: %s", c->path, line, column,
                  bad.reason);
    } else if (!json_is(doc, JSON_OBJECT)) {
        error_set(err, ERR_CONFIG_PARSE, "%s, line 1, column 1: must be an object {...}, not %s",
                  c->path, json_type_name(doc));
    } else {
        ok = check_version(c->path, doc, err) && read_members(c, doc, err);
    }
    arena_done(&a);
    return ok;
}

static bool load_file(const char *path, bool must_exist, struct config *c, struct error *err)
{
    struct config made = make_defaults();
    struct buf text = {0};
    const char *name = path ? path : CONFIG_FILE_NAME;
    bool ok = true;
    made.path = mem_dup(name, strlen(name) + 1);
    if (must_exist || file_exists(name)) {
        ok = file_read(name, CONFIG_MAX_BYTES, &text, err) && read_text(&made, buf_str(&text), err);
        made.has_file = ok;
    }
    buf_done(&text);
    if (ok)
        *c = made;
    else
        config_done(&made);
    return ok;
}

bool config_load(const char *path, struct config *c, struct error *err)
{
    return load_file(path, path != NULL, c, err);
}

bool config_check(const char *path, struct str text, struct error *err)
{
    struct config c = make_defaults();
    c.path = mem_dup(path, strlen(path) + 1);
    bool ok = read_text(&c, text, err);
    config_done(&c);
    return ok;
}

bool config_load_for_change(const char *path, struct config *c, struct error *err)
{
    return load_file(path, false, c, err);
}

void config_done(struct config *c)
{
    for (size_t i = 0; i < c->warning_count; i++)
        free(c->warnings[i]);
    for (size_t i = 0; i < CONFIG_KEY_COUNT; i++)
        free(c->changes[i]);
    free(c->warnings);
    free(c->token_file);
    free(c->project_path);
    free(c->unity_path);
    free_command(c->tests_command);
    free(c->path);
    *c = (struct config){0};
}

/* ---- options of the command line */

/* True if the value is valid and was taken. */
static bool set_override(struct config *c, enum config_key key, struct str text)
{
    uint64_t port;
    switch (kind_of(key)) {
    case PORT:
        if (!str_to_u64(text, &port) || port > UINT16_MAX)
            return false;
        c->port = (uint16_t)port;
        return true;
    case PATH:
        return set_path(c, key, text, NULL);
    case FORMAT:
        return log_format_from_name(text, &c->log_format);
    case LEVEL:
        return log_level_from_name(text, &c->log_level);
    case SAVE:
        return set_save(c, text);
    case COMMAND:
    case LIMIT:
        break;
    }
    return false;
}

void config_override(struct config *c, enum config_key key, struct str text)
{
    bool is_valid = set_override(c, key, text);
    assert(is_valid); /* the option table allows the same values */
    c->origins[key] = CONFIG_FROM_FLAG;
}

/* ---- changes */

static void set_change(struct config *c, enum config_key key, struct str json)
{
    free(c->changes[key]);
    c->changes[key] = mem_zalloc(json.n + 1);
    if (json.n)
        memcpy(c->changes[key], json.p, json.n);
}

bool config_set(struct config *c, enum config_key key, struct str value, struct error *err)
{
    struct buf json = {0};
    bool ok = set_text(c, key, value, &json, err);
    if (ok) {
        set_change(c, key, buf_str(&json));
        c->origins[key] = CONFIG_FROM_FILE;
    }
    buf_done(&json);
    return ok;
}

void config_unset(struct config *c, enum config_key key)
{
    struct config normal = make_defaults();
    switch (kind_of(key)) {
    case PORT:
        c->port = normal.port;
        break;
    case PATH:
        free(*path_of(c, key));
        *path_of(c, key) = NULL;
        break;
    case SAVE:
        c->save_manual = normal.save_manual;
        break;
    case COMMAND:
        free_command(c->tests_command);
        c->tests_command = NULL;
        break;
    case FORMAT:
        c->log_format = normal.log_format;
        break;
    case LEVEL:
        c->log_level = normal.log_level;
        break;
    case LIMIT:
        limits_set(&c->limits, limit_of(key), limit_of(key)->normal);
        break;
    }
    set_change(c, key, (struct str){0});
    c->origins[key] = CONFIG_FROM_DEFAULT;
}

/* ---- saving */

/* Change one member of *text; json "" removes it. */
static bool change_member(struct buf *text, const char *key, const char *json)
{
    struct buf out = {0}, pointer = {0};
    buf_printf(&pointer, "/%s", key); /* no setting has a / or a ~ in its name */
    bool ok = json[0] ? json_edit_set(&out, buf_str(text), buf_str(&pointer), str_from(json))
                      : json_edit_remove(&out, buf_str(text), buf_str(&pointer));
    buf_done(&pointer);
    if (!ok)
        return false;
    buf_done(text);
    *text = out;
    return true;
}

static bool has_only_defaults(const struct config *c)
{
    bool same = true;
    for (enum config_key k = 0; same && k < CONFIG_KEY_COUNT; k++) {
        struct buf value = {0}, normal = {0};
        config_put_value(c, k, &value);
        config_put_default(k, &normal);
        same = str_eq(buf_str(&value), buf_str(&normal));
        buf_done(&value);
        buf_done(&normal);
    }
    return same;
}

bool config_save(struct config *c, struct error *err)
{
    struct buf text = {0};
    bool ok = true, exists = file_exists(c->path);
    if (!exists && has_only_defaults(c))
        return true;
    if (exists && !file_read(c->path, CONFIG_MAX_BYTES, &text, err))
        ok = false;
    if (!exists)
        buf_printf(&text, "{\n  \"schema_version\": %d\n}\n", CONFIG_SCHEMA_VERSION);
    for (enum config_key k = 0; ok && k < CONFIG_KEY_COUNT; k++)
        if (c->changes[k])
            ok = change_member(&text, config_name(k), c->changes[k]) ||
                 error_set(err, ERR_CONFIG_PARSE,
                           "%s was changed meanwhile and is no longer valid JSON", c->path);
    /* Never write a file that could not be read back. */
    ok = ok && config_check(c->path, buf_str(&text), err) &&
         file_replace(c->path, buf_str(&text), 0644, err);
    for (size_t i = 0; ok && i < CONFIG_KEY_COUNT; i++) {
        free(c->changes[i]);
        c->changes[i] = NULL;
    }
    buf_done(&text);
    return ok;
}

/* ---- the token file */

#define TOKEN_FILE_MAX (64u * 1024)

static bool is_visible(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] <= ' ' || s.p[i] > '~')
            return false;
    return true;
}

bool config_read_token(const char *path, struct buf *out, struct error *err)
{
    struct buf text = {0};
    struct error inner = {0};
    struct str rest, line;
    bool ok = false;
    if (!file_read(path, TOKEN_FILE_MAX, &text, &inner)) {
        error_set(err, ERR_CONFIG_VALIDATION, "the token file: %s", inner.text);
        goto done;
    }
    rest = buf_str(&text);
    str_cut(&rest, '\n', &line);
    line = str_trim(line);
    if (line.n == 0)
        error_set(err, ERR_CONFIG_VALIDATION,
                  "the token file %s: the first line is empty; write the token there, %u to %u "
                  "visible ASCII characters",
                  path, CONFIG_TOKEN_MIN, CONFIG_TOKEN_MAX);
    else if (line.n < CONFIG_TOKEN_MIN || line.n > CONFIG_TOKEN_MAX)
        error_set(err, ERR_CONFIG_VALIDATION,
                  "the token file %s: the token must have %u to %u characters, not %zu", path,
                  CONFIG_TOKEN_MIN, CONFIG_TOKEN_MAX, line.n);
    else if (!is_visible(line))
        error_set(err, ERR_CONFIG_VALIDATION,
                  "the token file %s: the token must be visible ASCII characters without blanks",
                  path);
    else
        ok = buf_add(out, line);
done:
    buf_done(&text);
    return ok;
}

bool config_token_is_shared(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 077) != 0;
}
