#include "cli/options.h"
#include "test.h"

static const char *const colours[] = {"red", "green", "blue", NULL};
static const struct options_row rows[] = {
    {"port", 'p', OPTIONS_NUMBER, "N", "a number", 10, 99, NULL},
    {"stdio", 's', OPTIONS_FLAG, NULL, "a flag", 0, 0, NULL},
    {"name", 0, OPTIONS_TEXT, "NAME", "a text", 0, 0, NULL},
    {"colour", 0, OPTIONS_CHOICE, "COLOUR", "a choice", 0, 0, colours},
    {"file", 'f', OPTIONS_FILE, "FILE", "a file", 0, 0, NULL},
    {"pool", 'P', OPTIONS_MANY, "NAME=N", "as often as you like", 0, 0, NULL},
    {0},
};

#define MAX_ARGS 16

static struct options o;
static struct error err;

/* Arguments separated by blanks; an argument "''" is empty. */
static bool parse(const char *line)
{
    static char text[256];
    static char *argv[MAX_ARGS + 1];
    int argc = 0;
    struct str rest = str_from(line), word;
    bool more = rest.n > 0;
    size_t at = 0;
    while (more) {
        more = str_cut(&rest, ' ', &word);
        if (str_eq(word, STR("''")))
            word = STR("");
        assert_true(at + word.n + 1 <= sizeof text && argc < MAX_ARGS);
        argv[argc++] = text + at;
        memcpy(text + at, word.p, word.n);
        text[at + word.n] = 0;
        at += word.n + 1;
    }
    argv[argc] = NULL;
    err = (struct error){0};
    return options_parse(&o, rows, argc, argv, &err);
}

static void check_bad(const char *line, const char *want)
{
    assert_false(parse(line));
    assert_int_equal(err.code, ERR_INVALID_PARAMS);
    CHECK_CSTR(str_from(err.text), want);
}

TEST(every_value_of_a_repeated_option_is_kept)
{
    assert_true(parse("--pool a=1 -Pb=2 x --pool=c"));
    assert_string_equal(options_nth(&o, "pool", 0), "a=1");
    assert_string_equal(options_nth(&o, "pool", 1), "b=2");
    assert_string_equal(options_nth(&o, "pool", 2), "c");
    assert_null(options_nth(&o, "pool", 3));
    assert_true(options_has(&o, "pool"));
    assert_true(parse("x"));
    assert_null(options_nth(&o, "pool", 0));
    assert_false(options_has(&o, "pool"));
    check_bad("--pool a --pool=", "--pool must not be empty: --pool NAME=N");
}

TEST(too_many_values_are_refused)
{
    static char *argv[OPTIONS_MAX_MANY + 2];
    static char arg[] = "-Px";
    for (size_t i = 0; i <= OPTIONS_MAX_MANY; i++)
        argv[i] = arg;
    assert_false(options_parse(&o, rows, (int)OPTIONS_MAX_MANY + 1, argv, &err));
    CHECK_CSTR(str_from(err.text), "--pool is given more than 32 times");
}

TEST(an_empty_command_line_sets_nothing)
{
    uint64_t n = 7;
    assert_true(parse(""));
    assert_int_equal(o.arg_count, 0);
    assert_null(o.args[0]);
    assert_false(o.help);
    assert_false(options_has(&o, "stdio"));
    assert_null(options_text(&o, "name"));
    assert_false(options_number(&o, "port", &n));
    assert_int_equal(n, 7);
}

TEST(a_value_follows_the_option_or_is_part_of_it)
{
    static const char *const lines[] = {"--port 42", "--port=42", "-p 42", "-p42"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        uint64_t n = 0;
        assert_true(parse(lines[i]));
        assert_true(options_number(&o, "port", &n));
        assert_int_equal(n, 42);
        assert_int_equal(o.arg_count, 0);
    }
}

TEST(a_value_may_look_like_an_option)
{
    assert_true(parse("--name --port --file=-"));
    CHECK_CSTR(str_from(options_text(&o, "name")), "--port");
    CHECK_CSTR(str_from(options_text(&o, "file")), "-");
    assert_true(parse("--name=a=b"));
    CHECK_CSTR(str_from(options_text(&o, "name")), "a=b");
}

TEST(the_last_value_counts)
{
    uint64_t n = 0;
    assert_true(parse("--port 11 -p 12 --port=13"));
    assert_true(options_number(&o, "port", &n));
    assert_int_equal(n, 13);
}

TEST(arguments_may_stand_between_options)
{
    assert_true(parse("a --port 11 b -s - c"));
    assert_int_equal(o.arg_count, 4);
    CHECK_CSTR(str_from(o.args[0]), "a");
    CHECK_CSTR(str_from(o.args[1]), "b");
    CHECK_CSTR(str_from(o.args[2]), "-");
    CHECK_CSTR(str_from(o.args[3]), "c");
    assert_null(o.args[4]);
    assert_true(options_has(&o, "stdio"));
}

TEST(after_two_dashes_everything_is_an_argument)
{
    assert_true(parse("-- --port -- -x ''"));
    assert_int_equal(o.arg_count, 4);
    CHECK_CSTR(str_from(o.args[0]), "--port");
    CHECK_CSTR(str_from(o.args[1]), "--");
    CHECK_CSTR(str_from(o.args[3]), "");
    assert_false(options_has(&o, "port"));
}

TEST(help_ends_parsing)
{
    assert_true(parse("--help --nonsense"));
    assert_true(o.help);
    assert_true(parse("a -h --port x"));
    assert_true(o.help);
    check_bad("--help=x", "--help takes no value, not \"x\"");
}

TEST(a_number_is_within_its_range)
{
    assert_true(parse("--port 10"));
    assert_true(parse("--port 99"));
    check_bad("--port 9", "--port must be a number from 10 to 99, not \"9\"");
    check_bad("--port 100", "--port must be a number from 10 to 99, not \"100\"");
    check_bad("-p 4x", "--port must be a number from 10 to 99, not \"4x\"");
    check_bad("--port=", "--port must be a number from 10 to 99, not \"\"");
    check_bad("--port -11", "--port must be a number from 10 to 99, not \"-11\"");
    check_bad("--port 99999999999999999999",
              "--port must be a number from 10 to 99, not \"99999999999999999999\"");
}

TEST(a_choice_is_one_of_its_choices)
{
    assert_true(parse("--colour green"));
    CHECK_CSTR(str_from(options_text(&o, "colour")), "green");
    check_bad("--colour pink", "--colour must be red, green or blue, not \"pink\"");
    check_bad("--colour=", "--colour must be red, green or blue, not \"\"");
}

TEST(a_text_is_not_empty)
{
    check_bad("--name=", "--name must not be empty: --name NAME");
    check_bad("--file ''", "--file must not be empty: --file FILE");
}

TEST(a_missing_value_is_named)
{
    check_bad("--name", "--name needs a value: --name NAME");
    check_bad("-p", "--port needs a value: --port N");
}

TEST(a_flag_takes_no_value)
{
    check_bad("--stdio=yes", "--stdio takes no value, not \"yes\"");
    check_bad("-syes", "--stdio takes no value, not \"yes\"");
}

TEST(the_error_of_an_unknown_option_names_the_nearest)
{
    check_bad("--prot 42", "unknown option --prot: did you mean --port?");
    check_bad("--hlp", "unknown option --hlp: did you mean --help?");
    check_bad("--zzzzzz", "unknown option --zzzzzz");
    check_bad("-x", "unknown option -x");
}

TEST(a_table_knows_its_options)
{
    assert_true(parse(""));
    assert_true(options_knows(&o, "port"));
    assert_false(options_knows(&o, "nix"));
}
