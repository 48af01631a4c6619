/* Read the bytes as the output of an agent: the first two choose agent, end and the size of the
 * pieces, the rest is stdout, stderr and a session log, separated by 0xff. The size of the pieces
 * does not change the result, which is bounded text. */
#include <assert.h>

#include "agent/output.h"
#include "agent/output_internal.h"
#include "base/utf8.h"
#include "fuzz.h"

#define NOW 1794735000000

struct input {
    enum agent_kind tool;
    enum output_mode mode;
    struct output_end end;
    struct str out, err;
};

static void feed_pieces(struct output *r, enum process_stream which, struct str s, size_t piece)
{
    for (; s.n; s = str_skip(s, piece))
        output_feed(r, which, str_head(s, piece));
}

static void read_input(struct output *r, const struct input *in, size_t piece)
{
    output_init(r, in->tool, NOW);
    r->facts->mode = in->mode;
    feed_pieces(r, PROCESS_STDOUT, in->out, piece);
    feed_pieces(r, PROCESS_STDERR, in->err, piece);
    output_end(r, &in->end);
}

static void check_text(const char *text, size_t size)
{
    struct str s = str_from(text);
    assert(s.n < size && utf8_is_valid(s));
    for (size_t i = 0; i < s.n; i++)
        assert((unsigned char)s.p[i] >= ' ');
}

static void check_report(const struct output *r)
{
    assert(r->outcome.class < OUTCOME_CLASS_COUNT);
    assert(r->outcome.evidence[0]);
    assert((r->outcome.until != 0) == (r->outcome.trust != UNTIL_NONE));
    check_text(r->outcome.evidence, sizeof r->outcome.evidence);
    check_text(r->outcome.message, sizeof r->outcome.message);
    check_text(r->session, sizeof r->session);
    check_text(r->model, sizeof r->model);
    check_text(r->warning.window, sizeof r->warning.window);
    assert(r->last_message.n <= OUTPUT_MAX_TEXT);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const int64_t codes[] = {0, 1, 2, 41, 53, 143, 173, 255};
    if (n < 2)
        return 0;
    struct str rest = str_make((const char *)bytes + 2, n - 2);
    struct input in = {.tool = (enum agent_kind)(1 + bytes[0] % (AGENT_KIND_COUNT - 1)),
                       .mode = (enum output_mode)(bytes[0] / 8 % 4),
                       .end = {.exit_code = codes[bytes[1] % 8], .killed = bytes[0] >= 240}};
    size_t piece = 1 + bytes[1] / 8 % 32;
    str_cut(&rest, '\xff', &in.out);
    str_cut(&rest, '\xff', &in.err);
    in.end.session_log = rest;

    struct output whole, cut;
    read_input(&whole, &in, SIZE_MAX);
    read_input(&cut, &in, piece);
    check_report(&whole);
    assert(whole.outcome.class == cut.outcome.class && whole.outcome.until == cut.outcome.until);
    assert(str_eq(str_from(whole.outcome.evidence), str_from(cut.outcome.evidence)));
    assert(str_eq(str_from(whole.outcome.message), str_from(cut.outcome.message)));
    assert(str_eq(buf_str(&whole.last_message), buf_str(&cut.last_message)));
    assert(whole.hopeless == cut.hopeless && whole.tool_calls == cut.tool_calls);
    output_done(&whole);
    output_done(&cut);
    return 0;
}
