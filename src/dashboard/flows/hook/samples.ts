/** A sample request to a hook URL, in common languages. */
const BODY = {
  customer: { name: 'Sara', phone: '+966501234567', language: 'ar' },
  order: { id: '1043' },
}

export type Sample = 'curl' | 'JavaScript' | 'PHP' | 'Python'

/** The kinds of samples in the order of their tabs. */
export const SAMPLES: readonly Sample[] = ['curl', 'JavaScript', 'PHP', 'Python']

/**
 * Returns a sample request to a hook URL, as a command or in a programming language. `url` is null when the URL is
 * known to the company's own system only, since it was shown once.
 */
export function sampleOf(kind: Sample, url: string | null): string {
  const json = JSON.stringify(BODY)
  switch (kind) {
    case 'curl':
      return `curl -i ${url === null ? '"$HOOK_URL"' : `'${url}'`} \\
  -H 'Content-Type: application/json' \\
  -H 'Idempotency-Key: order-1043-ready' \\
  -d '${json}'`
    case 'JavaScript':
      return `const answer = await fetch(${url === null ? 'process.env.HOOK_URL' : `'${url}'`}, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'idempotency-key': 'order-1043-ready',
  },
  body: JSON.stringify(${JSON.stringify(BODY, null, 2).replaceAll('\n', '\n  ')}),
})
console.log(answer.status, await answer.json())`
    case 'PHP':
      return `$call = curl_init(${url === null ? "getenv('HOOK_URL')" : `'${url}'`});
curl_setopt_array($call, [
  CURLOPT_POST => true,
  CURLOPT_RETURNTRANSFER => true,
  CURLOPT_HTTPHEADER => [
    'Content-Type: application/json',
    'Idempotency-Key: order-1043-ready',
  ],
  CURLOPT_POSTFIELDS => '${json}',
]);
echo curl_exec($call);`
    case 'Python':
      return `import json, os, urllib.request

request = urllib.request.Request(
    ${url === null ? "os.environ['HOOK_URL']" : `'${url}'`},
    data=json.dumps(${json}).encode(),
    headers={'Content-Type': 'application/json', 'Idempotency-Key': 'order-1043-ready'},
)
print(urllib.request.urlopen(request).read())`
  }
}
