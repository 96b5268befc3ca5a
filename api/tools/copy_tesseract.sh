#!/bin/bash
# Copy Tesseract, its libraries and its languages below a folder: `copy_tesseract.sh FOLDER eng ita`. Its package depends on
# what only training needs (fonts, cairo, X11): it would take 88 MB instead of 53. Runs in a stage of an image's build.
# The status of the packages comes along, because scanners of images read it.
set -euo pipefail
target=$1
languages=("${@:2}")

cd /usr/lib/"$(uname -m)"-linux-gnu
ls >/tmp/in-base
apt-get update -qq
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    tesseract-ocr "${languages[@]/#/tesseract-ocr-}" >/dev/null

status=$target/var/lib/dpkg/status.d
mkdir -p "$target$PWD" "$target/usr/bin" "$target/usr/share" "$status"
cp /usr/bin/tesseract "$target/usr/bin"
cp -r /usr/share/tesseract-ocr "$target/usr/share"
# for the direction of a page, which is not asked
rm "$target"/usr/share/tesseract-ocr/*/tessdata/osd.traineddata
packages=(tesseract-ocr "${languages[@]/#/tesseract-ocr-}")
for library in $(ldd /usr/bin/tesseract | awk '$3 ~ "^/" {print $3}'); do
    name=${library##*/}
    if grep -qxF "$name" /tmp/in-base; then continue; fi
    cp -L "$library" "$target$PWD/$name"
    owner=$(dpkg-query -S "*/$(basename "$(realpath "$library")")")
    packages+=("${owner%%:*}")
done
for package in "${packages[@]}"; do dpkg-query -s "$package" >"$status/$package"; done
