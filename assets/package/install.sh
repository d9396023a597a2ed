#!/bin/sh
# Installs Quadrille from the folder that this file is in, or removes it again:
#
#     sh install.sh [--prefix FOLDER] [--uninstall]
#
# It copies the files of bin/ and share/ to the same places in FOLDER (~/.local without --prefix) and does nothing else.
# It needs neither root nor the network. To remove just those files, run the same with --uninstall.
set -eu
prefix=${HOME:-}/.local
uninstall=
while [ $# -gt 0 ]; do
    case $1 in
        --prefix) [ $# -ge 2 ] || { echo "install.sh: --prefix: name a folder" >&2; exit 2; }
            prefix=$2; shift ;;
        --prefix=*) prefix=${1#--prefix=} ;;
        --uninstall) uninstall=yes ;;
        -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit ;;
        *) echo "install.sh: $1: there are only --prefix FOLDER and --uninstall" >&2; exit 2 ;;
    esac
    shift
done
case $prefix in
    /*) ;;
    *) prefix=$PWD/$prefix ;;
esac
cd "$(dirname "$0")"
[ -f bin/quadrille ] || { echo "install.sh: bin/quadrille is not beside this file; unpack the archive whole" >&2; exit 1; }

if [ "$uninstall" ]; then
    find bin share ! -type d | while IFS= read -r file; do rm -f "$prefix/$file"; done
    # Folders that others use as well are not empty, and stay.
    find bin share -depth -type d | while IFS= read -r folder; do rmdir "$prefix/$folder" 2>/dev/null || :; done
    echo "Quadrille is removed from $prefix. Your matches and settings are where they were."
    exit
fi
find bin share -type d | while IFS= read -r folder; do mkdir -p "$prefix/$folder"; done
find bin share ! -type d | while IFS= read -r file; do
    # Beside its place first: a program that is running is not written over.
    cp "$file" "$prefix/$file.new"
    mv -f "$prefix/$file.new" "$prefix/$file"
done
echo "Quadrille is installed: $prefix/bin/quadrille"
case :$PATH: in
    *:"$prefix/bin":*) ;;
    *) echo "Add $prefix/bin to your PATH to start it as quadrille." ;;
esac
