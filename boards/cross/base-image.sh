#!/usr/bin/env bash
# Makes a base image for cross from Debian's packages, where no image registry answers:
#
#     boards/cross/base-image.sh podman localhost/onewrite-cross-base [RELEASE [SOURCES...]]
#
# RELEASE is Debian's, bookworm by default; SOURCES are files of apt's, Debian's own servers by
# default. Needs mmdebstrap, and no root where user namespaces are allowed. The image appears whole
# or not at all. Then, to build with it:
#
#     CROSS_BUILD_OPTS='--build-arg BASE=localhost/onewrite-cross-base' cross build --target …
set -euo pipefail
engine=${1:?podman or docker}
image=${2:?the name of the image}
release=${3:-bookworm}
shift $(($# < 3 ? $# : 3))

packages=(
    # Compilers and C libraries: cargo builds build scripts and macros for the container itself.
    gcc libc6-dev gcc-aarch64-linux-gnu libc6-dev-arm64-cross
    # Runs what was built.
    qemu-user
    # cargo may have to download.
    ca-certificates
    # What the compiler that `cargo xtask setup` assembles needs beside its own folder.
    libedit2 libstdc++6 libxml2 libz3-4 libzstd1
)
settings=(
    'ENV CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc'
    'ENV CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=qemu-aarch64'
    'ENV CC_aarch64_unknown_linux_gnu=aarch64-linux-gnu-gcc'
    'ENV QEMU_LD_PREFIX=/usr/aarch64-linux-gnu'
    # cross puts the toolchain there; Debian's compiler does not find its libraries by itself.
    'ENV LD_LIBRARY_PATH=/rust/lib'
)

changes=()
for setting in "${settings[@]}"; do
    changes+=(--change "$setting")
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mmdebstrap --quiet --variant=apt \
    --include="$(IFS=,; echo "${packages[*]}")" \
    --aptopt='Acquire::Languages "none"' \
    --dpkgopt='path-exclude=/usr/share/doc/*' \
    --dpkgopt='path-include=/usr/share/doc/*/copyright' \
    --dpkgopt='path-exclude=/usr/share/info/*' \
    --dpkgopt='path-exclude=/usr/share/locale/*' \
    --dpkgopt='path-exclude=/usr/share/man/*' \
    --dpkgopt='path-exclude=/usr/bin/qemu-*' \
    --dpkgopt='path-include=/usr/bin/qemu-aarch64' \
    "$release" "$folder/image.tar" "$@"
"$engine" import "${changes[@]}" "$folder/image.tar" "$image"
