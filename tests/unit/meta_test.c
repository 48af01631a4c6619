#include "unity/meta.h"

#include "project_fixture.h"

#define DIGITS "0123456789abcdef0123456789abcdef"

static const struct guid wanted = {0x0123456789abcdefu, 0x0123456789abcdefu};

static void check(const char *text)
{
    struct guid g = {0};
    if (!meta_guid(str_from(text), &g) || !guid_eq(g, wanted))
        fail_msg("not read: %s", text);
}

TEST(guid_is_on_its_own_line)
{
    check("fileFormatVersion: 2\nguid: " DIGITS "\nMonoImporter:\n");
    check("fileFormatVersion: 2\nguid: " DIGITS);          /* without a line end */
    check("fileFormatVersion: 2\r\nguid: " DIGITS "\r\n"); /* CRLF */
    check("\xEF\xBB\xBFguid: " DIGITS "\n");               /* BOM directly before the key */
    check("guid:   " DIGITS "  \n");
    check("guid: 0123456789ABCDEF0123456789ABCDEF\n");
}

TEST(similar_lines_are_not_the_guid)
{
    static const char *const bad[] = {
        "",
        "fileFormatVersion: 2\n",
        "  guid: " DIGITS "\n", /* nested */
        "xguid: " DIGITS "\n",
        "guid: 0123456789abcdef\n",
        "guid: " DIGITS "0\n",
        "guid: 00000000000000000000000000000000\n", /* not a valid GUID */
        "\xEF\xBB\xBF",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct guid g = {1, 2};
        if (meta_guid(str_from(bad[i]), &g))
            fail_msg("accepted: %s", bad[i]);
        assert_true(g.hi == 1 && g.lo == 2);
    }
}

TEST_FIXTURE(setup, teardown);

TEST(guid_after_a_long_head_is_found)
{
    struct guid g = {0};
    struct buf text = {0};
    /* At all places around the end of the first read, which may cut the line anywhere. */
    for (size_t pad = 60; pad < 160; pad++) {
        buf_clear(&text);
        buf_printf(&text, "# %0*d\nguid: " DIGITS "\n", (int)pad, 0);
        put("a.meta", text.p);
        assert_int_equal(meta_read(AT_FDCWD, "a.meta", &g), META_OK);
        assert_true(guid_eq(g, wanted));
    }
    buf_clear(&text);
    buf_printf(&text, "# %0*d\nguid: " DIGITS "\n", (int)META_MAX_BYTES, 0);
    put("a.meta", text.p);
    assert_int_equal(meta_read(AT_FDCWD, "a.meta", &g), META_BAD);
    buf_done(&text);
}

TEST(unreadable_meta_differs_from_missing_meta)
{
    struct guid g;
    assert_int_equal(meta_read(AT_FDCWD, "none.meta", &g), META_NONE);
    put("empty.meta", "");
    assert_int_equal(meta_read(AT_FDCWD, "empty.meta", &g), META_BAD);
    assert_int_equal(meta_read(AT_FDCWD, "Assets", &g), META_BAD);
    assert_int_equal(mkfifo("pipe.meta", 0600), 0);
    assert_int_equal(meta_read(AT_FDCWD, "pipe.meta", &g), META_BAD);
}

TEST(name_is_relative_to_the_folder)
{
    struct guid g = {0};
    put_asset("Assets/a", DIGITS);
    int fd = open("Assets", O_RDONLY | O_DIRECTORY);
    assert_int_equal(meta_read(fd, "a.meta", &g), META_OK);
    assert_true(guid_eq(g, wanted));
    close(fd);
}
