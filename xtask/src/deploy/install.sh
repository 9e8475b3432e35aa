# Takes a program from standard input and puts it in place in one step, whole or not at all.
# $1: the folder, made if it is missing. $2: the name. $3: a name for the time being. $4: SHA-256 of
# the program.
LC_ALL=C
export LC_ALL
unset CDPATH
umask 022
echo "begun="
if ! { mkdir -p -- "$1" && cd -- "$1"; }; then
    echo "failed=the folder cannot be made"
    exit 1
fi
if [ -d "./$2" ]; then
    echo "failed=there is a folder of that name"
    exit 1
fi
trap 'rm -f "./$3"' EXIT
trap 'exit 1' HUP INT TERM PIPE
# A file of that name that is there, or a link, is not written to.
set -C
# A lost connection ends the input early and quietly: only the sum tells.
if ! cat >"./$3"; then
    echo "failed=it could not be written"
    exit 1
fi
sum=$(sha256sum <"./$3")
if [ "${sum%% *}" != "$4" ]; then
    echo "failed=what arrived is not what was sent"
    exit 1
fi
# On the medium before it has its name: a board may lose its power at any time.
if ! { chmod 755 "./$3" && sync && mv -f "./$3" "./$2"; }; then
    echo "failed=it could not be put in place"
    exit 1
fi
echo "installed=$4"
