/* Reads the bytes as JSON and checks them as arguments and as result of every tool. A refusal has a
 * harmless text as message; accepted values satisfy what the callers rely on. */
#include <assert.h>
#include <string.h>

#include "base/utf8.h"
#include "bridge/catalog.h"
#include "bridge/schema.h"
#include "fuzz.h"

static void check_sentence(const struct error *err)
{
    size_t n = strlen(err->text);
    assert(n > 0 && utf8_is_valid(str_make(err->text, n)));
    for (size_t i = 0; i < n; i++)
        assert((unsigned char)err->text[i] >= 0x20 && err->text[i] != 0x7f);
}

static void check_against(const struct json *schema, const struct json *v)
{
    struct error err = {0};
    bool fits = schema_check(schema, v, &err);
    assert(fits == schema_check(schema, v, NULL));
    assert(fits == (err.code == ERR_NONE));
    if (!fits)
        check_sentence(&err);
}

static void check_call(const struct tool *t, const struct json *v)
{
    struct error err = {0};
    struct tool_args args;
    if (catalog_check(t, v, &args, &err)) {
        assert(json_is(v, JSON_OBJECT));
        assert(args.timeout_ms >= 1 && args.timeout_ms <= t->max_timeout_ms);
        assert(args.client_request_id.n <= (size_t)4 * CATALOG_CLIENT_REQUEST_ID_MAX);
    } else {
        check_sentence(&err);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct catalog *catalog;
    struct arena a = {0};
    const struct json *v = json_parse(&a, str_make((const char *)data, size), NULL, NULL);
    if (!catalog) {
        struct limits limits;
        limits_init(&limits);
        catalog = catalog_new(&limits);
    }
    for (size_t i = 0; v && i < catalog_count(catalog); i++) {
        const struct tool *t = catalog_at(catalog, i);
        check_against(t->input, v);
        check_against(t->output, v);
        check_call(t, v);
    }
    arena_done(&a);
    return 0;
}
