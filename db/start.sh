#!/bin/bash
# Start Postgres with the passwords of its two roles: from the environment, or from the files that `lectern migrate` writes.
set -euo pipefail

# password VARIABLE FILE: the value of the variable, or the content of the file as soon as it is there.
password() {
    local value=${!1:-}
    for _ in $([ -n "$value" ] || seq 120); do
        if [ -s "$2" ]; then
            value=$(<"$2")
            break
        fi
        sleep 1
    done
    [ -n "$value" ] || { echo "$1 is not set, and $2 is missing after 120 s. Is the service \`migrate\` running?" >&2; exit 1; }
    printf '%s' "$value"
}

folder=/run/lectern
DATABASE_OWNER_PASSWORD=$(password DATABASE_OWNER_PASSWORD "$folder/owner/database_owner_password")
DATABASE_SERVICE_PASSWORD=$(password DATABASE_SERVICE_PASSWORD "$folder/service/database_service_password")
# Nobody needs the superuser's password: it signs in over the socket in this container.
POSTGRES_PASSWORD=${POSTGRES_PASSWORD:-$(head -c 32 /dev/urandom | base64)}
export DATABASE_OWNER_PASSWORD DATABASE_SERVICE_PASSWORD POSTGRES_PASSWORD

# 20-passwords.sh sets the passwords in a new database. In an existing one this does, before anybody can connect.
if [ -s "$PGDATA/PG_VERSION" ]; then
    quoted() { printf "'%s'" "${1//\'/\'\'}"; }
    setpriv --reuid=postgres --regid=postgres --init-groups postgres --single -D "$PGDATA" \
        -c config_file=/etc/postgresql/postgresql.conf -c log_min_messages=fatal "$POSTGRES_DB" >/dev/null <<SQL ||
ALTER ROLE lectern_owner PASSWORD $(quoted "$DATABASE_OWNER_PASSWORD")
ALTER ROLE lectern_service PASSWORD $(quoted "$DATABASE_SERVICE_PASSWORD")
SQL
        echo "The passwords of the roles could not be set. Postgres starts with the previous ones." >&2
fi

exec docker-entrypoint.sh "$@"
