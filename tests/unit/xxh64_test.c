#include "base/xxh64.h"

#include "test.h"

TEST(ids_of_models_match_those_of_unity)
{
    assert_true((int64_t)xxh64(STR("Type:GameObject->//RootNode/root0")) == 919132149155446097);
    assert_true((int64_t)xxh64(STR("Type:Transform->//RootNode/root/Transform0")) ==
                -8679921383154817045);
    assert_true((int64_t)xxh64(STR("Type:Animator->//RootNode/root/Animator0")) ==
                5866666021909216657);
    assert_true((int64_t)xxh64(STR("Type:GameObject->//RootNode0")) == -927199367670048503);
}

TEST(texts_of_every_length_are_hashed)
{
    assert_true(xxh64(STR("")) == 0xef46db3751d8e999u);
    assert_true(xxh64(STR("a")) == 0xd24ec4f1a98c6e5bu);
    assert_true(xxh64(STR("abc")) == 0x44bc2cf5ad770999u);
    assert_true(xxh64(STR("Nobody inspects the spammish repetition")) == 0xfbcea83c8a378bf1u);
}
