"""Receives webhook events: verified, stored once, answered immediately, processed afterwards.
Python 3.8 or newer, nothing to install.

    SIGNING_SECRETS=whsec_... PORT=8080 INBOX=inbox python3 receive.py
    python3 receive.py vectors test-vectors.json

It listens on 127.0.0.1: your web server holds the certificate and passes POST requests on, body and
headers unchanged. SIGNING_SECRETS holds two secrets, with a space between, during a rotation.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MOST_BYTES = 65_536
MOST_SIGNATURES = 8
TOLERANCE_SECONDS = 300
KEPT_SECONDS = 30 * 24 * 60 * 60
SECRETS = os.environ.get("SIGNING_SECRETS", "").split()
INBOX = os.environ.get("INBOX", "inbox")

there_is_work = threading.Event()


def work(event):
    """Your processing. If it raises or is interrupted, it runs again, so it must be safe to repeat."""
    print("done", event["type"], event["id"], flush=True)


def is_genuine(header, body, secrets, now):
    """Returns true when the header signs exactly these bytes with one of the secrets, close to `now`."""
    t = None
    signatures = []
    for part in (header or "").split(","):
        name, _, value = part.partition("=")
        if re.search(r"\s", part):
            return False
        if name == "t":
            if t is not None or not re.fullmatch(r"0|[1-9][0-9]{0,11}", value):
                return False
            t = value
        elif name == "v1" and re.fullmatch(r"[0-9a-f]{64}", value):
            signatures.append(value)
    if t is None or not 0 < len(signatures) <= MOST_SIGNATURES:
        return False
    if abs(now - int(t)) > TOLERANCE_SECONDS:
        return False
    found = False
    for secret in filter(None, secrets):
        expected = hmac.new(secret.encode(), t.encode() + b"." + body, hashlib.sha256).hexdigest()
        for signature in signatures:
            # The comparison takes constant time, and the loop does not end early.
            found = hmac.compare_digest(expected, signature) or found
    return found


def store(event_id, body):
    """Stores an event once, in the order write, flush, rename, so that a power failure leaves all of it
    or nothing. Returns false if it is stored already. With a database, this is an insert with the id
    as primary key."""
    written = os.path.join(INBOX, "%s.%d.part" % (event_id, threading.get_ident()))
    with open(written, "wb") as file:
        file.write(body)
        file.flush()
        os.fsync(file.fileno())
    try:
        os.link(written, os.path.join(INBOX, event_id + ".json"))
        return True
    except FileExistsError:
        return False
    finally:
        os.unlink(written)


def work_through():
    """Processes stored events, and deletes those older than 30 days."""
    for name in os.listdir(INBOX) if os.path.isdir(INBOX) else []:
        if not name.endswith(".json"):
            continue
        file = os.path.join(INBOX, name)
        done = file[: -len("json")] + "done"
        try:
            if not os.path.exists(done):
                with open(file, "rb") as stored:
                    work(json.load(stored))
                open(done, "wb").close()
            elif time.time() - os.path.getmtime(file) > KEPT_SECONDS:
                os.unlink(file)
                os.unlink(done)
        except Exception as error:
            print(name, "is left for the next time:", error, file=sys.stderr)


def work_always():
    while True:
        work_through()
        there_is_work.wait()
        there_is_work.clear()


class Receiver(BaseHTTPRequestHandler):
    timeout = 15

    def do_POST(self):
        try:
            status = self.receive()
        except Exception as error:
            # The event is not stored, so the service will retry.
            print(error, file=sys.stderr)
            status = 500
        self.send_response(status)
        self.end_headers()
        there_is_work.set()

    def receive(self):
        """Returns the status of the response. Only stored events may be answered with 2xx."""
        length = int(self.headers.get("Content-Length", "0"))
        if not 0 <= length <= MOST_BYTES:
            return 413
        body = self.rfile.read(length)
        header = ",".join(self.headers.get_all("X-Service-Signature", []))
        if len(body) != length or not is_genuine(header, body, SECRETS, time.time()):
            print("refused", flush=True)
            return 401
        event = json.loads(body)
        if not re.fullmatch(r"evt_[0-9a-f]{32}", event["id"]):
            return 400
        # Test events that a member sent from the dashboard.
        word = "test" if event["test"] else "stored" if store(event["id"], body) else "again"
        print(word, event["type"], event["id"], flush=True)
        return 204

    def log_message(self, *_):
        pass


def check_vectors(file):
    """Prints whether this program agrees with each test vector."""
    with open(file, encoding="utf-8") as stored:
        vectors = json.load(stored)["vectors"]
    right = 0
    for vector in vectors:
        body = base64.b64decode(vector["bodyBase64"])
        verdict = is_genuine(vector["header"], body, vector["secrets"], vector["now"])
        if verdict == vector["valid"]:
            right += 1
        else:
            print("wrong:", vector["name"])
    print(right, "of", len(vectors), "vectors")
    return 0 if right == len(vectors) else 1


def main(arguments):
    if arguments[:1] == ["vectors"]:
        return check_vectors(arguments[1])
    if not SECRETS:
        print("Set SIGNING_SECRETS to the signing secret of your endpoint.", file=sys.stderr)
        return 2
    os.makedirs(INBOX, exist_ok=True)
    threading.Thread(target=work_always, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "8080"))), Receiver)
    print("listening on http://127.0.0.1:%d" % server.server_address[1], flush=True)
    server.serve_forever()


sys.exit(main(sys.argv[1:]))
