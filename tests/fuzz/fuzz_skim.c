/* Skims the bytes and reads them: both must agree, and the skimmer's slices must be what the reader
 * found. */
#include <assert.h>
#include <stdlib.h>

#include "base/json_skim.h"
#include "base/json_sprint.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "fuzz.h"

#define ROOM 8u

/* Whether the quote at `offset` belongs to a key of the outermost object. The text before it is
 * JSON. */
static bool is_outermost(struct str text, size_t offset)
{
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < offset; i++) {
        char c = text.p[i];
        if (in_string && c == '\\')
            i++;
        else if (c == '"')
            in_string = !in_string;
        else if (!in_string && (c == '{' || c == '['))
            depth++;
        else if (!in_string && (c == '}' || c == ']'))
            depth--;
    }
    return depth == 1;
}

static void check_members(const struct json_skim *s, const struct json *doc)
{
    size_t i = 0, count = json_is(doc, JSON_OBJECT) ? json_count(doc) : 0;
    struct arena a = {0};
    assert(s->count == (count < ROOM ? count : ROOM));
    JSON_EACH (doc, k) {
        if (i == s->count)
            break;
        const struct json_member *m = &s->members[i++];
        const struct json *v = json_parse(&a, m->value, NULL, NULL);
        assert(v && json_equal(v, k + 1));
        assert(str_trim(m->value).n == m->value.n);
        struct str quoted = str_make(m->key.p - 1, m->key.n + 2);
        assert(str_eq(json_str(json_parse(&a, quoted, NULL, NULL)), json_str(k)));
        if (!memchr(m->key.p, '\\', m->key.n))
            assert(str_eq(json_skim_get(s, m->key), m->value));
        struct str plain = json_skim_plain(m->value);
        if (plain.p)
            assert(str_eq(plain, json_str(v)));
        else
            assert(!json_is(v, JSON_STRING) || memchr(m->value.p, '\\', m->value.n));
    }
    arena_done(&a);
}

static void check_compact(const struct json_skim *s, struct str text, const struct json *doc)
{
    struct arena a = {0};
    struct buf out = {0};
    struct json_skim again = {.room = 0};
    json_skim_compact(&out, text);
    assert(s->is_compact == str_eq(buf_str(&out), text));
    assert(json_skim(&again, buf_str(&out), NULL) && again.is_compact);
    assert(json_equal(json_parse(&a, buf_str(&out), NULL, NULL), doc));
    buf_done(&out);
    arena_done(&a);
}

static void check_same(struct str text, bool utf8_is_checked)
{
    struct json_member members[ROOM];
    struct json_skim s = {.members = members, .room = ROOM, .utf8_is_checked = utf8_is_checked};
    struct json_error err = {.offset = SIZE_MAX}, other = {.offset = SIZE_MAX};
    struct arena a = {0};
    const struct json *doc = json_parse(&a, text, NULL, &err);
    bool ok = json_skim(&s, text, &other);
    bool inner_twice =
        !doc && !strcmp(err.reason, "duplicate key") && !is_outermost(text, err.offset);
    if (!inner_twice) {
        assert(ok == (doc != NULL));
        assert(ok || (other.offset == err.offset && !strcmp(other.reason, err.reason)));
        assert(ok || other.limit == err.limit);
    }
    assert(s.count <= ROOM && (ok || !s.is_compact));
    if (doc) {
        check_members(&s, doc);
        check_compact(&s, text, doc);
    }
    arena_done(&a);
}

/* The same text with enough padding after it that the fast path is taken as far as possible. */
static void check_padded(struct str text)
{
    struct buf long_text = {0};
    buf_add(&long_text, STR("{\"a\":["));
    buf_add(&long_text, text);
    buf_add(&long_text, STR(",\""));
    for (unsigned i = 0; i < 2 * JSON_SPRINT_MIN; i++)
        buf_add_char(&long_text, 'x');
    buf_add(&long_text, STR("\"]}"));
    char *exact =
        mem_dup(long_text.p, long_text.n); /* reading one byte too far would be detected */
    check_same(str_make(exact, long_text.n), true);
    free(exact);
    buf_done(&long_text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = str_make((const char *)data, size);
    check_same(text, false);
    if (utf8_is_valid(text)) {
        check_same(text, true);
        check_padded(text);
    } else { /* a broken precondition: any result is allowed, but it must be consistent */
        json_skim(&(struct json_skim){.utf8_is_checked = true}, text, NULL);
    }
    return 0;
}
