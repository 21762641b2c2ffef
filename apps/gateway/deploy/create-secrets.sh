#!/bin/sh
# Creates the secrets of compose.yaml in ./secrets, unless they exist.
set -eu
cd "$(dirname "$0")"
[ -d secrets ] && { echo "The folder secrets exists already."; exit 0; }
umask 077
mkdir secrets
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
printf 'mg_admin_%s' "$(random)" > secrets/admin-key
printf '%s' "$(random)" > secrets/key-secret
printf 'mg_%s' "$(random)" > secrets/gateway-key
printf '%s' "$(random)" > secrets/postgres-password
printf 'postgres://gateway:%s@postgres:5432/gateway' "$(cat secrets/postgres-password)" > secrets/database-url
# The containers read them as another user.
chmod 755 secrets && chmod 644 secrets/*
echo "Created secrets. The first key of a caller is in secrets/gateway-key, the admin key in secrets/admin-key."
