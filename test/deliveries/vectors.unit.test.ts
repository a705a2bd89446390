/** docs/test-vectors.json: what our signer, our verifier and Stripe's SDK say of each vector. */
import { readFileSync } from 'node:fs'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { verifySignature } from '../../examples/verify-signature.mjs'
import { DELIVERY_LIMITS } from '../../src/limits/deliveries.ts'
import { signWebhook } from '../../src/deliveries/signature.ts'

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

test('each has a name of its own, its body twice, and a reason where it is invalid', () => {
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
  expect(toleranceSeconds * 1_000).toBe(DELIVERY_LIMITS.signatureToleranceMs)
  for (const vector of vectors) {
    expect(bytes(vector).toString('utf8')).toBe(vector.body)
    expect([vector.name, vector.reason === null]).toEqual([vector.name, vector.valid])
  }
})

test.for(vectors)('the verifier that merchants copy: $name', (vector) => {
  const { header, secrets, now, valid } = vector
  const body = bytes(vector)
  expect(verifySignature({ header, body, secrets, now: new Date(now * 1_000) })).toBe(valid)
})

/** Where the SDK is more lenient: only what is old is stale for it, and the last t wins. */
const LENIENT = [
  'your clock is 301 seconds behind',
  't in milliseconds',
  'two t, signed for the last',
  'two headers joined into one',
]

test.for(vectors)("Stripe's SDK, which knows the same scheme: $name", async (vector) => {
  const { name, header, secrets, now, valid } = vector
  const tried = await Promise.all(
    secrets.map((secret) =>
      Stripe.webhooks
        .signature!.verifyHeaderAsync(
          bytes(vector),
          header ?? '',
          secret,
          300,
          undefined,
          now * 1_000,
        )
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
    const at = new Date(Number(/^t=(\d+)/.exec(vector.header!)![1]) * 1_000)
    const possible = [[known[0]!], [known[1]!], [known[0]!, known[1]!]]
    const headers = possible.map((secrets) => signWebhook(bytes(vector), secrets, at))
    expect([vector.name, headers.includes(vector.header!)]).toEqual([vector.name, true])
  }
})
