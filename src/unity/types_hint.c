/* What attributes of a field tell an inspector: limits of a number, how a text is edited, a word on
 * it. Arguments that are no literals (constants of the project) tell nothing. */
#include "base/number.h"
#include "unity/types_core.h"
#include "unity/yaml_write.h"

/* The parameters are floats: 0.1 is what is shown of 0.1f. */
static bool take_float(struct str text, double *out)
{
    double d;
    if (!types_number(text, &d) || d - d != 0)
        return false;
    struct buf shortest = {0};
    yaml_put_float(&shortest, (float)d);
    bool ok = number_double(buf_str(&shortest), out) && *out - *out == 0;
    buf_done(&shortest);
    return ok;
}

/* "max: 5": a name may stand before an argument, and then its place says nothing. */
static struct str argument_named(struct str *part)
{
    size_t colon = str_find(*part, STR(":"));
    struct str name = {0};
    if (colon < part->n) {
        name = str_trim(str_head(*part, colon));
        *part = str_trim(str_skip(*part, colon + 1));
    }
    return name;
}

static void read_range(struct type_hints *h, struct str arguments)
{
    bool more = true;
    for (unsigned i = 0; more && i < 2; i++) {
        struct str part;
        more = str_cut(&arguments, ',', &part);
        part = str_trim(part);
        struct str name = argument_named(&part);
        bool is_max = name.n ? str_eq(name, STR("max")) : i == 1;
        if (is_max)
            h->has_max = take_float(part, &h->max);
        else
            h->has_min = take_float(part, &h->min);
    }
}

static void read_tooltip(struct types *t, struct type_hints *h, struct str arguments)
{
    struct buf text = {0};
    struct str literal = str_trim(arguments);
    if (str_starts(literal, STR("tooltip:")))
        literal = str_trim(str_skip(literal, STR("tooltip:").n));
    if (types_text(literal, &text))
        h->tooltip = arena_str(&t->arena, buf_str(&text));
    buf_done(&text);
}

const struct type_hints *types_hints(struct types *t, const struct csharp_field *f)
{
    const struct csharp_attribute *range = types_field_attribute(f, "Range"),
                                  *min = types_field_attribute(f, "Min"),
                                  *tooltip = types_field_attribute(f, "Tooltip");
    struct type_hints h = {
        .is_multiline = types_field_attribute(f, "TextArea") != NULL ||
                        types_field_attribute(f, "Multiline") != NULL,
        .is_hidden = types_field_attribute(f, "HideInInspector") != NULL,
    };
    if (range != NULL) {
        read_range(&h, range->arguments);
    } else if (min != NULL) {
        struct str text = str_trim(min->arguments);
        argument_named(&text);
        h.has_min = take_float(text, &h.min);
    }
    if (tooltip != NULL)
        read_tooltip(t, &h, tooltip->arguments);
    if (!h.has_min && !h.has_max && !h.is_multiline && !h.is_hidden && h.tooltip.n == 0)
        return NULL;
    struct type_hints *kept = arena_alloc(&t->arena, sizeof *kept);
    *kept = h;
    return kept;
}
