#include <math.h>

#include "unity/types_internal.h"
#include "unity/yaml_write.h"

#define MAX_PARTS 4u /* of a vector or color */

struct vector_constant { /* e.g. "up" of Vector3 */
    const char *type, *name;
    double parts[MAX_PARTS];
};

/* clang-format off */
static const struct vector_constant constants[] = {
    {"Vector2", "zero", {0, 0}}, {"Vector2", "one", {1, 1}}, {"Vector2", "up", {0, 1}},
    {"Vector2", "down", {0, -1}}, {"Vector2", "left", {-1, 0}}, {"Vector2", "right", {1, 0}},
    {"Vector3", "zero", {0, 0, 0}}, {"Vector3", "one", {1, 1, 1}}, {"Vector3", "up", {0, 1, 0}},
    {"Vector3", "down", {0, -1, 0}}, {"Vector3", "left", {-1, 0, 0}},
    {"Vector3", "right", {1, 0, 0}}, {"Vector3", "forward", {0, 0, 1}},
    {"Vector3", "back", {0, 0, -1}}, {"Vector4", "zero", {0}}, {"Vector4", "one", {1, 1, 1, 1}},
    {"Vector2Int", "zero", {0}}, {"Vector2Int", "one", {1, 1}}, {"Vector2Int", "up", {0, 1}},
    {"Vector2Int", "down", {0, -1}}, {"Vector2Int", "left", {-1, 0}},
    {"Vector2Int", "right", {1, 0}}, {"Vector3Int", "zero", {0}}, {"Vector3Int", "one", {1, 1, 1}},
    {"Vector3Int", "up", {0, 1, 0}}, {"Vector3Int", "down", {0, -1, 0}},
    {"Vector3Int", "left", {-1, 0, 0}}, {"Vector3Int", "right", {1, 0, 0}},
    {"Quaternion", "identity", {0, 0, 0, 1}}, {"Color", "white", {1, 1, 1, 1}},
    {"Color", "black", {0, 0, 0, 1}}, {"Color", "red", {1, 0, 0, 1}},
    {"Color", "green", {0, 1, 0, 1}}, {"Color", "blue", {0, 0, 1, 1}},
    {"Color", "cyan", {0, 1, 1, 1}}, {"Color", "magenta", {1, 0, 1, 1}},
    {"Color", "yellow", {1, 0.921568632, 0.0156862754, 1}}, {"Color", "gray", {.5, .5, .5, 1}},
    {"Color", "grey", {.5, .5, .5, 1}}, {"Color", "clear", {0, 0, 0, 0}},
};

static const struct { const char *name; double value; } numbers[] = {
    {"float.MaxValue", 3.4028234663852886e38}, {"float.MinValue", -3.4028234663852886e38},
    {"float.Epsilon", 1.401298464324817e-45}, {"Mathf.PI", 3.14159274101257324},
    {"Mathf.Epsilon", 1.401298464324817e-45}, {"Mathf.Deg2Rad", 0.0174532924},
    {"Mathf.Rad2Deg", 57.29578}, {"float.PositiveInfinity", INFINITY},
    {"float.NegativeInfinity", -INFINITY}, {"Mathf.Infinity", INFINITY},
    {"Mathf.NegativeInfinity", -INFINITY}, {"double.MaxValue", 1.7976931348623157e308},
};
/* clang-format on */

static struct str keep_text(struct types *t, struct buf *b)
{
    struct str kept = arena_str(&t->arena, buf_str(b));
    buf_done(b);
    return kept;
}

/* Read "-1_000.5f", with the parts that only C# has. */
bool types_initial_number(struct str text, double *out)
{
    struct buf plain = {0};
    bool negative = false, ok = false;
    text = str_trim(text);
    while (text.n > 0 && (text.p[0] == '-' || text.p[0] == '+')) {
        negative ^= text.p[0] == '-';
        text = str_trim(str_skip(text, 1));
    }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (str_eq(text, str_from(numbers[i].name))) {
            *out = negative ? -numbers[i].value : numbers[i].value;
            return true;
        }
    int64_t whole;
    if (types_enum_constant(text, NULL, &whole)) { /* also hexadecimal */
        *out = negative ? -(double)whole : (double)whole;
        return true;
    }
    if (text.n > 1 && strchr("fFdDmM", text.p[text.n - 1]) != NULL)
        text.n--;
    bool is_plain = text.n > 0 && text.n < 64;
    for (size_t i = 0; is_plain && i < text.n; i++) {
        char c = text.p[i];
        is_plain = (c >= '0' && c <= '9') || strchr(".eE+-_", c) != NULL;
        if (c != '_')
            buf_add_char(&plain, c);
    }
    if (is_plain && plain.n > 0 && strchr("eE+-", plain.p[0]) == NULL)
        ok = yaml_double((struct yaml_value){.kind = YAML_SCALAR, .text = buf_str(&plain)}, out);
    if (ok && negative)
        *out = -*out;
    buf_done(&plain);
    return ok;
}

static void put_number(struct buf *out, const struct type *t, double d)
{
    if (t->kind == TYPE_DOUBLE)
        yaml_write_double(out, d);
    else
        yaml_write_float(out, (float)d);
}

static struct str convert_number(struct types *t, const struct type *type, struct str text)
{
    struct buf out = {0};
    double d;
    if (types_initial_number(text, &d))
        put_number(&out, type, d);
    return keep_text(t, &out);
}

static struct str convert_integer(struct types *t, const struct type *type, struct str text)
{
    struct buf out = {0};
    int64_t n;
    if (!types_enum_constant(text, type->values, &n))
        return (struct str){0};
    unsigned spare = 64u - (type->bits > 0 ? type->bits : 32u);
    uint64_t cut = (uint64_t)n << spare;
    if (type->is_signed)
        buf_printf(&out, "%lld", (long long)((int64_t)cut >> spare));
    else
        buf_printf(&out, "%llu", (unsigned long long)(cut >> spare));
    return keep_text(t, &out);
}

/* ---- texts */

static bool take_hex(struct str *rest, size_t digits, uint32_t *out)
{
    uint32_t n = 0;
    size_t i = 0;
    for (; i < rest->n && i < digits; i++) {
        char c = rest->p[i];
        uint32_t digit = c >= '0' && c <= '9'                 ? (uint32_t)(c - '0')
                         : (c | 32) >= 'a' && (c | 32) <= 'f' ? (uint32_t)((c | 32) - 'a' + 10)
                                                              : 16;
        if (digit == 16)
            break;
        n = n * 16 + digit;
    }
    *rest = str_skip(*rest, i);
    *out = n;
    return i > 0;
}

static void put_utf8(struct buf *out, uint32_t c)
{
    if (c < 0x80) {
        buf_add_char(out, (char)c);
    } else if (c < 0x800) {
        buf_add_char(out, (char)(0xc0 | c >> 6));
        buf_add_char(out, (char)(0x80 | (c & 63)));
    } else {
        buf_add_char(out, (char)(0xe0 | (c >> 12 & 15)));
        buf_add_char(out, (char)(0x80 | (c >> 6 & 63)));
        buf_add_char(out, (char)(0x80 | (c & 63)));
    }
}

/* Read an escape after its backslash. Return false for a surrogate or a long code, which are not
 * supported. */
static bool put_escape(struct buf *out, struct str *rest)
{
    static const char from[] = "0abfnrtv\\\"'", to[] = "\0\a\b\f\n\r\t\v\\\"'";
    if (rest->n == 0)
        return false;
    char c = rest->p[0];
    const char *known = strchr(from, c);
    *rest = str_skip(*rest, 1);
    if (known != NULL) {
        buf_add_char(out, to[known - from]);
        return true;
    }
    uint32_t code;
    if ((c != 'u' && c != 'x') || !take_hex(rest, 4, &code) || (code >= 0xd800 && code < 0xe000))
        return false;
    put_utf8(out, code);
    return true;
}

/* Read "..." or @"...". Text after the closing quote makes it an expression. */
bool types_initial_text(struct str text, struct buf *out)
{
    bool is_verbatim = str_starts(text, STR("@\""));
    struct str rest = str_skip(text, is_verbatim ? 2 : 1);
    if (!is_verbatim && (!str_starts(text, STR("\"")) || str_starts(text, STR("\"\"\""))))
        return false;
    while (rest.n > 0) {
        char c = rest.p[0];
        rest = str_skip(rest, 1);
        if (c == '"' && is_verbatim && rest.n > 0 && rest.p[0] == '"') {
            rest = str_skip(rest, 1);
            buf_add_char(out, '"');
        } else if (c == '"') {
            return rest.n == 0;
        } else if (c == '\\' && !is_verbatim) {
            if (!put_escape(out, &rest))
                return false;
        } else {
            buf_add_char(out, c);
        }
    }
    return false;
}

static struct str convert_string(struct types *t, struct str text)
{
    struct buf plain = {0}, out = {0};
    static const struct yaml_style style = {.quote_brackets = true};
    if (types_initial_text(text, &plain) && plain.n > 0)
        yaml_write_string(&out, &style, (struct yaml_place){0, 3}, buf_str(&plain));
    buf_done(&plain);
    return keep_text(t, &out);
}

/* ---- vectors and colors */

/* Read the arguments of "new Vector3(1, 2, 3)" or "new(1, 2, 3)" and return their number. */
static size_t take_new(struct str text, struct str simple, double parts[MAX_PARTS])
{
    size_t open = str_find(text, STR("(")), count = 0;
    if (!str_starts(text, STR("new")) || open >= text.n || text.p[text.n - 1] != ')')
        return 0;
    struct str name = str_trim(str_make(text.p + 3, open - 3));
    if (name.n > 0 && !str_eq(type_simple_name(name), simple))
        return 0;
    struct str rest = str_make(text.p + open + 1, text.n - open - 2), part;
    while (rest.n > 0 && count < MAX_PARTS) {
        str_cut(&rest, ',', &part);
        if (!types_initial_number(part, &parts[count++]))
            return 0;
    }
    return rest.n == 0 ? count : 0;
}

static bool take_constant(struct str text, struct str simple, double parts[MAX_PARTS])
{
    struct str name = type_simple_name(text);
    if (name.n + simple.n + 1 > text.n || !str_ends(str_head(text, text.n - name.n - 1), simple))
        return false;
    for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
        if (str_eq(str_from(constants[i].type), simple) &&
            str_eq(str_from(constants[i].name), name)) {
            memcpy(parts, constants[i].parts, sizeof constants[i].parts);
            return true;
        }
    return false;
}

static struct str convert_vector(struct types *t, const struct type *type, struct str text,
                                 const char *names)
{
    struct str simple = type_simple_name(type->name);
    double parts[MAX_PARTS] = {0};
    bool is_color = type->kind == TYPE_COLOR;
    size_t count = strlen(names), given = take_new(text, simple, parts);
    struct buf out = {0};
    if (given == 0 && !take_constant(text, simple, parts))
        return (struct str){0};
    if (is_color && given == 3)
        parts[3] = 1;
    for (size_t i = 0; i < count; i++) {
        buf_printf(&out, "%s%c: ", i == 0 ? "{" : ", ", names[i]);
        yaml_write_float(&out, (float)parts[i]);
    }
    buf_add_char(&out, '}');
    return keep_text(t, &out);
}

static struct str convert_color32(struct types *t, struct str text)
{
    double parts[MAX_PARTS] = {0};
    uint32_t rgba = 0;
    if (take_new(text, STR("Color32"), parts) != 4)
        return (struct str){0};
    for (unsigned i = 0; i < 4; i++)
        if (parts[i] >= 0 && parts[i] <= 255)
            rgba |= (uint32_t)parts[i] << (8 * i);
    return arena_printf(&t->arena, "\nserializedVersion: 2\nrgba: %u", rgba);
}

static struct str convert_rectangle(struct types *t, const struct type *type, struct str text)
{
    static const char *const keys[] = {"x", "y", "width", "height"};
    double parts[MAX_PARTS] = {0};
    struct buf out = {0};
    if (take_new(text, type_simple_name(type->name), parts) != 4)
        return (struct str){0};
    if (type->kind == TYPE_RECT)
        buf_add(&out, STR("\nserializedVersion: 2"));
    for (size_t i = 0; i < 4; i++) {
        buf_printf(&out, "\n%s: ", keys[i]);
        yaml_write_float(&out, (float)parts[i]);
    }
    return keep_text(t, &out);
}

static void put_key(struct types *t, struct buf *out, const float key[4])
{
    static const char *const names[] = {"time", "value", "inSlope", "outSlope"};
    struct version weights = {.major = 2018, .minor = 1};
    bool is_weighted =
        !version_is_known(t->project->version) || version_cmp(t->project->version, weights) >= 0;
    buf_printf(out, "\n- serializedVersion: %d", is_weighted ? 3 : 2);
    for (size_t i = 0; i < 4; i++) {
        buf_printf(out, "\n  %s: ", names[i]);
        yaml_write_float(out, key[i]);
    }
    buf_add(out, STR("\n  tangentMode: 0"));
    if (is_weighted)
        buf_add(out, STR("\n  weightedMode: 0\n  inWeight: 0\n  outWeight: 0"));
}

/* AnimationCurve.Linear and .EaseInOut take (time, value, time, value), .Constant (time, time,
 * value). */
static struct str convert_curve(struct types *t, struct str text)
{
    size_t open = str_find_char(text, '(');
    struct str name = str_trim(str_head(text, open));
    struct buf call = {0}, out = {0};
    double p[MAX_PARTS] = {0};
    buf_add(&call, STR("new"));
    buf_add(&call, str_skip(text, open));
    size_t count = take_new(buf_str(&call), (struct str){0}, p);
    buf_done(&call);
    bool is_constant = str_ends(name, STR("AnimationCurve.Constant")) && count == 3;
    bool is_linear = str_ends(name, STR("AnimationCurve.Linear")) && count == 4;
    if (!is_constant && !is_linear &&
        !(str_ends(name, STR("AnimationCurve.EaseInOut")) && count == 4))
        return (struct str){0};
    float start = (float)p[0], end = (float)(is_constant ? p[1] : p[2]);
    float from = (float)(is_constant ? p[2] : p[1]), to = (float)(is_constant ? p[2] : p[3]);
    float slope = is_linear && end > start ? (to - from) / (end - start) : 0;
    buf_add(&out, STR("\nserializedVersion: 2\nm_Curve:"));
    put_key(t, &out, (float[]){start, from, 0, slope});
    if (end > start)
        put_key(t, &out, (float[]){end, to, slope, 0});
    buf_add(&out, STR("\nm_PreInfinity: 2\nm_PostInfinity: 2\nm_RotationOrder: 4"));
    return keep_text(t, &out);
}

static struct str convert_layer_mask(struct types *t, struct str text)
{
    int64_t n;
    if (!types_enum_constant(text, NULL, &n))
        return (struct str){0};
    return arena_printf(&t->arena, "\nserializedVersion: 2\nm_Bits: %u", (uint32_t)n);
}

/* ---- arrays */

/* Return the text in the braces of "{ 1, 2 }", "new[] { 1 }", "new int[] { 1 }", "new List<int> { 1
 * }". */
static bool take_braces(struct str text, struct str *inside)
{
    size_t open = str_find_char(text, '{');
    if (open >= text.n || text.p[text.n - 1] != '}' || (open > 0 && !str_starts(text, STR("new"))))
        return false;
    *inside = str_trim(str_make(text.p + open + 1, text.n - open - 2));
    return true;
}

/* Take the text up to the next comma outside of brackets and quotes. */
static struct str take_element(struct str *rest)
{
    size_t depth = 0, i = 0;
    char quote = 0;
    for (; i < rest->n; i++) {
        char c = rest->p[i];
        if (quote != 0) {
            i += c == '\\';
            quote = c == quote ? 0 : quote;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '(' || c == '{' || c == '[') {
            depth++;
        } else if (c == ')' || c == '}' || c == ']') {
            depth -= depth > 0;
        } else if (c == ',' && depth == 0) {
            break;
        }
    }
    struct str element = str_trim(str_head(*rest, i < rest->n ? i : rest->n));
    *rest = str_skip(*rest, i + 1);
    return element;
}

static void put_bytes(struct buf *out, const struct type *element, struct str value)
{
    unsigned size = element->kind == TYPE_BOOL ? 1 : element->bits / 8;
    int64_t n = 0;
    types_enum_constant(value, NULL, &n);
    for (unsigned i = 0; i < size; i++)
        buf_printf(out, "%02x", (unsigned)((uint64_t)n >> (8 * i) & 255));
}

static struct str convert_array(struct types *t, const struct type *type, struct str text)
{
    struct str rest;
    struct buf out = {0};
    if (type->element->kind == TYPE_ARRAY || !take_braces(text, &rest))
        return (struct str){0};
    while (rest.n > 0) {
        struct str element = take_element(&rest);
        if (element.n == 0)
            continue; /* trailing comma */
        struct str value =
            str_eq(element, STR("false")) ? STR("0") : types_initial(t, type->element, element);
        if (value.n == 0 && str_eq(element, STR("\"\"")) && type->element->kind == TYPE_STRING)
            buf_add(&out, STR("\n- "));
        else if (value.n == 0 || str_find_char(value, '\n') < value.n) {
            buf_clear(&out); /* not a constant */
            break;
        } else if (type->is_hex)
            put_bytes(&out, type->element, value);
        else
            buf_printf(&out, "\n- %.*s", STR_ARG(value));
    }
    return keep_text(t, &out);
}

struct str types_initial(struct types *t, const struct type *type, struct str text)
{
    text = str_trim(text);
    if (text.n == 0 || text.n > (1u << 16))
        return (struct str){0};
    switch (type->kind) {
    case TYPE_BOOL:
        return str_eq(text, STR("true")) ? STR("1") : (struct str){0};
    case TYPE_INT:
    case TYPE_ENUM:
        return convert_integer(t, type, text);
    case TYPE_FLOAT:
    case TYPE_DOUBLE:
        return convert_number(t, type, text);
    case TYPE_STRING:
        return convert_string(t, text);
    case TYPE_VECTOR2:
    case TYPE_VECTOR2_INT:
        return convert_vector(t, type, text, "xy");
    case TYPE_VECTOR3:
    case TYPE_VECTOR3_INT:
        return convert_vector(t, type, text, "xyz");
    case TYPE_VECTOR4:
    case TYPE_QUATERNION:
        return convert_vector(t, type, text, "xyzw");
    case TYPE_COLOR:
        return convert_vector(t, type, text, "rgba");
    case TYPE_COLOR32:
        return convert_color32(t, text);
    case TYPE_LAYER_MASK:
        return convert_layer_mask(t, text);
    case TYPE_RECT:
    case TYPE_RECT_INT:
        return convert_rectangle(t, type, text);
    case TYPE_CURVE:
        return convert_curve(t, text);
    case TYPE_ARRAY:
        return convert_array(t, type, text);
    case TYPE_UNKNOWN:
    case TYPE_BOUNDS:
    case TYPE_BOUNDS_INT:
    case TYPE_GRADIENT:
    case TYPE_OBJECT:
    case TYPE_STRUCT:
    case TYPE_MANAGED:
    case TYPE_KIND_COUNT:
        break;
    }
    return (struct str){0};
}

bool types_initial_is_zero(const struct type *type, struct str text)
{
    static const char *const words[] = {
        "",      "null", "null!", "default",      "default!",     "false", "\"\"",
        "@\"\"", "{}",   "[]",    "string.Empty", "String.Empty", "0",     "System.String.Empty"};
    static const char *const ends[] = {"()", "[0]", "{}"};
    struct buf packed = {0};
    bool is_zero = false;
    for (size_t i = 0; i < text.n && text.n <= (1u << 16); i++)
        if (strchr(" \t\r\n", text.p[i]) == NULL)
            buf_add_char(&packed, text.p[i]);
    struct str rest = buf_str(&packed);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        is_zero |= str_eq(rest, str_from(words[i]));
    bool is_made = (str_starts(rest, STR("new")) && type->kind != TYPE_MANAGED) ||
                   str_starts(rest, STR("Array.Empty<")) || str_starts(rest, STR("default("));
    for (size_t i = 0; is_made && i < sizeof ends / sizeof *ends; i++)
        is_zero |= str_ends(rest, str_from(ends[i])) || str_starts(rest, STR("default("));
    buf_done(&packed);
    return is_zero && text.n <= (1u << 16);
}
