import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifySignature } from '../../examples/verify-signature.mjs'
import { signWebhook } from '../../src/deliveries/signature.ts'

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

  test('accepts when any v1 matches any known secret', () => {
    expect(verify({})).toBe(true)
    expect(verify({ secrets: [NEW] })).toBe(true)
    expect(verify({ secrets: ['whsec_other', NEW] })).toBe(true)
    expect(verify({ secrets: ['whsec_other'] })).toBe(false)
  })

  test('rejects when its clock and t differ by more than 300 seconds', () => {
    for (const seconds of [-300, 300]) expect(verify({ now: later(seconds) })).toBe(true)
    for (const seconds of [-301, 301]) expect(verify({ now: later(seconds) })).toBe(false)
    expect(verify({ now: later(400), toleranceSeconds: 500 })).toBe(true)
  })

  test('rejects any other body, a replaced t, and a header that is missing or malformed', () => {
    expect(verify({ body: Buffer.from(`${body.toString()}\n`) })).toBe(false)
    expect(verify({ header: header.replace(`t=${t}`, `t=${t + 1}`) })).toBe(false)
    for (const bad of [
      null,
      undefined,
      '',
      't=',
      `t=${t}`,
      header.replace('t=', 't=+'),
      [header],
    ]) {
      expect(verify({ header: bad })).toBe(false)
    }
    expect(verify({ header: `t=${t},${header}` })).toBe(false)
    expect(verify({ header: `${header}, ${header}` })).toBe(false)
  })

  test('rejects everything when no secret is configured', () => {
    expect(verify({ secrets: [] })).toBe(false)
    const forged = `t=${t},v1=${createHmac('sha256', '').update(`${t}.`).update(body).digest('hex')}`
    expect(verify({ header: forged, secrets: ['', undefined] })).toBe(false)
  })

  test('needs no clock of its own to be given', () => {
    const now = new Date()
    const fresh = signWebhook(body, [OLD], now)
    expect(verifySignature({ header: fresh, body, secrets: [OLD] })).toBe(true)
  })
})
