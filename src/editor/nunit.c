#include "editor/nunit.h"

#include <errno.h>
#include <expat.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/number.h"
#include "base/utf8.h"

enum xml_place {
    ELSEWHERE,
    IN_CASE,
    IN_FAILURE, /* of a case */
    IN_MESSAGE,
    IN_STACK_TRACE
};

struct nunit_reader {
    XML_Parser xml;
    struct nunit_result *out;
    const char *name;
    struct error *err;
    enum xml_place place;
    unsigned depth, case_depth; /* of elements; of the case */
    size_t fed;                 /* bytes parsed so far */
    bool has_run, has_duration, failed;
    struct nunit_failure current; /* of the open case */
    bool is_failed, is_kept;
    struct buf text;
    size_t failures_cap;
};

static struct str find_attribute(const XML_Char **attributes, const char *name)
{
    for (size_t i = 0; attributes[i]; i += 2)
        if (strcmp(attributes[i], name) == 0)
            return str_from(attributes[i + 1]);
    return (struct str){0};
}

static bool refuse_file(struct nunit_reader *r, const char *reason)
{
    if (!r->failed) {
        r->failed = true;
        error_set(r->err, ERR_SYNTAX, "%s:%lu:%lu: %s", r->name,
                  (unsigned long)XML_GetCurrentLineNumber(r->xml),
                  (unsigned long)XML_GetCurrentColumnNumber(r->xml) + 1, reason);
        XML_StopParser(r->xml, XML_FALSE);
    }
    return false;
}

static double read_milliseconds(struct str seconds)
{
    double d = 0;
    return number_double(seconds, &d) && d >= 0 && d < 1e12 ? d * 1000 : 0;
}

static struct str keep_text(struct nunit_reader *r, struct str text)
{
    if (text.n > NUNIT_MAX_TEXT)
        r->out->truncated = true;
    return arena_str(&r->out->arena, utf8_head(text, NUNIT_MAX_TEXT));
}

/* ---- cases */

static void add_skipped(struct nunit_reader *r, struct str name)
{
    struct nunit_result *o = r->out;
    o->skipped++;
    if (o->skipped_name_count == NUNIT_MAX_SKIPPED)
        return;
    if (o->skipped_names == NULL)
        o->skipped_names = arena_alloc(&o->arena, NUNIT_MAX_SKIPPED * sizeof *o->skipped_names);
    o->skipped_names[o->skipped_name_count++] = keep_text(r, name);
}

/* The result is "Failed", "Failed(Child)" or "Failed:Error": only the first word counts. */
static void begin_case(struct nunit_reader *r, const XML_Char **attributes)
{
    struct str result = find_attribute(attributes, "result"),
               name = find_attribute(attributes, "fullname");
    struct nunit_result *o = r->out;
    if (!name.n)
        name = find_attribute(attributes, "name");
    r->place = IN_CASE;
    r->case_depth = r->depth;
    r->is_failed = str_starts(result, STR("Failed")) || str_starts(result, STR("Error"));
    r->current = (struct nunit_failure){
        .duration_ms = read_milliseconds(find_attribute(attributes, "duration"))};
    r->is_kept = r->is_failed && o->failure_count < NUNIT_MAX_FAILURES;
    if (r->is_kept)
        r->current.name = keep_text(r, name);
    if (!r->has_duration)
        o->duration_ms += r->current.duration_ms;
    o->total++;
    if (r->is_failed)
        o->failed++;
    else if (str_starts(result, STR("Passed")) || str_starts(result, STR("Success")) ||
             str_starts(result, STR("Warning")))
        o->passed++;
    else if (str_starts(result, STR("Skipped")) || str_starts(result, STR("Ignored")))
        add_skipped(r, name);
    else
        o->inconclusive++;
}

static void end_case(struct nunit_reader *r)
{
    struct nunit_result *o = r->out;
    r->place = ELSEWHERE;
    o->truncated |= r->is_failed && !r->is_kept;
    if (!r->is_kept)
        return;
    mem_grow((void **)&o->failures, &r->failures_cap, o->failure_count + 1, sizeof *o->failures);
    o->failures[o->failure_count++] = r->current;
}

/* ---- callbacks of expat */

static void on_start(void *ctx, const XML_Char *name, const XML_Char **attributes)
{
    struct nunit_reader *r = ctx;
    r->depth++;
    if (r->depth == 1) {
        r->has_run = strcmp(name, "test-run") == 0 || strcmp(name, "test-results") == 0 ||
                     strcmp(name, "test-suite") == 0;
        struct str duration = find_attribute(attributes, "duration");
        r->has_duration = duration.n > 0;
        r->out->duration_ms = read_milliseconds(duration);
        if (!r->has_run)
            refuse_file(r, "not a test result: the first element is not <test-run>");
    } else if (r->depth > 512) {
        refuse_file(r, "elements are nested deeper than 512");
    } else if (r->place == ELSEWHERE && strcmp(name, "test-case") == 0) {
        begin_case(r, attributes);
    } else if (r->place == IN_CASE && r->is_kept && r->depth == r->case_depth + 1 &&
               (strcmp(name, "failure") == 0 || strcmp(name, "error") == 0)) {
        r->place = IN_FAILURE;
    } else if (r->place == IN_FAILURE && strcmp(name, "message") == 0) {
        r->place = IN_MESSAGE;
        buf_clear(&r->text);
    } else if (r->place == IN_FAILURE && strcmp(name, "stack-trace") == 0) {
        r->place = IN_STACK_TRACE;
        buf_clear(&r->text);
    }
}

static void on_end(void *ctx, const XML_Char *name)
{
    struct nunit_reader *r = ctx;
    bool is_text = r->depth == r->case_depth + 2;
    if (r->place == IN_MESSAGE && is_text) {
        r->current.message = keep_text(r, str_trim(buf_str(&r->text)));
        r->place = IN_FAILURE;
    } else if (r->place == IN_STACK_TRACE && is_text) {
        r->current.stack_trace = keep_text(r, str_trim(buf_str(&r->text)));
        r->place = IN_FAILURE;
    } else if (r->place == IN_FAILURE && r->depth == r->case_depth + 1) {
        r->place = IN_CASE;
    } else if (r->place == IN_CASE && r->depth == r->case_depth) {
        end_case(r);
    }
    r->depth--;
    (void)name;
}

/* Collect a little more than is kept, so that a cut is noticed. */
static void on_text(void *ctx, const XML_Char *text, int n)
{
    struct nunit_reader *r = ctx;
    if ((r->place == IN_MESSAGE || r->place == IN_STACK_TRACE) && r->text.n <= 2 * NUNIT_MAX_TEXT)
        buf_add(&r->text, str_make(text, (size_t)n));
}

static void on_doctype(void *ctx, const XML_Char *name, const XML_Char *system_id,
                       const XML_Char *public_id, int has_internal)
{
    (void)name, (void)system_id, (void)public_id, (void)has_internal;
    refuse_file(ctx, "document types are refused");
}

/* ---- reading */

static void start_reader(struct nunit_reader *r, const char *name, struct nunit_result *out,
                         struct error *err)
{
    *r = (struct nunit_reader){.out = out, .name = name, .err = err};
    *out = (struct nunit_result){0};
    r->xml = XML_ParserCreate(NULL);
    if (r->xml == NULL)
        abort();
    XML_SetUserData(r->xml, r);
    XML_SetElementHandler(r->xml, on_start, on_end);
    XML_SetCharacterDataHandler(r->xml, on_text);
    XML_SetStartDoctypeDeclHandler(r->xml, on_doctype);
}

/* Check the result of parsing n more bytes. */
static bool check_parsed(struct nunit_reader *r, enum XML_Status status, size_t n)
{
    if (status != XML_STATUS_OK || r->failed)
        return refuse_file(r, XML_ErrorString(XML_GetErrorCode(r->xml)));
    r->fed += n;
    XML_Index at = XML_GetCurrentByteIndex(r->xml);
    if (at >= 0 && r->fed - (size_t)at > NUNIT_MAX_TAG)
        return refuse_file(r, "a tag or a comment is longer than 1 MiB");
    return true;
}

static bool feed_part(struct nunit_reader *r, struct str part, bool last)
{
    return check_parsed(r, XML_Parse(r->xml, part.p, (int)part.n, last), part.n);
}

static bool end_reader(struct nunit_reader *r, bool ok)
{
    XML_ParserFree(r->xml);
    buf_done(&r->text);
    if (!ok)
        nunit_done(r->out);
    return ok;
}

bool nunit_parse(struct str text, const char *name, struct nunit_result *out, struct error *err)
{
    struct nunit_reader r;
    start_reader(&r, name, out, err);
    bool ok = true;
    while (ok && text.n > 0) {
        struct str part = str_head(text, text.n < 65536 ? text.n : 65536);
        ok = feed_part(&r, part, false);
        text = str_skip(text, part.n);
    }
    return end_reader(&r, ok && feed_part(&r, STR(""), true));
}

static bool read_file(struct nunit_reader *r, int fd)
{
    for (;;) {
        void *room = XML_GetBuffer(r->xml, 65536);
        ssize_t n = room ? read(fd, room, 65536) : -1;
        if (n < 0)
            return error_set(r->err, ERR_IO, "cannot read %s: %s", r->name, strerror(errno));
        if (r->fed + (size_t)n > NUNIT_MAX_BYTES)
            return error_set(r->err, ERR_LIMIT, "%s is larger than 256 MiB", r->name);
        if (!check_parsed(r, XML_ParseBuffer(r->xml, (int)n, n == 0), (size_t)n))
            return false;
        if (n == 0)
            return true;
    }
}

bool nunit_read(const char *path, struct nunit_result *out, struct error *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
        error_set(err, ERR_IO, "cannot read %s: %s", path,
                  fd < 0 ? strerror(errno) : "it is not a file");
        if (fd >= 0)
            close(fd);
        return false;
    }
    struct nunit_reader r;
    start_reader(&r, path, out, err);
    bool ok = end_reader(&r, read_file(&r, fd));
    close(fd);
    return ok;
}

void nunit_done(struct nunit_result *r)
{
    free(r->failures);
    arena_done(&r->arena);
    *r = (struct nunit_result){0};
}
