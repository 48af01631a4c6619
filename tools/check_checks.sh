#!/bin/sh
# Tests the checks: each gets a tree with one error, and one without.
set -u
cd "$(dirname "$0")/.." || exit 2
tree=$(mktemp -d)
trap 'rm -rf "$tree" "$tree.wrong"' EXIT
repeat() { # times, text
    awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) print text }'
}
# Put text from stdin into a file of a clean tree; the check must fail with this message, or pass if
# "ok".
expect() { # check, message, file
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/src/base" "$tree/src/net" "$tree/tests" "$tree/bench" "$tree/unity-package/Editor" "$tree/unity-package/Tests~"
    mkdir -p "$tree/tools"
    cp tools/check_* "$tree/tools/"
    cp src/base/banned.h "$tree/src/base/"
    printf 'base:\nnet: base\n' >"$tree/src/layers.txt"
    cat >"$tree/$3"
    # shellcheck disable=SC2086 # with its options
    said=$("$tree/tools/"$1 2>&1)
    code=$?
    case $2 in
    ok) [ $code -eq 0 ] && return ;;
    *) [ $code -ne 0 ] && echo "$said" | grep -qF -e "$2" && return ;;
    esac
    echo "$1 on $3: expected \"$2\", got $code: $said" | tee "$tree.wrong"
}

echo '#include "net/x.h"' | expect check_layers.sh 'base may not include net' src/base/a.c
echo '#include "base/x.h"' | expect check_layers.sh ok src/net/a.c
printf 'net: base\nbase:\n' | expect check_layers.sh 'too early' src/layers.txt
printf 'base:\n' | expect check_layers.sh 'net is missing' src/layers.txt

echo 'size_t n(void);' | expect check_headers.sh 'does not compile alone' tests/a.h
printf '#include "base/banned.h"\nstatic inline int f(void) { return 1; }\n' | expect check_headers.sh ok tests/a.h

example() { # the lines of an example in a header
    printf '/* A.\n *\n'
    printf ' *     %s\n' "$@"
    printf ' */\nstruct a *a_new(int n, const char *name);\nvoid a_put(struct a *a);\nvoid a_each(void (*fn)(void *), void *ctx);\n'
}
example 'struct a *a = a_new(n, name);' 'if (n > 3) ...' 'a_each(on_a, &mine);' 'use(a);' 'a_put(a);' |
    expect check_examples.py ok src/base/a.h
example 'static void on_a(void *ctx)' '{' '    a_put(ctx);' '}' 'a_each(on_a, NULL);' | expect check_examples.py ok src/base/a.h
example 'new --> a_put(struct a *a) --> gone' | expect check_examples.py ok src/base/a.h
example 'multiverse serve --stdio' '{"a": 1}' | expect check_examples.py ok src/base/a.h
example 'struct a *a = a_new(1, name);' 'a_free(a);' | expect check_examples.py "a.h:4:1: error: implicit declaration of function 'a_free'" src/base/a.h
example 'a_gone(1);' | expect check_examples.py "declaration of function 'a_gone'" src/base/a.h
example 'struct a *a = a_new(1);' | expect check_examples.py "too few arguments to function 'a_new'" src/base/a.h
example 'a_put("x");' | expect check_examples.py "passing argument 1 of 'a_put'" src/base/a.h
example 'a_each(on_a, &mine);' 'a_put(on_a);' | expect check_examples.py "error: passing argument" src/base/a.h
example 'a_put(a_new(1, x->name));' | expect check_examples.py 'is declared in tests/examples.txt' src/base/a.h
example 'a_each(on_a, {' | expect check_examples.py 'brackets do not match' src/base/a.h

{ echo 'int f(void)' && echo '{' && repeat 98 '    g();' && echo '}'; } | expect check_length.py 'f: lines 101' src/base/a.c
{ echo 'int f(void)' && echo '{' && repeat 97 '    g();' && echo '}'; } | expect check_length.py ok src/base/a.c
{ echo 'static const int t[] = {' && repeat 300 '    1,' && echo '};'; } | expect check_length.py ok src/base/a.c
{ echo 'int f(void)' && echo '{' && echo '    static const int t[] = {' && repeat 300 '        1,' &&
    echo '    };' && repeat 90 '    g();' && echo '}'; } | expect check_length.py ok src/base/a.c
repeat 1001 'int x;' | expect check_length.py 'lines of the file 1001' src/base/a.c
echo 'int f(int a, int b, int (*c)(int, int), int d, int e, int g) { }' |
    expect check_length.py 'f: parameters 6' src/base/a.c
echo 'int f(int a, int b, int (*c)(int, int), int d, int e) { }' | expect check_length.py ok src/base/a.c
echo "/* $(repeat 1 x | sed 's/x/0123456789012345678901234567890123456789012345678/g')$(
    )01234567890123456789012345678901234567890123456 */" | expect check_length.py 'columns 102' src/base/a.c
nested='int f(void)
{
    if (a) {
        for (;;) {
            switch (b) {
            case 1:
                while (c)
                    %s
            }
        }
    }
}
'
# shellcheck disable=SC2059 # the text is the format
printf "$nested" 'g();' | expect check_length.py ok src/base/a.c
# shellcheck disable=SC2059
printf "$nested" 'if (d)
                        g();' | expect check_length.py 'f: levels of nesting 5' src/base/a.c
printf 'int f(void)\n{\n    struct x v = {\n        .a = {\n            .b = {\n                .c = {\n%s' \
    '                    .d = {1},
                },
            },
        },
    };
}
' | expect check_length.py ok src/base/a.c

echo 'class A { }' | expect check_package.py 'Editor/A.cs: no .meta' unity-package/Editor/A.cs
echo 'guid: 1' | expect check_package.py 'is gone' unity-package/Editor/A.cs.meta
echo '#if UNITY_2022_2_OR_NEWER' | expect check_package.py 'belongs into Editor/Compat.cs' unity-package/Editor/A.cs
echo 'EditorUtility.DisplayDialog("a", "b", "c");' | expect check_package.py 'modal' unity-package/Editor/A.cs
repeat 801 '//' | expect check_package.py 'lines of the file 801' unity-package/Tests~/A.cs
echo '#if UNITY_EDITOR' | expect check_package.py ok unity-package/Tests~/A.cs

printf 'int x; \n' | expect check_text.sh 'blanks at the end' src/base/a.c
printf 'cd /home/%s/multiverse\n' jo | expect check_text.sh 'path of a machine' src/base/a.c
printf '{"%s": "x"}\n' resolved | expect check_text.sh 'names no host' tests/package-lock.json
printf '[a](b.md)\n' | expect check_text.sh 'no such file: b.md' a.md
printf '[a](a.md#b) [c](https://c) [d](#d)\n' | expect check_text.sh ok a.md
printf '# A: b c\n[a](a.md#a-b-c)\n' | expect check_docs.py ok a.md
printf '# A\n[a](#b)\n' | expect check_docs.py 'no such heading: #b' a.md

long=$(repeat 12 'words that' | tr '\n' ' ')
echo "$long" | expect check_docs.py 'columns 132' a.md
printf '    %s\n' "$long" | expect check_docs.py ok a.md
echo "| a | $long |" | expect check_docs.py 'a table cell of 131 characters' a.md
# shellcheck disable=SC2016 # of Markdown
echo 'See `src/net/gone.c`.' | expect check_docs.py 'no such file or module: src/net/gone.c' a.md
# shellcheck disable=SC2016
echo 'See `src/base/banned.h`, `base/banned` and `src/base/x.c`.' | expect check_docs.py ok a.md
printf '```\nbase/gone\n```\n' | expect check_docs.py 'no such file or module: base/gone' a.md

printf '```\nbase/banned: gone()\n```\n' | expect check_docs.py 'src/base/banned.c does not define gone()' a.md

w() { # a word that this file must not contain
    echo "$1$2"
}
echo "/* It is $(w to ld) so. */" | expect 'check_words.py --strict src tests a.md' 'src/base/a.c:1: "is told"' src/base/a.c
printf '/* It is\n * %s so. */\n' "$(w to ld)" | expect 'check_words.py --strict src tests a.md' '"is told"' src/base/a.c
echo "TEST($(w who ever)_is_late)" | expect 'check_words.py --strict src tests a.md' '"whoever"' tests/a.c
echo "int $(w a new);" | expect 'check_words.py --strict src tests a.md' ok src/base/a.c
echo "Written $(w a new)." | expect 'check_words.py --strict src tests a.md' 'a.md:1: "anew": again' a.md
[ ! -e "$tree.wrong" ]
