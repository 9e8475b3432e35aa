# Runs a program that was installed, and says on standard error how it ended and what it printed.
# $1: the folder. $2: the name. $3: a mask of cores, or nothing. $4: a limit in seconds, or
# nothing. $5: a word that marks our lines. All others: arguments of the program.
unset CDPATH
cd -- "$1" || exit 1
name=$2 cores=$3 limit=$4 mark=$5
shift 5
set -- "./$name" "$@"
if [ -n "$cores" ]; then set -- taskset "$cores" "$@"; fi
if [ -n "$limit" ]; then set -- timeout -s KILL "$limit" "$@"; fi
echo "onewrite-begun $mark" >&2
# Standard output goes to ssh as it comes and into a sum: what arrives can be compared. The cat
# makes sure that descriptor 4 is a pipe, since a socket cannot be opened again.
{
    {
        "$@" </dev/null 4>&-
        printf '\nonewrite-status %s %s\n' "$mark" "$?" >&2
    } | tee /proc/self/fd/4 | sha256sum | sed "s/^/onewrite-output $mark /" >&2
} 4>&1 | cat
