<?php
// Starts a flow by its hook: once, however often it has to ask. PHP 8 with its curl extension.
//
//   HOOK_URL=https://… php start-flow.php [BODY_FILE KEY]
//
// Ends with 0 when the flow has started, with 1 when the request was refused for good, and with 75
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

/** One request: its HTTP status (0 when there was no answer), and id, status and detail. */
function ask(string $hookUrl, string $key, string $body): array
{
    $curl = curl_init($hookUrl);
    curl_setopt_array($curl, [
        CURLOPT_POST => true,
        CURLOPT_POSTFIELDS => $body,
        CURLOPT_HTTPHEADER => ['Content-Type: application/json', "Idempotency-Key: $key"],
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_FOLLOWLOCATION => false,
        CURLOPT_TIMEOUT => TIMEOUT_SECONDS,
    ]);
    $text = curl_exec($curl);
    if ($text === false) {
        return ['http' => 0, 'id' => null, 'status' => 'no_answer', 'detail' => curl_error($curl)];
    }
    // A proxy in between may answer with something that is not a HookResponse.
    $answer = json_decode($text, true);
    return [
        'http' => curl_getinfo($curl, CURLINFO_RESPONSE_CODE),
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
