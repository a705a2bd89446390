#!/bin/sh
# Starts a flow by its hook once, however often the request is repeated. Any shell, with curl.
#
#   HOOK_URL=https://... sh start-flow.sh [BODY_FILE KEY]
#
# Ends with 0 when the flow has started, with 1 when the request was refused, and with 75
# when it is to be run again later with the same key. HOOK_URL is a secret: it is never printed.
set -u

if [ -z "${HOOK_URL:-}" ] || { [ $# -ne 0 ] && [ $# -ne 2 ]; }; then
  echo 'Usage: HOOK_URL=... sh start-flow.sh [BODY_FILE KEY]' >&2
  exit 2
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
body=${1:-"$folder/sample"}
key=${2:-order-1043-ready}
if [ $# -eq 0 ]; then
  cat >"$body" <<'SAMPLE'
{ "customer": { "name": "Sara", "phone": "+12025550143", "language": "en" },
  "order": { "number": "1043" } }
SAMPLE
fi
[ -r "$body" ] || exit 2

# The URL goes to curl by its standard input, so that no list of processes shows it.
ask() {
  : >"$folder/answer"
  printf 'url = "%s"\n' "$HOOK_URL" |
    curl --config - --silent --max-time 15 --output "$folder/answer" --write-out '%{http_code}' \
      --header 'Content-Type: application/json' --header "Idempotency-Key: $key" \
      --data-binary "@$body"
}
# Prints the text of a field, without JSON's escapes of quotes and backslashes. A match after a
# backslash is inside of another text.
field() {
  sed -n "s/^[^\"]*\(.*[^\\\\]\)\{0,1\}\"$1\" *: *\"\([^\"\\\\]*\(\\\\.[^\"\\\\]*\)*\)\".*/\2/p" "$folder/answer" |
    head -n 1 | sed 's/\\\(["\\/]\)/\1/g'
}

wait=${BACKOFF_SECONDS:-60}
request=1
while :; do
  http=$(ask)
  status=$(field status)
  case $http in
    200 | 202)
      echo "$status $(field id)"
      exit 0
      ;;
  esac
  echo "HTTP $http ${status:-unknown}: $(field detail)" >&2
  case $status in
    rate_limited | template_limit_reached | customer_limit_reached) ;;
    channel_unavailable | service_unavailable) ;;
    *)
      case $http in
        000 | 429 | 5??) ;;
        *) exit 1 ;;
      esac
      ;;
  esac
  [ $request -lt 6 ] || exit 75
  sleep "$wait"
  wait=$(awk "BEGIN { print $wait * 2 }")
  request=$((request + 1))
done
