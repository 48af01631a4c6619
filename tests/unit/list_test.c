#include "base/list.h"

#include "base/buf.h"
#include "test.h"

struct item {
    char name;
    struct list link;
};

static struct list head;
static struct item a, b, c;

static int setup(void **state)
{
    (void)state;
    list_init(&head);
    a = (struct item){.name = 'a'};
    b = (struct item){.name = 'b'};
    c = (struct item){.name = 'c'};
    return 0;
}

static void check_list(const char *want)
{
    struct buf got = {0};
    LIST_EACH (&head, struct item, link, i)
        buf_add_char(&got, i->name);
    CHECK_CSTR(buf_str(&got), want);
    assert_int_equal(list_count(&head), strlen(want));
    assert_int_equal(list_is_empty(&head), want[0] == 0);
    buf_done(&got);
}

static void a_new_list_is_empty(void **state)
{
    (void)state;
    check_list("");
    assert_null(LIST_FIRST(&head, struct item, link));
}

static void items_are_added_at_the_end(void **state)
{
    (void)state;
    list_add(&head, &a.link);
    check_list("a");
    list_add(&head, &b.link);
    list_add(&head, &c.link);
    check_list("abc");
    assert_ptr_equal(LIST_FIRST(&head, struct item, link), &a);
}

static void an_item_is_removed_from_any_place(void **state)
{
    (void)state;
    list_add(&head, &a.link);
    list_add(&head, &b.link);
    list_add(&head, &c.link);
    list_remove(&b.link);
    check_list("ac");
    list_remove(&c.link);
    check_list("a");
    list_remove(&a.link);
    check_list("");
}

static void removing_what_is_in_no_list_is_harmless(void **state)
{
    (void)state;
    list_remove(&a.link);
    list_add(&head, &b.link);
    list_remove(&b.link);
    list_remove(&b.link);
    check_list("");
}

static void an_item_knows_whether_it_is_linked(void **state)
{
    (void)state;
    assert_false(list_is_linked(&a.link));
    list_add(&head, &a.link);
    assert_true(list_is_linked(&a.link));
    list_remove(&a.link);
    assert_false(list_is_linked(&a.link));
}

static void a_removed_item_can_be_added_again(void **state)
{
    (void)state;
    list_add(&head, &a.link);
    list_add(&head, &b.link);
    list_remove(&a.link);
    list_add(&head, &a.link);
    check_list("ba");
}

static void each_item_may_be_removed_while_walking(void **state)
{
    (void)state;
    list_add(&head, &a.link);
    list_add(&head, &b.link);
    list_add(&head, &c.link);
    LIST_EACH_SAFE (&head, struct item, link, i)
        if (i->name != 'b')
            list_remove(&i->link);
    check_list("b");
    LIST_EACH_SAFE (&head, struct item, link, i)
        list_remove(&i->link);
    check_list("");
    LIST_EACH_SAFE (&head, struct item, link, i)
        fail();
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup(f, setup)
    const struct CMUnitTest tests[] = {
        TEST(a_new_list_is_empty),
        TEST(items_are_added_at_the_end),
        TEST(an_item_is_removed_from_any_place),
        TEST(removing_what_is_in_no_list_is_harmless),
        TEST(an_item_knows_whether_it_is_linked),
        TEST(a_removed_item_can_be_added_again),
        TEST(each_item_may_be_removed_while_walking),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
