/* What stands in a C# type: fields, auto properties, members of an enum; and what stands before any
 * declaration, attributes and modifiers. Each function is given a cursor at its node and leaves it
 * there. */
#pragma once

#include "unity/csharp_node.h"

/* What a declaration begins with. */
struct csharp_head {
    unsigned modifiers;
    struct csharp_list attributes; /* struct csharp_attribute */
};

/* At a child of a declaration: whether it was a part of its head. */
bool csharp_member_head(struct csharp_reader *r, TSTreeCursor *c, struct csharp_head *head);

void csharp_member_fields(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *fields);
void csharp_member_property(struct csharp_reader *r, TSTreeCursor *c, struct csharp_list *fields);
void csharp_member_of_enum(struct csharp_reader *r, TSNode node, struct csharp_list *members);
