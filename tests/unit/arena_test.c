#include "base/arena.h"

#include "base/rng.h"
#include "test.h"

static struct arena a;

static int teardown(void **state)
{
    arena_done(&a);
    return 0;
}

TEST_FIXTURE(NULL, teardown);

TEST(an_empty_arena_holds_nothing)
{
    assert_int_equal(arena_size(&a), 0);
    arena_reset(&a);
    arena_done(&a);
    arena_done(&a);
}

TEST(pieces_are_aligned_and_do_not_overlap)
{
    unsigned char *pieces[500];
    size_t sizes[500];
    struct rng r;
    rng_seed(&r, 11);
    for (size_t i = 0; i < 500; i++) {
        sizes[i] = rng_below(&r, i % 50 == 0 ? 200000 : 300);
        pieces[i] = arena_alloc(&a, sizes[i]);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % 16, 0);
        memset(pieces[i], (int)(i & 255), sizes[i]);
    }
    for (size_t i = 0; i < 500; i++)
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(pieces[i][j], i & 255);
}

TEST(pieces_of_zero_bytes_are_different)
{
    void *p = arena_alloc(&a, 0), *q = arena_alloc(&a, 0);
    assert_non_null(p);
    assert_ptr_not_equal(p, q);
}

TEST(zeroed_pieces_are_zero_even_in_used_memory)
{
    memset(arena_alloc(&a, 1000), 0xff, 1000);
    arena_reset(&a);
    char *p = arena_zalloc(&a, 1000);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(p[i], 0);
}

TEST(the_last_piece_grows_and_shrinks_in_place)
{
    char *p = arena_alloc(&a, 10);
    memcpy(p, "0123456789", 10);
    char *q = arena_grow(&a, p, 10, 100);
    assert_ptr_equal(p, q);
    assert_memory_equal(q, "0123456789", 10);
    q = arena_grow(&a, q, 100, 20);
    assert_ptr_equal(p, q);
    assert_ptr_equal((char *)arena_alloc(&a, 1), p + 32);
}

TEST(another_piece_is_copied_to_grow)
{
    char *p = arena_alloc(&a, 10);
    memcpy(p, "0123456789", 10);
    char *behind = arena_alloc(&a, 1);
    *behind = 'x';
    char *q = arena_grow(&a, p, 10, 100);
    assert_ptr_not_equal(p, q);
    assert_memory_equal(q, "0123456789", 10);
    memset(q, 'y', 100);
    q = arena_grow(&a, q, 100, 100000); /* the last one, but its block is too small */
    assert_int_equal(q[99], 'y');
    memset(q, 'z', 100000);
    assert_int_equal(*behind, 'x');
    assert_memory_equal(p, "0123456789", 10);
}

TEST(growing_nothing_makes_a_piece)
{
    char *p = arena_grow(&a, NULL, 0, 64);
    memset(p, 1, 64);
    assert_ptr_equal(arena_grow(&a, p, 64, 128), p);
}

TEST(growing_step_by_step_keeps_the_bytes)
{
    uint32_t *items = NULL;
    for (size_t n = 0; n < 100000; n++) {
        if ((n & (n - 1)) == 0)
            items = arena_grow(&a, items, n * sizeof *items, (n ? 2 * n : 1) * sizeof *items);
        items[n] = (uint32_t)n;
    }
    for (size_t n = 0; n < 100000; n++)
        assert_int_equal(items[n], n);
}

TEST(copies_of_text_end_in_nul)
{
    char text[] = {'a', 'b', 'c', 'd'};
    struct str s = arena_str(&a, str_make(text, 3));
    char *c = arena_cstr(&a, str_make(text + 1, 2));
    memset(text, 'x', sizeof text);
    CHECK_CSTR(s, "abc");
    assert_int_equal(s.p[3], 0);
    assert_string_equal(c, "bc");
    s = arena_str(&a, (struct str){0});
    assert_non_null(s.p);
    assert_int_equal(s.p[0], 0);
}

TEST(printing_makes_text_of_any_length)
{
    CHECK_CSTR(arena_printf(&a, "%d-%s", 7, "x"), "7-x");
    struct str s = arena_printf(&a, "%5000d|", 1);
    assert_int_equal(s.n, 5001);
    assert_int_equal(s.p[5000], '|');
    assert_int_equal(s.p[5001], 0);
    CHECK_CSTR(arena_printf(&a, "%s", ""), "");
}

TEST(a_reset_keeps_one_block_for_reuse)
{
    void *first = arena_alloc(&a, 100);
    size_t one = arena_size(&a);
    for (int i = 0; i < 1000; i++)
        arena_alloc(&a, 1000);
    assert_true(arena_size(&a) > 1000000);
    arena_reset(&a);
    assert_int_equal(arena_size(&a), one);
    assert_ptr_equal(arena_alloc(&a, 100), first);
}

TEST(a_reset_frees_a_huge_first_block)
{
    arena_alloc(&a, 5 << 20);
    arena_reset(&a);
    assert_int_equal(arena_size(&a), 0);
    assert_non_null(arena_alloc(&a, 10));
}

TEST(blocks_are_not_much_larger_than_their_content)
{
    size_t used = 0;
    for (int i = 0; i < 40000; i++) {
        arena_alloc(&a, 160);
        used += 160;
    }
    assert_true(arena_size(&a) < 2 * used);
}
