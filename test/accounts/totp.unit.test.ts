import { describe, expect, test } from 'vitest'
import {
  codeAt,
  otpauthUri,
  plainRecoveryCode,
  timeStepAt,
  findTimeStep,
  toBase32,
} from '../../src/modules/accounts/totp.ts'

/** The secret of RFC 6238, appendix B. */
const SECRET = toBase32(Buffer.from('12345678901234567890'))

describe('Codes of an app', () => {
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('the code at %i seconds is that of RFC 6238', (seconds, code) => {
    const now = new Date(seconds * 1_000)
    expect(codeAt(SECRET, timeStepAt(now))).toBe(code)
    expect(findTimeStep(SECRET, code, now)).toBe(Math.floor(seconds / 30))
  })

  test('secrets are encoded as in RFC 4648', () => {
    expect(SECRET).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    const pairs = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) =>
      toBase32(Buffer.from(text)),
    )
    expect(pairs).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
  })

  test('are valid for one step before and after, and not beyond', () => {
    const at = (seconds: number) => new Date(seconds * 1_000)
    const code = codeAt(SECRET, 100)
    expect(findTimeStep(SECRET, code, at(99 * 30))).toBe(100)
    expect(findTimeStep(SECRET, code, at(101 * 30 + 29.999))).toBe(100)
    expect(findTimeStep(SECRET, code, at(98 * 30 + 29.999))).toBeNull()
    expect(findTimeStep(SECRET, code, at(102 * 30))).toBeNull()
    expect(findTimeStep(SECRET, codeAt(SECRET, 0), at(0))).toBe(0)
  })

  test.each([
    ['287 082', true],
    [' 287082\u00a0', true],
    ['٢٨٧٠٨٢', true],
    ['۲۸۷۰۸۲', true],
    ['٢87٠82', true],
    ['２８７０８２', false],
    ['²87082', false],
    ['-287082', false],
    ['0287082', false],
    ['28708', false],
    ['2.87082e5', false],
    ['', false],
    ['287082\u0000', false],
  ])('%j is accepted: %s', (code, isGood) => {
    expect(findTimeStep(SECRET, code, new Date(59_000)) !== null).toBe(isGood)
  })

  test("the app's link contains the secret and the e-mail address", () => {
    expect(otpauthUri('ABC', 'sara+x@example.com')).toBe(
      'otpauth://totp/Wasla:sara%2Bx%40example.com?secret=ABC&issuer=Wasla&algorithm=SHA1&digits=6&period=30',
    )
  })

  test('a recovery code is accepted in any spelling', () => {
    const plain = 'ABCDOI234567BXYZ'
    expect(plainRecoveryCode('abcd-oi23-4567-bxyz')).toBe(plain)
    expect(plainRecoveryCode(' ABCD 0123 4567 8XYZ ')).toBe(plain)
    expect(plainRecoveryCode('abcd٠١٢٣٤٥٦٧٨xyz')).toBe(plain)
  })
})
