#!/bin/sh
# Creates the secrets of compose.yaml in ./secrets, unless they exist, and names the group that may read them in ./.env.
set -eu
cd "$(dirname "$0")"
# The containers run as another user of this machine, and are added to this group. In rootless Docker, a container sees
# the groups of its owner as 0.
group=$(id -g)
if docker info --format '{{.SecurityOptions}}' 2>/dev/null | grep -q rootless; then group=0; fi
touch .env
grep -q '^SECRETS_GROUP=' .env || echo "SECRETS_GROUP=$group" >> .env
[ -d secrets ] && { echo "The folder secrets exists already."; exit 0; }
umask 077
mkdir secrets
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
printf 'mg_admin_%s' "$(random)" > secrets/admin-key
printf '%s' "$(random)" > secrets/key-secret
printf 'mg_%s' "$(random)" > secrets/gateway-key
printf '%s' "$(random)" > secrets/postgres-password
printf 'postgres://gateway:%s@postgres:5432/gateway' "$(cat secrets/postgres-password)" > secrets/database-url
chgrp -R "$(id -g)" secrets
chmod 750 secrets && chmod 640 secrets/*
echo "Created secrets. The first key of a caller is in secrets/gateway-key, the admin key in secrets/admin-key."
echo "Only you and the group $(id -gn) can read them: the containers do so as that group. Everyone in it can as well."
