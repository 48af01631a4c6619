/* Intrusive doubly linked list: the links are in the items, so adding and removing is cheap.
 *
 *     struct client { struct list link; ... };
 *     struct list clients;
 *     list_init(&clients);                                  // a head is a ring of one
 *     list_add(&clients, &c->link);                         // at the end
 *     LIST_EACH(&clients, struct client, link, c) ...       // c must stay in the list meanwhile
 *     LIST_EACH_SAFE(&clients, struct client, link, c) ...  // c may be removed
 *     list_remove(&c->link);                                // no effect if it is in no list
 *
 * A zeroed link is in no list. One item is in one list per link.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct list {
    struct list *prev, *next;
};

static inline void list_init(struct list *head)
{
    head->prev = head->next = head;
}

static inline bool list_is_empty(const struct list *head)
{
    return head->next == head || !head->next;
}

static inline bool list_is_linked(const struct list *link)
{
    return link->next && link->next != link;
}

static inline void list_add(struct list *head, struct list *link)
{
    link->prev = head->prev;
    link->next = head;
    head->prev->next = link;
    head->prev = link;
}

static inline void list_remove(struct list *link)
{
    if (link->next) {
        link->prev->next = link->next;
        link->next->prev = link->prev;
    }
    link->prev = link->next = NULL;
}

static inline size_t list_count(const struct list *head)
{
    size_t n = 0;
    for (const struct list *l = head->next; l != head; l = l->next)
        n++;
    return n;
}

#define LIST_ITEM(l, type, member) ((type *)(void *)((char *)(l)-offsetof(type, member)))
#define LIST_FIRST(head, type, member)                                                             \
    (list_is_empty(head) ? NULL : LIST_ITEM((head)->next, type, member))

#define LIST_EACH(head, type, member, item)                                                        \
    for (type *item = LIST_ITEM((head)->next, type, member); &item->member != (head);              \
         item = LIST_ITEM(item->member.next, type, member))

#define LIST_EACH_SAFE(head, type, member, item)                                                   \
    for (type *item = LIST_ITEM((head)->next, type, member),                                       \
              *item##_next = LIST_ITEM(item->member.next, type, member);                           \
         &item->member != (head);                                                                  \
         item = item##_next, item##_next = LIST_ITEM(item->member.next, type, member))
