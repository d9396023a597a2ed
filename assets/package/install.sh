#!/bin/sh
# Installs or removes Quadrille:
#
#     sh install.sh [--prefix FOLDER] [--uninstall]
#
# Copies bin/ and share/ from beside this script to FOLDER (default: ~/.local) and changes nothing else. Needs no root
# access and no network. --uninstall removes only these files.
set -eu
umask 022

refuse() {
    echo "install.sh: $1" >&2
    exit "${2:-1}"
}

prefix=${HOME:+$HOME/.local}
uninstall=
while [ $# -gt 0 ]; do
    case $1 in
        --prefix) [ $# -ge 2 ] || refuse "--prefix: name a folder" 2
            prefix=$2; shift ;;
        --prefix=*) prefix=${1#--prefix=} ;;
        --uninstall) uninstall=yes ;;
        -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit ;;
        *) refuse "$1: there are only --prefix FOLDER and --uninstall" 2 ;;
    esac
    shift
done
case $prefix in
    '') refuse "there is no HOME to install into; name a folder with --prefix FOLDER" 2 ;;
    /*) ;;
    *) prefix=$PWD/$prefix ;;
esac
CDPATH='' cd -- "$(dirname -- "$0")"
[ -f bin/quadrille ] || refuse "bin/quadrille is not beside this file; unpack the archive whole"

# File names are split at newlines. They contain no glob characters.
IFS='
'
files=$(find bin share ! -type d)

if [ "$uninstall" ]; then
    for file in $files; do rm -f "$prefix/$file"; done
    # rmdir keeps folders that contain other programs' files.
    for folder in $(find bin share -depth -type d); do rmdir "$prefix/$folder" 2>/dev/null || :; done
    echo "Quadrille is removed from $prefix. Your matches and settings are where they were."
    exit
fi

bin/quadrille --version >/dev/null ||
    refuse "this program does not run on this machine, so nothing was installed; docs/install.md in share/doc/quadrille says how to build it"
for file in $files; do
    # mv would move the new file into an existing folder.
    [ ! -d "$prefix/$file" ] || refuse "$prefix/$file is a folder; move it away, then run this again"
done

remove_new() {
    for file in $files; do rm -f "$prefix/$file.new"; done
}
# cp would write through a leftover symlink.
remove_new
trap 'remove_new' EXIT
trap 'exit 1' HUP INT TERM
# Files are first copied under temporary names, so a full disk changes nothing and no running program is overwritten.
for folder in $(find bin share -type d); do mkdir -p "$prefix/$folder"; done
for file in $files; do
    cp "$file" "$prefix/$file.new" || refuse "nothing was installed in $prefix"
done
for file in $files; do mv -f "$prefix/$file.new" "$prefix/$file"; done
"$prefix/bin/quadrille" --version >/dev/null || refuse "$prefix/bin/quadrille is installed, but does not run there"
echo "Quadrille is installed: $prefix/bin/quadrille"
case :$PATH: in
    *:"$prefix/bin":*) ;;
    *) echo "Add $prefix/bin to your PATH to start it as quadrille." ;;
esac
