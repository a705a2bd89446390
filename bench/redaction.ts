/**
 * Measures the CPU time of removing a credential from an answer of 256 KB, in ms. The answers are an ordinary one, by
 * its values and as one text, and hostile ones. `JSON.parse` of the same text is the comparison.
 *
 *   npm run bench:redaction [-- ROUNDS]
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { createRedactor } from '../src/infra/redaction/redactor.ts'
import { startCpuWatch } from '../test/support/stopwatch.ts'
import { CALL_LIMITS } from '../src/core/limits/calls.ts'

const ROUNDS = Number(process.argv[2] ?? 15)
const TOKEN = 'tok_9fQ2/x+Lm7Rz-sZ4'

/** Returns bytes without a pattern, the same in every run. */
function noise(bytes: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(bytes / 32) }, (_, at) =>
    createHash('sha256').update(String(at)).digest(),
  )
  return Buffer.concat(blocks).subarray(0, bytes)
}

/** Returns an order as a merchant's API responds with it. */
function order(number: number) {
  const id = noise(32 * (number + 1))
    .subarray(-16)
    .toString('hex')
  const uuid = id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return {
    id: uuid,
    number: `A-${1_000 + number}`,
    status: number % 3 === 0 ? 'out_for_delivery' : 'delivered',
    placedAt: '2026-11-28T09:41:07.512Z',
    total: 349.9 + number,
    currency: 'SAR',
    customer: { name: 'سارة العتيبي', phone: '+966501234567', email: `sara.${number}@example.com` },
    items: [
      { sku: `ABY-${number}-XL`, title: 'عباية سوداء مطرزة', quantity: 2, price: 149.95 },
      { sku: `SCF-${number}`, title: 'Silk scarf & gift box', quantity: 1, price: 50 },
    ],
    tracking: `https://carrier.example/track/${id}?lang=ar&ref=A%2D${number}`,
    note: 'Please leave it with the guard at the gate, and call before you come.',
    isGift: number % 2 === 0,
  }
}

function ordinary(bytes: number): string {
  const orders: ReturnType<typeof order>[] = []
  for (let size = 0; size < bytes; size += JSON.stringify(orders.at(-1)).length + 1) {
    orders.push(order(orders.length))
  }
  return JSON.stringify({ orders, page: 1 })
}

const BYTES = CALL_LIMITS.answerBytes
const fill = (unit: string) => unit.repeat(Math.ceil(BYTES / unit.length)).slice(0, BYTES)
const quoted = (text: string) => JSON.stringify({ data: text })

/** The answers, all JSON. The credential is removed from the parsed values, or from the whole text with `as text`. */
const ANSWERS: [name: string, make: () => string, asText?: 'as text'][] = [
  ['ordinary JSON', () => ordinary(BYTES)],
  ['ordinary JSON, as one text', () => ordinary(BYTES), 'as text'],
  ['ordinary JSON of 2 KB', () => ordinary(1_400)],
  ['a picture in Base64', () => quoted(noise((BYTES * 3) / 4).toString('base64'))],
  ['hexadecimal', () => quoted(noise(BYTES / 2).toString('hex'))],
  ['one run of letters', () => quoted(fill('QUJDRA'))],
  [
    'Base64 within Base64',
    () =>
      quoted(
        Buffer.from(Buffer.from(fill('order ')).toString('base64'))
          .toString('base64')
          .slice(0, BYTES),
      ),
  ],
  ['escapes within escapes', () => quoted(fill('%25\\u005c&#38;'))],
  [
    'escapes, and letters between',
    () => quoted(fill('%26amp;\\u0026QUJDREVGR0hJSktMTU5PUFFSU1Q=3D&#37;25')),
  ],
  ['heads of gzip', () => quoted(fill('H4sIAAAAAAAAA-'))],
  [
    'zeros, compressed',
    () =>
      JSON.stringify(
        Array.from({ length: 3_000 }, () => gzipSync(Buffer.alloc(60_000)).toString('base64')),
      ),
  ],
  ['percent of percent', () => quoted(fill('%2525252541'))],
  ['all four, many layers', () => quoted(fill('=2525%3D26amp;amp;\\\\u0025%3D3D3D&#x26;#37;4x'))],
  ['braces that never end', () => quoted(fill('\\u{'))],
  ['named entities', () => quoted(fill('&amp;amp;'))],
  ['one letter', () => quoted(fill('V'))],
  ['hexadecimal within itself', () => quoted(fill('363436363635'))],
  ['gzip, many apart', () => quoted(fill('H4sIAAAAAAAAA0vOSM3JyVcozy/KSQEAhRFKDQ.'))],
  ['zlib, many apart', () => quoted(fill('eJxLTEpOSU1Lz8jMys7JzcsvKCwqLiktK6.'))],
  [
    'escapes, and the credential',
    () => quoted(fill('%26amp;\\u0026QUJDREVGR0hJSktMTU5PUFFSU1Q=3D&#37;25') + TOKEN),
  ],
  ['lists of numbers', () => JSON.stringify(Array.from({ length: 9_000 }, () => [...noise(8)]))],
]

/** Returns CPU time in ms, which excludes other work of the machine. */
function msOf(work: () => void): number {
  const tookMs = startCpuWatch()
  work()
  return tookMs()
}
const median = (numbers: number[]): number =>
  numbers.toSorted((a, b) => a - b)[numbers.length >> 1]!

const redactor = createRedactor([TOKEN])
console.log(`medians of ${ROUNDS} rounds`)
for (const [name, make, asText] of ANSWERS) {
  const json = make()
  const parses: number[] = []
  const costs: number[] = []
  for (let round = 0; round < ROUNDS + 3; round++) {
    let value: unknown
    const parse = msOf(() => (value = JSON.parse(json)))
    const cost = msOf(() => (asText ? redactor.text(json) : redactor.json(value as never)))
    if (round < 3) continue
    parses.push(parse)
    costs.push(cost)
  }
  const [parse, cost] = [median(parses), median(costs)]
  const size = Math.round(json.length / 1_024)
  console.log(
    `${name.padEnd(30)} ${String(size).padStart(4)} KB  ${cost.toFixed(2).padStart(8)}  JSON.parse ${parse.toFixed(2)}, ${(cost / parse).toFixed(1)} times it`,
  )
}
