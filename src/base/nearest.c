#include "base/nearest.h"

static char fold_char(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c + ('a' - 'A'));
    return c == '-' ? '_' : c;
}

static size_t min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Row i of the table has the distances of the first i letters of a to every beginning of b. A swap
 * of two letters needs the row two before, so keep three. */
static size_t measure_distance(struct str a, struct str b)
{
    size_t rows[3][NEAREST_MAX + 1];
    for (size_t j = 0; j <= b.n; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= a.n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *two_above = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= b.n; j++) {
            char x = fold_char(a.p[i - 1]), y = fold_char(b.p[j - 1]);
            row[j] = min_size(min_size(above[j], row[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == fold_char(b.p[j - 2]) && y == fold_char(a.p[i - 2]))
                row[j] = min_size(row[j], two_above[j - 2] + 1);
        }
    }
    return rows[a.n % 3][b.n];
}

void nearest_offer(struct nearest *n, struct str name)
{
    size_t longer = n->wanted.n > name.n ? n->wanted.n : name.n;
    size_t shorter = n->wanted.n + name.n - longer;
    if (shorter == 0 || longer > NEAREST_MAX || (longer - shorter) * 3 > longer)
        return;
    size_t d = measure_distance(n->wanted, name);
    if (d * 3 <= longer && (n->best.n == 0 || d < n->distance)) {
        n->best = name;
        n->distance = d;
    }
}
