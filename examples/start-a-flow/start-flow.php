<?php
// Starts a flow by its hook once, however often the request is repeated. PHP 8, nothing to install.
//
//   HOOK_URL=https://… php start-flow.php [BODY_FILE KEY]
//
// Ends with 0 when the flow has started, with 1 when the request was refused, and with 75
// when it is to be run again later with the same key. HOOK_URL is a secret: it is never printed.
declare(strict_types=1);

const SAMPLE = [
    'customer' => ['name' => 'Sara', 'phone' => '+12025550143', 'language' => 'en'],
    'order' => ['number' => '1043'],
];
const TRY_AGAIN = [
    'rate_limited',
    'template_limit_reached',
    'customer_limit_reached',
    'channel_unavailable',
    'service_unavailable',
];
const TIMEOUT_SECONDS = 15;
const MOST_REQUESTS = 6;

/** Sends one request. Returns its HTTP status (0 without a response), and id, status and detail. */
function ask(string $hookUrl, string $key, string $body): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Content-Type: application/json', "Idempotency-Key: $key"],
        'content' => $body,
        'follow_location' => 0,
        'ignore_errors' => true,
        'timeout' => TIMEOUT_SECONDS,
    ]]);
    error_clear_last();
    $stream = @fopen($hookUrl, 'rb', false, $context);
    if ($stream === false) {
        // PHP's message begins with the URL, which is a secret.
        $why = preg_replace('/^.*\): /s', '', error_get_last()['message'] ?? '');
        return ['http' => 0, 'id' => null, 'status' => 'no_answer', 'detail' => $why];
    }
    $text = (string) stream_get_contents($stream);
    $statusLine = stream_get_meta_data($stream)['wrapper_data'][0] ?? '';
    fclose($stream);
    // A proxy may respond with something other than a HookResponse.
    $answer = json_decode($text, true);
    return [
        'http' => (int) (explode(' ', $statusLine)[1] ?? 0),
        'id' => $answer['id'] ?? null,
        'status' => $answer['status'] ?? 'unknown',
        'detail' => $answer['detail'] ?? null,
    ];
}

function isWorthAnotherTry(array $answer): bool
{
    return in_array($answer['status'], TRY_AGAIN, true)
        || in_array($answer['http'], [0, 429], true)
        || $answer['http'] >= 500;
}

$hookUrl = (string) getenv('HOOK_URL');
$backoff = getenv('BACKOFF_SECONDS') === false ? 60.0 : (float) getenv('BACKOFF_SECONDS');
if ($hookUrl === '' || ($argc !== 1 && $argc !== 3)) {
    fwrite(STDERR, "Usage: HOOK_URL=… php start-flow.php [BODY_FILE KEY]\n");
    exit(2);
}
$key = $argv[2] ?? 'order-1043-ready';
$body = $argc === 3
    ? file_get_contents($argv[1])
    : json_encode(SAMPLE, JSON_UNESCAPED_UNICODE | JSON_THROW_ON_ERROR);
if ($body === false) {
    exit(2);
}

for ($request = 1; ; $request++) {
    $answer = ask($hookUrl, $key, $body);
    if (in_array($answer['http'], [200, 202], true)) {
        echo "{$answer['status']} {$answer['id']}\n";
        exit(0);
    }
    fwrite(STDERR, "HTTP {$answer['http']} {$answer['status']}: {$answer['detail']}\n");
    if (!isWorthAnotherTry($answer)) {
        exit(1);
    }
    if ($request === MOST_REQUESTS) {
        exit(75);
    }
    usleep((int) ($backoff * 2 ** ($request - 1) * 1_000_000));
}
