#!/bin/busybox sh
# The first process of the emulated Linux: drivers, network, ssh, and one line that says so.
/bin/busybox --install -s /bin
export PATH=/bin:/usr/bin:/usr/sbin
mount -t devtmpfs dev /dev
mkdir -p /dev/pts /proc /sys /tmp /run
mount -t devpts pts /dev/pts
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs tmp /tmp
mount -t tmpfs run /run
ln -s /proc/self/fd /dev/fd
while read -r module; do
    insmod "/modules/$module" || echo "onewrite: $module cannot be loaded"
done </modules/order
ip link set lo up
tries=0
while [ $tries -lt 600 ]; do
    for name in eth0 usb0; do
        if [ -e /sys/class/net/$name ]; then break 2; fi
    done
    tries=$((tries + 1))
    sleep 0.1
done
ip link set "$name" up
ip address add 10.0.2.15/24 dev "$name"
ip route add default via 10.0.2.2
dropbear -s -E -p 22 -r /etc/dropbear/host_key
# What the machine that started us waits for.
echo "onewrite: ready on $name"
exec /bin/busybox init
