/**
 * Signatures of deliveries: what our signer writes, and what our verifier and Stripe's SDK say of each vector of
 * docs/test-vectors.json.
 */
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { verifySignature } from '../../examples/verify-signature.mjs'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { signWebhook } from '../../src/modules/deliveries/signature.ts'

const OLD = 'whsec_A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8S9t0U_-'
const NEW = 'whsec_zZyYxXwWvVuUtTsSrRqQpPoOnNmMlLkKjJiIhHgG-_0'
const at = new Date('2026-10-01T12:00:00.999Z')
const t = 1_790_856_000
const body = Buffer.from('{"type":"ping","اسم":"سارة"}')
const later = (seconds: number) => new Date((t + seconds) * 1_000)

describe('the signature of a delivery', () => {
  test('is the hex HMAC-SHA256 of t, a dot and the raw body, keyed with the whole secret', () => {
    const v1 = createHmac('sha256', OLD).update(`${t}.${body.toString()}`).digest('hex')
    expect(signWebhook(body, [OLD], at)).toBe(`t=${t},v1=${v1}`)
  })

  test('carries two v1 values while a rotated secret still signs, the old one first', () => {
    const [time, first] = signWebhook(body, [OLD], at).split(',')
    const [, second] = signWebhook(body, [NEW], at).split(',')
    expect(signWebhook(body, [OLD, NEW], at)).toBe([time, first, second].join(','))
  })

  test('needs one or two secrets, none of them empty', () => {
    expect(() => signWebhook(body, [], at)).toThrow(RangeError)
    expect(() => signWebhook(body, [OLD, NEW, 'whsec_third'], at)).toThrow(RangeError)
    expect(() => signWebhook(body, [''], at)).toThrow(RangeError)
  })
})

describe("a merchant's verifier", () => {
  const header = signWebhook(body, [OLD, NEW], at)
  const verify = (given: Partial<Parameters<typeof verifySignature>[0]>) =>
    verifySignature({ header, body, secrets: [OLD], now: later(0), ...given })

  test('has the tolerance for clocks that it is given', () => {
    expect(verify({ now: later(400) })).toBe(false)
    expect(verify({ now: later(400), toleranceSeconds: 500 })).toBe(true)
  })

  test('rejects a missing or malformed header, and an invalid secret', () => {
    const unsigned = [null, undefined, '', `t=${t}`, header.replace('t=', 't=+'), [header]]
    for (const bad of unsigned) expect(verify({ header: bad })).toBe(false)
    expect(verify({ header: `${header}, ${header}` })).toBe(false)
    const forged = `t=${t},v1=${createHmac('sha256', '').update(`${t}.`).update(body).digest('hex')}`
    expect(verify({ header: forged, secrets: ['', undefined] })).toBe(false)
  })

  test('uses the current time by default', () => {
    const now = new Date()
    const fresh = signWebhook(body, [OLD], now)
    expect(verifySignature({ header: fresh, body, secrets: [OLD] })).toBe(true)
  })
})

/** The vectors that merchants are given. */
type Vector = {
  name: string
  secrets: string[]
  now: number
  header: string | null
  body: string
  bodyBase64: string
  valid: boolean
  reason: string | null
}
const { toleranceSeconds, vectors } = JSON.parse(
  readFileSync(new URL('../../docs/test-vectors.json', import.meta.url), 'utf8'),
) as { toleranceSeconds: number; vectors: Vector[] }
const bytes = ({ bodyBase64 }: Vector) => Buffer.from(bodyBase64, 'base64')

test('each vector has a unique name, its body twice, and a reason if it is invalid', () => {
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
  expect(toleranceSeconds * 1_000).toBe(DELIVERY_LIMITS.signatureToleranceMs)
  for (const vector of vectors) {
    expect(bytes(vector).toString('utf8')).toBe(vector.body)
    expect([vector.name, vector.reason === null]).toEqual([vector.name, vector.valid])
  }
})

test.for(vectors)('the verifier that merchants copy judges: $name', (vector) => {
  const { header, secrets, now, valid } = vector
  const given = { header, body: bytes(vector), secrets, now: new Date(now * 1_000) }
  expect(verifySignature(given)).toBe(valid)
})

const stripe = Stripe.webhooks.signature!
/** Vectors for which the SDK is more lenient: only an old one is stale for it, and the last t wins. */
const LENIENT = [
  'your clock is 301 seconds behind',
  't in milliseconds',
  'two t, signed for the last',
  'two headers joined into one',
]

test.for(vectors)("Stripe's SDK, which knows the same scheme, judges: $name", async (vector) => {
  const { name, header, secrets, now, valid } = vector
  const tried = await Promise.all(
    secrets.map((secret) =>
      stripe
        .verifyHeaderAsync(bytes(vector), header ?? '', secret, 300, undefined, now * 1_000)
        .then(() => true)
        .catch(() => false),
    ),
  )
  expect(tried.includes(true)).toBe(LENIENT.includes(name) || valid)
})

test('our signer writes the header of every vector that the service itself would send', () => {
  const sent = vectors.filter(
    ({ valid, header }) => valid && /^t=\d+(,v1=[0-9a-f]{64})+$/.test(header!),
  )
  const known = [...new Set(vectors.flatMap(({ secrets }) => secrets))].filter(Boolean)
  expect(sent.length).toBeGreaterThan(8)
  for (const vector of sent) {
    const signedAt = new Date(Number(/^t=(\d+)/.exec(vector.header!)![1]) * 1_000)
    const possible = [[known[0]!], [known[1]!], [known[0]!, known[1]!]]
    const headers = possible.map((secrets) => signWebhook(bytes(vector), secrets, signedAt))
    expect([vector.name, headers.includes(vector.header!)]).toEqual([vector.name, true])
  }
})
