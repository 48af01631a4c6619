#include "base/id.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "test.h"

static bool is_hex(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

TEST(an_id_is_32_lower_case_hexadecimal_digits)
{
    for (int round = 0; round < 100; round++) {
        char id[ID_LEN + 1];
        memset(id, 'x', sizeof id);
        id_new(id);
        assert_int_equal(strlen(id), ID_LEN);
        for (size_t i = 0; i < ID_LEN; i++)
            assert_true(is_hex(id[i]));
    }
}

TEST(a_uuid_is_of_version_4)
{
    for (int round = 0; round < 100; round++) {
        char id[UUID_LEN + 1];
        id_uuid(id);
        assert_int_equal(strlen(id), UUID_LEN);
        for (size_t i = 0; i < UUID_LEN; i++)
            assert_true(i == 8 || i == 13 || i == 18 || i == 23 ? id[i] == '-' : is_hex(id[i]));
        assert_int_equal(id[14], '4');
        assert_non_null(strchr("89ab", id[19]));
    }
}

TEST(ids_are_unique)
{
    struct map seen = {0};
    for (int i = 0; i < 20000; i++) {
        char id[UUID_LEN + 1];
        (i % 2 ? id_uuid : id_new)(id);
        assert_null(map_set(&seen, str_from(id), &seen));
    }
    map_done(&seen);
}

/* Each bit is set in about half of 4,096 draws; 8 standard deviations off is a broken source. */
TEST(every_bit_is_random)
{
    int counts[128] = {0};
    for (int round = 0; round < 4096; round++) {
        uint8_t b[16];
        id_bytes(b, sizeof b);
        for (size_t i = 0; i < 128; i++)
            counts[i] += b[i / 8] >> (i % 8) & 1;
    }
    for (size_t i = 0; i < 128; i++)
        assert_in_range(counts[i], 2048 - 256, 2048 + 256);
}

TEST(large_amounts_are_filled_to_the_end)
{
    size_t n = 1 << 20;
    char *p = mem_zalloc(n + 1);
    id_bytes(p, 0);
    assert_int_equal(p[0], 0);
    id_bytes(p, n);
    char zero[16] = {0};
    assert_memory_not_equal(p + n - 16, zero, 16);
    assert_int_equal(p[n], 0);
    free(p);
}
