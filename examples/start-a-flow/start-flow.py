"""Starts a flow by its hook once, however often the request is repeated. Python 3.8 or newer, nothing to install.

    HOOK_URL=https://... python3 start-flow.py [BODY_FILE KEY]

Ends with 0 when the flow has started, with 1 when the request was refused, and with 75 when
it is to be run again later with the same key. HOOK_URL is a secret: it is never printed.
"""
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.request

SAMPLE = {
    "customer": {"name": "Sara", "phone": "+12025550143", "language": "en"},
    "order": {"number": "1043"},
}
TRY_AGAIN = {
    "rate_limited",
    "template_limit_reached",
    "customer_limit_reached",
    "channel_unavailable",
    "service_unavailable",
}
TIMEOUT_SECONDS = 15
MOST_REQUESTS = 6


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Refuses redirects: the body goes to the hook URL and nowhere else."""

    def redirect_request(self, *args):
        return None


opener = urllib.request.build_opener(NoRedirect)


def ask(hook_url, key, body):
    """Sends one request. Returns its HTTP status (0 without a response), and id, status and detail."""
    request = urllib.request.Request(
        hook_url,
        data=body,
        method="POST",
        headers={"Content-Type": "application/json", "Idempotency-Key": key},
    )
    try:
        with opener.open(request, timeout=TIMEOUT_SECONDS) as response:
            return (response.status, *read_answer(response.read()))
    except urllib.error.HTTPError as error:
        return (error.code, *read_answer(error.read()))
    except (OSError, http.client.HTTPException) as error:
        return (0, None, "no_answer", type(error).__name__)


def read_answer(raw):
    """A proxy may respond with something other than a HookResponse."""
    try:
        answer = json.loads(raw)
        return answer.get("id"), answer.get("status", "unknown"), answer.get("detail")
    except (ValueError, AttributeError):
        return None, "unknown", None


def is_worth_another_try(code, status):
    return status in TRY_AGAIN or code in (0, 429) or code >= 500


def main(arguments):
    hook_url = os.environ.get("HOOK_URL")
    backoff = float(os.environ.get("BACKOFF_SECONDS", "60"))
    if not hook_url or len(arguments) not in (0, 2):
        print("Usage: HOOK_URL=... python3 start-flow.py [BODY_FILE KEY]", file=sys.stderr)
        return 2
    if arguments:
        key = arguments[1]
        with open(arguments[0], "rb") as file:
            body = file.read()
    else:
        key = "order-1043-ready"
        body = json.dumps(SAMPLE, ensure_ascii=False).encode("utf-8")

    for request in range(1, MOST_REQUESTS + 1):
        code, run_id, status, detail = ask(hook_url, key, body)
        if code in (200, 202):
            print(status, run_id)
            return 0
        print(f"HTTP {code} {status}: {detail or ''}", file=sys.stderr)
        if not is_worth_another_try(code, status):
            return 1
        if request < MOST_REQUESTS:
            time.sleep(backoff * 2 ** (request - 1))
    return 75


sys.exit(main(sys.argv[1:]))
