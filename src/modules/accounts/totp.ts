/** The codes of an authenticator app: RFC 6238 with SHA-1, six digits and 30 seconds. */
import { createHmac } from 'node:crypto'
import { SIGN_IN_LIMITS } from '../../core/limits/sign-in.ts'
import { withLatinDigits } from '../../rules/text/latin-digits.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS = 5
const ISSUER = 'Wasla'

/** Encodes bytes as apps and people read them (RFC 4648, without padding). */
export function toBase32(bytes: Uint8Array): string {
  let [text, value, bits] = ['', 0, 0]
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff
    for (bits += 8; bits >= BITS; bits -= BITS) text += LETTERS[(value >> (bits - BITS)) & 31]
  }
  return bits > 0 ? text + LETTERS[(value << (BITS - bits)) & 31] : text
}

function fromBase32(text: string): Buffer {
  const bytes: number[] = []
  let [value, bits] = [0, 0]
  for (const letter of text) {
    value = ((value << BITS) | LETTERS.indexOf(letter)) & 0xfff
    bits += BITS
    if (bits >= 8) bytes.push((value >> (bits -= 8)) & 0xff)
  }
  return Buffer.from(bytes)
}

/** Returns the number of the 30-second interval since 1970 (TOTP's time step) that a time is in. */
export function timeStepAt(now: Date): number {
  return Math.floor(now.getTime() / SIGN_IN_LIMITS.codeMs)
}

/**
 * Returns the six digits that an authenticator app shows in a time step.
 * @param secret in base32
 */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const hash = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const number = hash.readUInt32BE(hash.at(-1)! & 0xf) & 0x7fff_ffff
  const { codeDigits } = SIGN_IN_LIMITS
  return String(number % 10 ** codeDigits).padStart(codeDigits, '0')
}

/**
 * Returns the time step that a code belongs to: the current one, or one before or after, because clocks differ. Returns
 * null for a wrong code. Digits may be Arabic, with spaces between.
 */
export function findTimeStep(secret: string, code: string, now: Date): number | null {
  const digits = withLatinDigits(code).replaceAll(/\s/g, '')
  const here = timeStepAt(now)
  const { codeDriftSteps: drift } = SIGN_IN_LIMITS
  const steps = Array.from({ length: 2 * drift + 1 }, (_, at) => here - drift + at)
  return steps.find((step) => step >= 0 && codeAt(secret, step) === digits) ?? null
}

/** Returns the `otpauth:` URI in the QR code that an authenticator app scans. */
export function otpauthUri(secret: string, email: string): string {
  const label = `${ISSUER}:${encodeURIComponent(email)}`
  const { codeDigits, codeMs } = SIGN_IN_LIMITS
  return `otpauth://totp/${label}?secret=${secret}&issuer=${ISSUER}&algorithm=SHA1&digits=${codeDigits}&period=${codeMs / 1_000}`
}

/**
 * Returns a recovery code in the form that is hashed: upper case, without separators. The digits 0, 1 and 8, which
 * codes do not contain, are read as O, I and B.
 */
export function plainRecoveryCode(code: string): string {
  return withLatinDigits(code)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '')
    .replaceAll('0', 'O')
    .replaceAll('1', 'I')
    .replaceAll('8', 'B')
}
