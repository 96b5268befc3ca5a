#!/bin/bash
# Set the passwords of the roles from 10-bootstrap.sql. The image runs this once, for a new data folder.
set -euo pipefail

: "${DATABASE_OWNER_PASSWORD:?is missing: the password of lectern_owner, with which migrations run}"
: "${DATABASE_SERVICE_PASSWORD:?is missing: the password of lectern_service, with which the API and the workers run}"

# psql reads both from its environment, where process lists do not show them.
psql --set=ON_ERROR_STOP=1 --no-psqlrc --quiet --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
\getenv owner_password DATABASE_OWNER_PASSWORD
\getenv service_password DATABASE_SERVICE_PASSWORD
SET password_encryption = 'scram-sha-256';
ALTER ROLE lectern_owner PASSWORD :'owner_password';
ALTER ROLE lectern_service PASSWORD :'service_password';
SQL
