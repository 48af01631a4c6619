/* Graphs for tests of pictures: from a text, a line for each node
 *
 *     name | label | title | needs needs
 *
 * or at random. Names with \ have the escapes of C: \n, \e, \xNN. */
#pragma once

#include <stdlib.h>

#include "base/arena.h"
#include "base/rng.h"
#include "orchestrator/draw.h"
#include "test.h"

#define MOST_NODES 3000u
#define MOST_EDGES 30000u

static struct arena drawn; /* owns the texts and nodes */
static struct draw_node nodes[MOST_NODES];
static struct graph_edge edges[MOST_EDGES];
static struct draw d;

static inline void no_graph(void)
{
    arena_done(&drawn);
    memset(nodes, 0, sizeof nodes);
    d = (struct draw){.graph = {.edges = edges}, .nodes = nodes};
}

static inline enum draw_tone tone_of(struct str label)
{
    static const struct {
        const char *label;
        enum draw_tone tone;
    } tones[] = {{"READY", DRAW_WAITS},    {"RETRY_WAIT", DRAW_WAITS}, {"RUNNING", DRAW_WORKS},
                 {"SUCCEEDED", DRAW_GOOD}, {"FAILED", DRAW_BAD},       {"BLOCKED", DRAW_BAD},
                 {"CANCELLED", DRAW_OUT}};
    for (size_t i = 0; i < sizeof tones / sizeof *tones; i++)
        if (str_eq(label, str_from(tones[i].label)))
            return tones[i].tone;
    return DRAW_PLAIN;
}

static inline struct str unescape(struct str s)
{
    struct buf out = {0};
    for (size_t i = 0; i < s.n; i++) {
        char c = s.p[i];
        if (c != '\\' || i + 1 == s.n) {
            buf_add_char(&out, c);
            continue;
        }
        c = s.p[++i];
        if (c == 'x' && i + 2 < s.n) {
            char hex[3] = {s.p[i + 1], s.p[i + 2], 0};
            buf_add_char(&out, (char)strtol(hex, NULL, 16));
            i += 2;
        } else {
            buf_add_char(&out, c == 'n' ? '\n' : c == 'e' ? '\033' : c);
        }
    }
    struct str made = arena_str(&drawn, buf_str(&out));
    buf_done(&out);
    return made;
}

static inline uint32_t node_named(struct str name)
{
    for (uint32_t i = 0; i < d.graph.count; i++)
        if (str_eq(nodes[i].name, name))
            return i;
    fail_msg("no node %.*s", STR_ARG(name));
    return 0;
}

static inline void read_graph(struct str text)
{
    struct str line, part, rest;
    no_graph();
    for (rest = text; rest.n;) {
        struct draw_node *n = &nodes[d.graph.count];
        str_cut(&rest, '\n', &line);
        if (!line.n)
            continue;
        str_cut(&line, '|', &part);
        n->name = unescape(str_trim(part));
        str_cut(&line, '|', &part);
        n->label = unescape(str_trim(part));
        n->tone = tone_of(n->label);
        str_cut(&line, '|', &part);
        n->title = unescape(str_trim(part));
        d.graph.count++;
    }
    uint32_t node = 0;
    for (rest = text; rest.n;) {
        str_cut(&rest, '\n', &line);
        if (!line.n)
            continue;
        for (int i = 0; i < 3; i++)
            str_cut(&line, '|', &part);
        for (line = str_trim(line); line.n;) {
            str_cut(&line, ' ', &part);
            edges[d.graph.edge_count++] = (struct graph_edge){node, node_named(unescape(part))};
        }
        node++;
    }
}

/* No node needs one that is more than `back` before it. */
static inline void random_graph(struct rng *rng, uint32_t count, size_t edge_count, uint32_t back)
{
    static const char *const labels[] = {"PENDING", "READY",     "RUNNING", "SUCCEEDED",
                                         "FAILED",  "CANCELLED", "BLOCKED", "RETRY_WAIT"};
    no_graph();
    d.graph.count = count;
    for (uint32_t i = 0; i < count; i++) {
        nodes[i].name = arena_printf(&drawn, "t%u", i);
        nodes[i].label = str_from(labels[rng_below(rng, 8)]);
        nodes[i].tone = tone_of(nodes[i].label);
    }
    while (d.graph.edge_count < edge_count && count > 1) {
        uint32_t node = 1 + (uint32_t)rng_below(rng, count - 1);
        uint32_t most = node < back ? node : back;
        edges[d.graph.edge_count++] =
            (struct graph_edge){node, node - 1 - (uint32_t)rng_below(rng, most)};
    }
}

/* ---- sets of edges, to be compared */

struct pairs {
    bool has[200][200]; /* [node][needs] */
    unsigned times[200][200];
};

static inline void expect_edges(const struct pairs *got)
{
    static struct pairs want;
    memset(&want, 0, sizeof want);
    assert_true(d.graph.count <= 200);
    for (size_t i = 0; i < d.graph.edge_count; i++)
        want.has[edges[i].node][edges[i].needs] = true;
    for (uint32_t a = 0; a < d.graph.count; a++)
        for (uint32_t b = 0; b < d.graph.count; b++) {
            if (want.has[a][b] != got->has[a][b])
                fail_msg("%.*s %s %.*s, and the picture says otherwise", STR_ARG(nodes[a].name),
                         want.has[a][b] ? "needs" : "does not need", STR_ARG(nodes[b].name));
            if (got->times[a][b] > 1)
                fail_msg("%.*s to %.*s is drawn %u times", STR_ARG(nodes[b].name),
                         STR_ARG(nodes[a].name), got->times[a][b]);
        }
}
