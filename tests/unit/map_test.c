#include "base/map.h"

#include <stdlib.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "test.h"

static struct map m;
static int one, two, three;

static int teardown(void **state)
{
    map_done(&m);
    return 0;
}

static void check_keys(const char *want)
{
    struct buf got = {0};
    MAP_EACH (&m, i) {
        buf_add(&got, map_key(&m, i));
        buf_add_char(&got, ' ');
    }
    CHECK_CSTR(buf_str(&got), want);
    buf_done(&got);
}

TEST_FIXTURE(NULL, teardown);

TEST(an_empty_map_has_no_entries)
{
    assert_null(map_get(&m, STR("a")));
    assert_null(map_remove(&m, STR("a")));
    check_keys("");
    map_clear(&m);
    map_done(&m);
    assert_int_equal(m.count, 0);
}

TEST(a_value_is_found_by_its_key)
{
    assert_null(map_set(&m, STR("a"), &one));
    assert_null(map_set(&m, STR("b"), &two));
    assert_ptr_equal(map_get(&m, STR("a")), &one);
    assert_ptr_equal(map_get(&m, STR("b")), &two);
    assert_null(map_get(&m, STR("c")));
    assert_null(map_get(&m, STR("A")));
    assert_int_equal(m.count, 2);
}

TEST(setting_again_returns_the_old_value_and_keeps_the_place)
{
    map_set(&m, STR("a"), &one);
    map_set(&m, STR("b"), &two);
    assert_ptr_equal(map_set(&m, STR("a"), &three), &one);
    assert_ptr_equal(map_get(&m, STR("a")), &three);
    assert_int_equal(m.count, 2);
    check_keys("a b ");
}

TEST(keys_are_copied_and_may_hold_any_byte)
{
    char key[] = {'a', 0, 'b', 0};
    map_set(&m, str_make(key, 3), &one);
    map_set(&m, str_make(key, 4), &two);
    map_set(&m, (struct str){0}, &three);
    memset(key, 'x', sizeof key);
    assert_ptr_equal(map_get(&m, STR("a\0b")), &one);
    assert_ptr_equal(map_get(&m, STR("a\0b\0")), &two);
    assert_ptr_equal(map_get(&m, STR("")), &three);
    assert_null(map_get(&m, STR("a")));
}

TEST(the_order_is_that_of_insertion_also_after_removals)
{
    static const char *const keys[] = {"z", "y", "x", "w", "v"};
    for (size_t i = 0; i < 5; i++)
        map_set(&m, str_from(keys[i]), &one);
    check_keys("z y x w v ");
    assert_ptr_equal(map_remove(&m, STR("x")), &one);
    check_keys("z y w v ");
    map_remove(&m, STR("z"));
    map_remove(&m, STR("v"));
    check_keys("y w ");
    map_set(&m, STR("x"), &two);
    map_set(&m, STR("y"), &two);
    check_keys("y w x ");
    assert_null(map_remove(&m, STR("z")));
}

TEST(the_key_to_remove_may_be_in_the_map)
{
    map_set(&m, STR("a long key that lives on the heap"), &one);
    map_set(&m, STR("b"), &two);
    assert_ptr_equal(map_remove(&m, map_key(&m, map_next(&m, 0))), &one);
    check_keys("b ");
}

TEST(the_current_entry_may_be_removed_while_walking)
{
    char key[16];
    for (int i = 0; i < 1000; i++) {
        int n = snprintf(key, sizeof key, "%d", i);
        map_set(&m, str_make(key, (size_t)n), &one);
    }
    size_t seen = 0;
    MAP_EACH (&m, i) {
        if (seen++ % 3 != 0)
            map_remove(&m, map_key(&m, i));
    }
    assert_int_equal(seen, 1000);
    assert_int_equal(m.count, 334);
    seen = 0;
    MAP_EACH (&m, i) {
        snprintf(key, sizeof key, "%zu", 3 * seen++);
        CHECK_CSTR(map_key(&m, i), key);
        map_remove(&m, map_key(&m, i));
    }
    assert_int_equal(seen, 334);
    assert_int_equal(m.count, 0);
}

TEST(clearing_leaves_an_empty_map_that_works)
{
    map_set(&m, STR("a"), &one);
    map_set(&m, STR("b"), &one);
    map_clear(&m);
    assert_int_equal(m.count, 0);
    assert_null(map_get(&m, STR("a")));
    check_keys("");
    map_set(&m, STR("b"), &two);
    check_keys("b ");
}

/* The same operations on a plain array, which is simple enough to be correct. */
struct model {
    int key[400];
    void *value[400];
    size_t n;
};

static size_t model_find(const struct model *o, int key)
{
    size_t i = 0;
    while (i < o->n && o->key[i] != key)
        i++;
    return i;
}

static void *model_remove(struct model *o, int key)
{
    size_t i = model_find(o, key);
    if (i == o->n)
        return NULL;
    void *old = o->value[i];
    o->n--;
    memmove(o->key + i, o->key + i + 1, (o->n - i) * sizeof *o->key);
    memmove(o->value + i, o->value + i + 1, (o->n - i) * sizeof *o->value);
    return old;
}

static void *model_set(struct model *o, int key, void *value)
{
    size_t i = model_find(o, key);
    void *old = i < o->n ? o->value[i] : NULL;
    if (i == o->n)
        o->key[o->n++] = key;
    o->value[i] = value;
    return old;
}

static void check_same(const struct model *o)
{
    size_t at = 0;
    assert_int_equal(m.count, o->n);
    MAP_EACH (&m, i) {
        char key[16];
        snprintf(key, sizeof key, "%d", o->key[at]);
        CHECK_CSTR(map_key(&m, i), key);
        assert_ptr_equal(map_value(&m, i), o->value[at]);
        at++;
    }
    assert_int_equal(at, o->n);
}

TEST(random_operations_agree_with_a_plain_array)
{
    static struct model o;
    static int values[7];
    struct rng r;
    rng_seed(&r, 2026);
    o.n = 0;
    for (int round = 0; round < 60000; round++) {
        char text[16];
        /* Phases of growing and shrinking, so that holes are many and few. */
        bool shrink = round / 3000 % 2;
        int key = (int)rng_below(&r, 400);
        void *value = &values[rng_below(&r, 7)];
        struct str k = str_make(text, (size_t)snprintf(text, sizeof text, "%d", key));
        size_t at = model_find(&o, key);
        assert_ptr_equal(map_get(&m, k), at < o.n ? o.value[at] : NULL);
        if (rng_below(&r, 10) < (shrink ? 7u : 3u))
            assert_ptr_equal(map_remove(&m, k), model_remove(&o, key));
        else
            assert_ptr_equal(map_set(&m, k, value), model_set(&o, key, value));
        if (round % 97 == 0)
            check_same(&o);
    }
    check_same(&o);
}

TEST(a_queue_neither_grows_nor_slows_down)
{
    char key[24];
    for (size_t i = 0; i < 300000; i++) {
        map_set(&m, str_make(key, (size_t)snprintf(key, sizeof key, "%zu", i)), &one);
        if (m.count > 100)
            map_remove(&m, map_key(&m, map_next(&m, 0)));
    }
    assert_int_equal(m.count, 100);
    assert_true(m.cap <= 512);
    CHECK_CSTR(map_key(&m, map_next(&m, 0)), "299900");
}

/* Finding the first entry hole by hole would take 2 * 10^10 steps. */
TEST(draining_from_the_front_takes_linear_time)
{
    char key[24];
    for (size_t i = 0; i < 200000; i++)
        map_set(&m, str_make(key, (size_t)snprintf(key, sizeof key, "%zu", i)), &one);
    while (m.count)
        map_remove(&m, map_key(&m, map_next(&m, 0)));
}

/* A hash that keeps the pattern of its keys would fill long runs of slots here. */
TEST(regular_keys_do_not_collide)
{
    for (unsigned i = 0; i < 65536; i++) {
        char key[4] = {(char)(i & 255), 0, (char)(i >> 8), 0};
        map_set(&m, str_make(key, 4), &one);
    }
    size_t run = 0, longest = 0;
    for (size_t i = 0; i < m.slot_count; i++) {
        run = m.slots[i] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    assert_int_equal(m.count, 65536);
    assert_true(longest < 512);
}
