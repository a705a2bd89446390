<?php
// Receives webhook events: verified, stored once, answered immediately, processed afterwards.
// PHP 8.1, nothing to install.
//
//   SIGNING_SECRETS=whsec_… INBOX=inbox php -S 127.0.0.1:8080 receive.php   # to try it
//   INBOX=inbox php receive.php work                  # from cron, every minute: processes new events
//   php receive.php vectors test-vectors.json
//
// In production your web server runs it, like your other PHP. SIGNING_SECRETS holds two secrets,
// with a space between, during a rotation.
declare(strict_types=1);

const MOST_BYTES = 65_536;
const MOST_SIGNATURES = 8;
const TOLERANCE_SECONDS = 300;
const KEPT_SECONDS = 30 * 24 * 60 * 60;

/** Your processing. If it throws or is interrupted, it runs again, so it must be safe to repeat. */
function work(array $event): void
{
    echo "done {$event['type']} {$event['id']}\n";
}

/** Returns true when the header signs exactly these bytes with one of the secrets, close to $now. */
function isGenuine(?string $header, string $body, array $secrets, int $now): bool
{
    $t = null;
    $signatures = [];
    foreach (explode(',', $header ?? '') as $part) {
        if (preg_match('/\s/', $part) === 1) {
            return false;
        }
        [$name, $value] = explode('=', $part, 2) + [1 => ''];
        if ($name === 't') {
            if ($t !== null || preg_match('/^(0|[1-9][0-9]{0,11})$/D', $value) !== 1) {
                return false;
            }
            $t = $value;
        } elseif ($name === 'v1' && preg_match('/^[0-9a-f]{64}$/D', $value) === 1) {
            $signatures[] = $value;
        }
    }
    if ($t === null || $signatures === [] || count($signatures) > MOST_SIGNATURES) {
        return false;
    }
    if (abs($now - (int) $t) > TOLERANCE_SECONDS) {
        return false;
    }
    $found = false;
    foreach (array_filter($secrets) as $secret) {
        $expected = hash_hmac('sha256', "$t.$body", $secret);
        foreach ($signatures as $signature) {
            // The comparison takes constant time, and the loop does not end early.
            $found = hash_equals($expected, $signature) || $found;
        }
    }
    return $found;
}

/**
 * Stores an event once, in the order write, flush, rename, so that a power failure leaves all of it
 * or nothing. Returns false if it is stored already. With a database, this is an insert with the id
 * as primary key.
 */
function store(string $inbox, string $id, string $body): bool
{
    $written = tempnam($inbox, 'part');
    try {
        $file = fopen($written, 'wb');
        if (fwrite($file, $body) !== strlen($body) || !fsync($file) || !fclose($file)) {
            throw new RuntimeException("$id could not be written");
        }
        if (@link($written, "$inbox/$id.json")) {
            return true;
        }
        if (file_exists("$inbox/$id.json")) {
            return false;
        }
        throw new RuntimeException("$id could not be stored");
    } finally {
        unlink($written);
    }
}

/** Processes stored events, and deletes those older than 30 days. */
function workThrough(string $inbox): void
{
    foreach (glob("$inbox/evt_*.json") as $file) {
        $done = preg_replace('/json$/', 'done', $file);
        try {
            if (!file_exists($done)) {
                work(json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR));
                touch($done);
            } elseif (time() - filemtime($file) > KEPT_SECONDS) {
                unlink($file);
                unlink($done);
            }
        } catch (Throwable $error) {
            fwrite(STDERR, "$file is left for the next time: {$error->getMessage()}\n");
        }
    }
}

/** Returns the status of the response. Only stored events may be answered with 2xx. */
function receive(array $secrets, string $inbox): int
{
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return 405;
    }
    $body = file_get_contents('php://input', length: MOST_BYTES + 1);
    if (strlen($body) > MOST_BYTES) {
        return 413;
    }
    if (!isGenuine($_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? null, $body, $secrets, time())) {
        error_log('refused');
        return 401;
    }
    $event = json_decode($body, true, flags: JSON_THROW_ON_ERROR);
    if (preg_match('/^evt_[0-9a-f]{32}$/D', $event['id']) !== 1) {
        return 400;
    }
    // Test events that a member sent from the dashboard.
    $isStored = !$event['test'] && store($inbox, $event['id'], $body);
    $word = $event['test'] ? 'test' : ($isStored ? 'stored' : 'again');
    error_log("$word {$event['type']} {$event['id']}");
    return 204;
}

/** Prints whether this program agrees with each test vector. */
function checkVectors(string $file): int
{
    $vectors = json_decode(file_get_contents($file), true, flags: JSON_THROW_ON_ERROR)['vectors'];
    $right = 0;
    foreach ($vectors as $vector) {
        $body = base64_decode($vector['bodyBase64'], true);
        if (isGenuine($vector['header'], $body, $vector['secrets'], $vector['now']) === $vector['valid']) {
            $right++;
        } else {
            echo "wrong: {$vector['name']}\n";
        }
    }
    echo "$right of ", count($vectors), " vectors\n";
    return $right === count($vectors) ? 0 : 1;
}

$inbox = getenv('INBOX') ?: 'inbox';
$secrets = preg_split('/\s+/', (string) getenv('SIGNING_SECRETS'), flags: PREG_SPLIT_NO_EMPTY);
if (!is_dir($inbox) && ($argv[1] ?? '') !== 'vectors') {
    mkdir($inbox, 0o700, true);
}
if (PHP_SAPI === 'cli') {
    if (($argv[1] ?? '') === 'vectors') {
        exit(checkVectors($argv[2]));
    }
    workThrough($inbox);
    exit(0);
}
try {
    http_response_code(receive($secrets, $inbox));
} catch (Throwable $error) {
    // The event is not stored, so the service will retry.
    error_log($error->getMessage());
    http_response_code(500);
}
