#!/bin/bash
# Makes the headers that nginx generates for its modules (ngx_auto_config.h and its like) from the source
# tree and the flags that Debian's nginx-dev installs, so that the module fits Debian's binary.
#
# usage: headers.sh NGINX_SOURCE FOLDER
set -eu

source=$1
mkdir -p "$2"
cd "$2"
ln -sfn "$source/auto" auto
ln -sfn "$source/src" src
. "$source/conf_flags"
bash "$source/configure" "${NGX_CONF_FLAGS[@]}" --builddir="$PWD/objs" >configure.log 2>&1 || {
    tail -n 20 configure.log >&2
    exit 1
}
