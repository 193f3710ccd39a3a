#!/bin/bash
# From a bare Debian to the first prediction without building: first_prediction.sh PACKAGE.deb MODEL.onnx PICTURE
#
# Makes a minimal Debian 12 in a folder of its own and prints how many seconds each step takes there. Needs root and
# debootstrap; the time for downloads is the network's.
set -euo pipefail
package=$(realpath "$1") model=$(realpath "$2") picture=$(realpath "$3")
root=$(mktemp -d)
finish() {
  mountpoint -q "$root/proc" && umount "$root/proc"
  rm -rf --one-file-system "$root"
}
trap finish EXIT

debootstrap --variant=minbase bookworm "$root" > "$root.log" || { tail -5 "$root.log"; exit 1; }
rm "$root.log"
cp "$package" "$root/root/mlc.deb"
cp "$model" "$root/root/model.onnx"
cp "$picture" "$root/root/picture.png"
cp /etc/resolv.conf "$root/etc/"
mount -t proc proc "$root/proc"

cat > "$root/root/steps.sh" <<'EOF'
set -euo pipefail
cd /root
TIMEFORMAT='%R s'
quietly() { "$@" > log 2>&1 || { tail -5 log; exit 1; }; }
quietly apt-get update
echo -n 'apt-get install ./mlc.deb: '
time DEBIAN_FRONTEND=noninteractive quietly apt-get install --yes ./mlc.deb
echo -n 'mlc compile: '
time quietly mlc compile model.onnx -o model.mlmodelc --target host
echo -n 'mlc predict: '
time quietly mlc predict model.mlmodelc --input x=picture.png --image-mean 127.5 --image-std 127.5 \
  --labels metadata:character --ctc
cat log
EOF
chroot "$root" /bin/bash /root/steps.sh
