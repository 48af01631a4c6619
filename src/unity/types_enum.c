#include "unity/types_internal.h"

#define MAX_DEPTH   32u   /* nesting of parentheses */
#define MAX_MEMBERS 8192u /* further members are left out: each one may search all previous ones */

/* A constant expression: numbers, other members and operators. */
struct enum_expression {
    struct str rest;
    const struct type_member *members; /* the previous members */
    size_t count;
    struct str enum_name;
    unsigned depth;
    bool failed;
};

static int64_t read_binary(struct enum_expression *e, unsigned weakest);

static void skip_blanks(struct enum_expression *e)
{
    size_t n = 0;
    while (n < e->rest.n && (e->rest.p[n] == ' ' || (e->rest.p[n] >= '\t' && e->rest.p[n] <= '\r')))
        n++;
    e->rest = str_skip(e->rest, n);
}

static bool take_token(struct enum_expression *e, struct str what)
{
    skip_blanks(e);
    if (!str_starts(e->rest, what))
        return false;
    e->rest = str_skip(e->rest, what.n);
    return true;
}

static int64_t fail_expression(struct enum_expression *e)
{
    e->failed = true;
    return 0;
}

static unsigned digit_value(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if ((c | 32) >= 'a' && (c | 32) <= 'f')
        return (unsigned)((c | 32) - 'a' + 10);
    return 99;
}

static int64_t read_number(struct enum_expression *e)
{
    unsigned base = 10;
    uint64_t n = 0;
    if (take_token(e, STR("0x")) || take_token(e, STR("0X")))
        base = 16;
    else if (take_token(e, STR("0b")) || take_token(e, STR("0B")))
        base = 2;
    size_t i = 0;
    for (; i < e->rest.n && (digit_value(e->rest.p[i]) < base || e->rest.p[i] == '_'); i++)
        if (e->rest.p[i] != '_')
            n = n * base + digit_value(e->rest.p[i]);
    e->rest = str_skip(e->rest, i);
    while (e->rest.n > 0 && ((e->rest.p[0] | 32) == 'u' || (e->rest.p[0] | 32) == 'l'))
        e->rest = str_skip(e->rest, 1);
    return i > 0 ? (int64_t)n : fail_expression(e);
}

static bool is_name_char(char c)
{
    return digit_value(c) < 10 || ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_' || c == '.' ||
           c == '@' || (unsigned char)c >= 0x80;
}

static int64_t read_name(struct enum_expression *e)
{
    static const struct {
        struct str name;
        int64_t value;
    } limits[] = {
        {STR_INIT("int.MaxValue"), INT32_MAX},   {STR_INIT("int.MinValue"), INT32_MIN},
        {STR_INIT("uint.MaxValue"), UINT32_MAX}, {STR_INIT("byte.MaxValue"), 255},
        {STR_INIT("short.MaxValue"), INT16_MAX}, {STR_INIT("ushort.MaxValue"), UINT16_MAX},
        {STR_INIT("long.MaxValue"), INT64_MAX},
    };
    size_t n = 0;
    while (n < e->rest.n && is_name_char(e->rest.p[n]))
        n++;
    struct str name = str_head(e->rest, n), member = name;
    e->rest = str_skip(e->rest, n);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (str_eq(name, limits[i].name))
            return limits[i].value;
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] == '.')
            member = str_skip(name, i + 1);
    if (member.n < name.n) {
        struct str before = str_head(name, name.n - member.n - 1);
        if (!str_ends(before, e->enum_name))
            return fail_expression(e);
    }
    for (size_t i = e->count; i > 0; i--)
        if (str_eq(e->members[i - 1].name, member))
            return e->members[i - 1].value;
    return fail_expression(e);
}

/* Skip a cast such as "(int)": it does not change a value that fits. */
static bool take_cast(struct enum_expression *e)
{
    static const struct str casts[] = {
        STR_INIT("(int)"),   STR_INIT("(uint)"),   STR_INIT("(byte)"), STR_INIT("(sbyte)"),
        STR_INIT("(short)"), STR_INIT("(ushort)"), STR_INIT("(long)"), STR_INIT("(ulong)"),
    };
    for (size_t i = 0; i < sizeof casts / sizeof *casts; i++)
        if (take_token(e, casts[i]))
            return true;
    return false;
}

static int64_t read_unary(struct enum_expression *e)
{
    if (e->depth >= MAX_DEPTH)
        return fail_expression(e);
    e->depth++;
    int64_t value;
    while (take_cast(e))
        continue;
    if (take_token(e, STR("-"))) {
        value = (int64_t)(0 - (uint64_t)read_unary(e));
    } else if (take_token(e, STR("~"))) {
        value = ~read_unary(e);
    } else if (take_token(e, STR("+"))) {
        value = read_unary(e);
    } else if (take_token(e, STR("("))) {
        value = read_binary(e, 0);
        if (!take_token(e, STR(")")))
            fail_expression(e);
    } else if (e->rest.n > 2 && e->rest.p[0] == '\'' && e->rest.p[1] != '\\' &&
               e->rest.p[2] == '\'') {
        value = (unsigned char)e->rest.p[1];
        e->rest = str_skip(e->rest, 3);
    } else if (e->rest.n > 0 && digit_value(e->rest.p[0]) < 10) {
        value = read_number(e);
    } else {
        value = read_name(e);
    }
    e->depth--;
    return value;
}

static int64_t apply_operator(struct enum_expression *e, char operator, int64_t a, int64_t b)
{
    uint64_t x = (uint64_t)a, y = (uint64_t)b;
    switch (operator) {
    case '|':
        return a | b;
    case '^':
        return a ^ b;
    case '&':
        return a & b;
    case '<': /* int uses five bits of the count, long six: equal for valid counts */
        return (int64_t)(x << (y & 63));
    case '>':
        return a >> (y & 63);
    case '+':
        return (int64_t)(x + y);
    case '-':
        return (int64_t)(x - y);
    case '*':
        return (int64_t)(x * y);
    default:
        break;
    }
    if (b == 0 || b == -1)
        return fail_expression(e);
    return operator== '/' ? a / b : a % b;
}

static int64_t read_binary(struct enum_expression *e, unsigned weakest)
{
    static const struct {
        struct str text;
        unsigned strength;
    } operators[] = {
        {STR_INIT("|"), 0},  {STR_INIT("^"), 1}, {STR_INIT("&"), 2}, {STR_INIT("<<"), 3},
        {STR_INIT(">>"), 3}, {STR_INIT("+"), 4}, {STR_INIT("-"), 4}, {STR_INIT("*"), 5},
        {STR_INIT("/"), 5},  {STR_INIT("%"), 5},
    };
    int64_t value = read_unary(e);
    for (size_t i = 0; i < sizeof operators / sizeof *operators && !e->failed;) {
        if (operators[i].strength < weakest || !take_token(e, operators[i].text)) {
            i++;
            continue;
        }
        value = apply_operator(e, operators[i].text.p[0], value,
                               read_binary(e, operators[i].strength + 1));
        i = 0;
    }
    return value;
}

static bool evaluate_member(struct enum_expression *e, int64_t *out)
{
    int64_t value = read_binary(e, 0);
    skip_blanks(e);
    if (e->failed || e->rest.n > 0)
        return false;
    *out = value;
    return true;
}

bool types_enum_constant(struct str text, const struct type_enum *e, int64_t *out)
{
    struct enum_expression x = {.rest = text};
    if (e != NULL) {
        x.members = e->members;
        x.count = e->count;
        x.enum_name = type_simple_name(e->name);
    }
    return evaluate_member(&x, out);
}

int types_enum_bits(const struct types_decl *d)
{
    static const struct {
        struct str name;
        int bits;
    } sizes[] = {
        {STR_INIT("byte"), 8},    {STR_INIT("sbyte"), -8},  {STR_INIT("short"), -16},
        {STR_INIT("ushort"), 16}, {STR_INIT("uint"), 32},   {STR_INIT("long"), -64},
        {STR_INIT("ulong"), 64},  {STR_INIT("Byte"), 8},    {STR_INIT("SByte"), -8},
        {STR_INIT("Int16"), -16}, {STR_INIT("UInt16"), 16}, {STR_INIT("UInt32"), 32},
        {STR_INIT("Int64"), -64}, {STR_INIT("UInt64"), 64},
    };
    struct str written = d->type->base_count > 0 ? type_simple_name(d->type->bases[0]) : STR("int");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (str_eq(written, sizes[i].name))
            return sizes[i].bits;
    return -32;
}

const struct type_enum *types_enum_of(struct types *t, const struct types_decl *d)
{
    struct type_enum *made = map_get(&t->enums, d->full);
    if (made != NULL)
        return made;
    size_t count = d->type->member_count < MAX_MEMBERS ? d->type->member_count : MAX_MEMBERS;
    struct type_member *members = arena_zalloc(&t->arena, (count + 1) * sizeof *members);
    int64_t value = -1;
    for (size_t i = 0; i < count; i++) {
        const struct csharp_member *m = &d->type->members[i];
        struct enum_expression e = {
            .rest = m->value, .members = members, .count = i, .enum_name = d->type->name};
        value = (int64_t)((uint64_t)value + 1);
        if (m->value.n > 0)
            evaluate_member(&e, &value);
        members[i] = (struct type_member){m->name, value};
    }
    made = arena_zalloc(&t->arena, sizeof *made);
    *made = (struct type_enum){.name = d->full,
                               .flags = types_class_attribute(d, "Flags") != NULL,
                               .members = members,
                               .count = count};
    map_set(&t->enums, made->name, made);
    return made;
}

const struct type_enum *types_enum_builtin(struct types *t, const struct builtin_enum *e)
{
    struct type_enum *made = map_get(&t->enums, str_from(e->type));
    if (made != NULL)
        return made;
    struct type_member *members = arena_zalloc(&t->arena, (e->count + 1) * sizeof *members);
    for (size_t i = 0; i < e->count; i++)
        members[i] = (struct type_member){str_from(e->members[i].name), e->members[i].value};
    made = arena_zalloc(&t->arena, sizeof *made);
    *made = (struct type_enum){
        .name = str_from(e->type), .flags = e->flags, .members = members, .count = e->count};
    map_set(&t->enums, made->name, made);
    return made;
}
