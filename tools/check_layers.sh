#!/bin/sh
# The folders of src/ form a DAG, written in src/layers.txt as "folder: folders it may include". A
# line may only name folders of earlier lines, so the file cannot describe a cycle.
cd "$(dirname "$0")/../src" || exit 2
bad=0
for folder in */; do
    grep -q "^${folder%/}:" layers.txt || { echo "layers.txt: ${folder%/} is missing" && bad=1; }
done
grep -Hno '#include "[a-z0-9_]*/' */*.[ch] | awk -F'[/:"]' '
FNR == NR && /^(#.*)?$/ { next }
FNR == NR { n = split($0, w, /[: ]+/); known[w[1]] = 1
            for (i = 2; i <= n; i++) if (w[i] != "") {
                if (!(w[i] in known) || w[i] == w[1]) {
                    print "layers.txt: " w[1] " names " w[i] " too early"; bad = 1 }
                may[w[1], w[i]] = 1 }
            next }
$1 != $5 && !(($1, $5) in may) { print $1 "/" $2 ":" $3 ": " $1 " may not include " $5; bad = 1 }
END { exit bad }' layers.txt - || bad=1
exit $bad
