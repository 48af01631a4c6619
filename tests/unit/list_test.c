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

TEST_FIXTURE(setup, NULL);

TEST(a_new_list_is_empty)
{
    check_list("");
    assert_null(LIST_FIRST(&head, struct item, link));
}

TEST(items_are_added_at_the_end)
{
    list_add(&head, &a.link);
    check_list("a");
    list_add(&head, &b.link);
    list_add(&head, &c.link);
    check_list("abc");
    assert_ptr_equal(LIST_FIRST(&head, struct item, link), &a);
}

TEST(an_item_is_removed_from_any_place)
{
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

TEST(removing_an_unlinked_item_is_harmless)
{
    list_remove(&a.link);
    list_add(&head, &b.link);
    list_remove(&b.link);
    list_remove(&b.link);
    check_list("");
}

TEST(an_item_knows_whether_it_is_linked)
{
    assert_false(list_is_linked(&a.link));
    list_add(&head, &a.link);
    assert_true(list_is_linked(&a.link));
    list_remove(&a.link);
    assert_false(list_is_linked(&a.link));
}

TEST(a_removed_item_can_be_added_again)
{
    list_add(&head, &a.link);
    list_add(&head, &b.link);
    list_remove(&a.link);
    list_add(&head, &a.link);
    check_list("ba");
}

TEST(each_item_may_be_removed_while_walking)
{
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
