#include "base/buf.h"
#include "cli/terminal.h"
#include "test.h"

static void check(const char *text, const char *want)
{
    struct buf out = {0};
    terminal_escape(&out, str_from(text));
    CHECK_CSTR(buf_str(&out), want);
    buf_done(&out);
}

TEST(text_stays_on_its_line)
{
    check("plain \xc3\xa4 text", "plain \xc3\xa4 text");
    check("a\nb\r\tc", "a\\nb\\r\\tc");
    check("\033[31mred\x7f", "\\u001b[31mred\\u007f");
    check("\xe2\x80\xa8 \xe2\x80\xae", "\\u2028 \\u202e");
}

TEST(invalid_utf8_is_replaced)
{
    check("a\xff"
          "b",
          "a\xef\xbf\xbd"
          "b");
}
