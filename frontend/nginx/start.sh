#!/bin/sh
# Names of services are looked up while nginx runs, at the first name server of this container, which knows them:
# nginx would ask all in turn, and believe another one that a service does not exist.
set -eu
server=$(awk '$1 == "nameserver" { print (index($2, ":") ? "[" $2 "]" : $2); exit }' /etc/resolv.conf)
echo "resolver ${server:-127.0.0.11} valid=2s ipv6=off;" >/tmp/resolver.conf
exec nginx -e /dev/stderr -c /opt/lectern/nginx/nginx.conf -g 'daemon off;'
