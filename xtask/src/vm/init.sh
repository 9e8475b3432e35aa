#!/bin/busybox sh
# The first process of the emulated Linux: drivers, network, ssh, and one line that says so, or one
# that says what failed. The machine that started us waits for either.
failed() {
    /bin/busybox echo "onewrite: failed: $1"
    # The line has to leave first.
    /bin/busybox sleep 1
    /bin/busybox poweroff -f
    # Not every machine can.
    while :; do /bin/busybox sleep 60; done
}
must() { "$@" || failed "$*"; }
must /bin/busybox --install -s /bin
export PATH=/bin:/usr/bin:/usr/sbin
must mount -t devtmpfs dev /dev
must mkdir -p /dev/pts /proc /sys /tmp /run
must mount -t devpts pts /dev/pts
must mount -t proc proc /proc
must mount -t sysfs sys /sys
must mount -t tmpfs tmp /tmp
must mount -t tmpfs run /run
must ln -s /proc/self/fd /dev/fd
while read -r module; do
    must insmod "/modules/$module"
done </modules/order
must ip link set lo up
tries=0
name=
while [ -z "$name" ]; do
    for found in eth0 usb0; do
        if [ -e /sys/class/net/$found ]; then name=$found; fi
    done
    if [ $tries -ge 600 ]; then failed "no network device came up within a minute"; fi
    tries=$((tries + 1))
    if [ -z "$name" ]; then sleep 0.1; fi
done
must ip link set "$name" up
must ip address add 10.0.2.15/24 dev "$name"
must ip route add default via 10.0.2.2
# It goes to the background once it listens.
must dropbear -s -E -p 22 -r /etc/dropbear/host_key && echo "onewrite: ready on $name"
exec /bin/busybox init
