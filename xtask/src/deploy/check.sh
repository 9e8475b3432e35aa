# What the board is, in lines KEY=VALUE; the last one is "end=".
# $1: the folder to write to. $2: the loader that the program needs, or nothing. $3: a name for a
# file that is gone at the end.
LC_ALL=C
export LC_ALL
unset CDPATH
echo "begun="
echo "machine=$(uname -m)"
echo "kernel=$(uname -r)"
echo "cpus=$(sed -n 's/^Cpus_allowed_list:[^0-9]*//p' /proc/self/status)"
for tool in cat mv rm chmod sha256sum tee taskset timeout; do
    if command -v "$tool" >/dev/null 2>&1; then echo "tool=$tool"; fi
done
libc=$(getconf GNU_LIBC_VERSION 2>/dev/null)
if [ -z "$libc" ] && [ -n "$2" ]; then libc=$("$2" --version 2>/dev/null | head -n 1); fi
if [ -z "$libc" ]; then libc=$(ldd --version 2>&1 | head -n 1); fi
echo "libc=$libc"
if [ -n "$2" ] && [ -e "$2" ]; then echo "loader=$2"; fi
# Nothing is made before the program is known to fit: the nearest folder that is there answers.
there=$1
while [ ! -e "$there" ] && [ ! -L "$there" ]; do
    there=${there%/*}
    there=${there:-/}
done
if [ ! -d "$there" ]; then
    echo "refused=$(mkdir -p -- "$1" 2>&1)"
# On a full disk a file is still made; on a read-only one it is not. Nobody's file is written to,
# not through a link either.
elif complaint=$({ set -C && : >"$there/$3"; } 2>&1); then
    rm -f -- "$there/$3"
    echo "free=$(df -Pk -- "$there" | tail -n 1 | awk '{ print $(NF - 2) }')"
else
    echo "refused=$complaint"
fi
echo "end="
