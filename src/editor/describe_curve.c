/* Curves and gradients with all their keys, as manage_component takes them. */
#include "editor/describe_parts.h"

#define GRADIENT_KEYS 8u

static const struct type number = {.kind = TYPE_FLOAT};

static void put_number(struct describe *d, struct jsonw *w, const char *name,
                       struct yaml_value value)
{
    jsonw_key(w, name);
    value_put_bare(d->view, w, &number, value);
}

static void put_name(struct jsonw *w, const char *key, struct yaml_value value,
                     const char *const names[], int64_t count)
{
    int64_t n = 0;
    yaml_i64(value, &n);
    jsonw_key(w, key);
    if (n >= 0 && n < count)
        jsonw_cstr(w, names[n]);
    else
        jsonw_int(w, n);
}

/* ---- curves */

static void put_key(struct describe *d, struct jsonw *w, struct yaml_value key)
{
    static const char *const modes[] = {"None", "In", "Out", "Both"};
    int64_t tangent = 0;
    yaml_i64(yaml_get(key, STR("tangentMode")), &tangent);
    jsonw_object(w);
    put_number(d, w, "time", yaml_get(key, STR("time")));
    put_number(d, w, "value", yaml_get(key, STR("value")));
    put_number(d, w, "inTangent", yaml_get(key, STR("inSlope")));
    put_number(d, w, "outTangent", yaml_get(key, STR("outSlope")));
    jsonw_kint(w, "tangentMode", tangent);
    put_name(w, "weightedMode", yaml_get(key, STR("weightedMode")), modes, 4);
    put_number(d, w, "inWeight", yaml_get(key, STR("inWeight")));
    put_number(d, w, "outWeight", yaml_get(key, STR("outWeight")));
    jsonw_end(w);
}

static void put_wrap(struct jsonw *w, const char *key, struct yaml_value value)
{
    static const char *const modes[] = {"PingPong", "Loop", "ClampForever"};
    int64_t n = 2;
    yaml_i64(value, &n);
    jsonw_kcstr(w, key, modes[n >= 0 && n < 3 ? n : 2]);
}

void describe_curve(struct describe *d, struct jsonw *w, struct yaml_value value)
{
    struct yaml_item item;
    struct yaml_walk walk = yaml_walk(yaml_get(value, STR("m_Curve")));
    size_t count = 0;
    jsonw_key(w, "value");
    jsonw_object(w);
    jsonw_key(w, "keys");
    jsonw_array(w);
    for (; yaml_next(&walk, &item); count++)
        if (count < DESCRIBE_MAX_KEYS)
            put_key(d, w, item.value);
    jsonw_end(w);
    put_wrap(w, "preWrapMode", yaml_get(value, STR("m_PreInfinity")));
    put_wrap(w, "postWrapMode", yaml_get(value, STR("m_PostInfinity")));
    jsonw_end(w);
    if (count > DESCRIBE_MAX_KEYS) {
        jsonw_kbool(w, "_truncated", true);
        jsonw_kint(w, "_total_count", (int64_t)count);
    }
}

/* ---- gradients */

static struct yaml_value numbered(struct describe *d, struct yaml_value map, const char *name,
                                  int64_t i)
{
    return yaml_get(map, arena_printf(d->view->arena, "%s%lld", name, (long long)i));
}

static void put_time(struct jsonw *w, struct yaml_value value)
{
    int64_t n = 0;
    yaml_i64(value, &n);
    jsonw_key(w, "time");
    jsonw_double(w, (double)n / 65535);
}

static int64_t key_count(struct yaml_value value)
{
    int64_t n = 0;
    yaml_i64(value, &n);
    return n < 0 ? 0 : n > (int64_t)GRADIENT_KEYS ? (int64_t)GRADIENT_KEYS : n;
}

static void put_color(struct describe *d, struct jsonw *w, struct yaml_value key)
{
    jsonw_key(w, "color");
    jsonw_object(w);
    put_number(d, w, "r", yaml_get(key, STR("r")));
    put_number(d, w, "g", yaml_get(key, STR("g")));
    put_number(d, w, "b", yaml_get(key, STR("b")));
    jsonw_end(w);
}

void describe_gradient(struct describe *d, struct jsonw *w, struct yaml_value value)
{
    static const char *const modes[] = {"Blend", "Fixed", "PerceptualBlend"};
    int64_t colors = key_count(yaml_get(value, STR("m_NumColorKeys"))),
            alphas = key_count(yaml_get(value, STR("m_NumAlphaKeys")));
    jsonw_key(w, "value");
    jsonw_object(w);
    jsonw_key(w, "colorKeys");
    jsonw_array(w);
    for (int64_t i = 0; i < colors; i++) {
        jsonw_object(w);
        put_color(d, w, numbered(d, value, "key", i));
        put_time(w, numbered(d, value, "ctime", i));
        jsonw_end(w);
    }
    jsonw_end(w);
    jsonw_key(w, "alphaKeys");
    jsonw_array(w);
    for (int64_t i = 0; i < alphas; i++) {
        jsonw_object(w);
        put_number(d, w, "alpha", yaml_get(numbered(d, value, "key", i), STR("a")));
        put_time(w, numbered(d, value, "atime", i));
        jsonw_end(w);
    }
    jsonw_end(w);
    put_name(w, "mode", yaml_get(value, STR("m_Mode")), modes, 3);
    jsonw_end(w);
}
