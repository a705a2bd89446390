/**
 * Finds the reason why a signature is rejected, in the browser alone: nothing is sent. The reference says what
 * receivers must do (Deliveries › Signature); this file tries their common mistakes.
 */
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { SECOND_MS } from '../../core/limits/units.ts'

/** Receivers reject a signature whose time differs from their clock by more than this. */
export const TOLERANCE_SECONDS = DELIVERY_LIMITS.signatureToleranceMs / SECOND_MS

/** The result of checking a signature: valid, or the likely mistake. `age` is in seconds, `secret` counts from 1. */
export type Finding =
  | { kind: 'valid'; secret: number; age: number }
  | { kind: 'no_header' | 'no_t' | 'two_t' | 'bad_t' | 'no_v1' | 'upper_case' | 'no_secret' }
  | { kind: 'old' | 'future'; age: number; secret: number }
  | { kind: Slip; secret: number }
  | { kind: 'milliseconds' }
  | { kind: 'no_match'; hasTime: boolean; hasPrefix: boolean }

/** The input of the check: what a receiver has got, and its secrets. */
export type Given = {
  header: string
  body: string
  /** One secret, or two while a secret is being rotated. */
  secrets: readonly string[]
  /** The receiver's clock in Unix seconds. */
  seconds: number
}

type Read = { t: string; signatures: readonly string[] }

const HEX = /^[0-9a-f]{64}$/

/** Verifies a webhook signature in the browser; for an invalid one it returns the likely mistake. */
export async function checkSignature({ header, body, secrets, seconds }: Given): Promise<Finding> {
  const known = secrets.filter((secret) => secret !== '')
  const read = readHeader(header)
  if ('kind' in read) return read
  if (known.length === 0) return { kind: 'no_secret' }
  const age = seconds - Number(read.t)
  if (Math.abs(age) > 10 ** 11) return { kind: 'milliseconds' }
  for (const [at, secret] of known.entries()) {
    const secretAt = at + 1
    if (await signs(read, encode(secret), encode(body))) return byTime(age, secretAt)
    const slip = await findSlip(read, secret, body)
    if (slip !== null) return { kind: slip, secret: secretAt }
  }
  return {
    kind: 'no_match',
    hasTime: Math.abs(age) <= TOLERANCE_SECONDS,
    hasPrefix: known.some(hasPrefix),
  }
}

const hasPrefix = (secret: string): boolean => secret.trim().startsWith('whsec_')

function byTime(age: number, secret: number): Finding {
  const tolerance = TOLERANCE_SECONDS
  if (age > tolerance) return { kind: 'old', age, secret }
  return age < -tolerance ? { kind: 'future', age: -age, secret } : { kind: 'valid', age, secret }
}

/** Reads the header's parts in any order; unknown schemes are ignored. */
function readHeader(header: string): Read | Finding {
  const text = header.trim().replace(/^x-service-signature:\s*/i, '')
  if (text === '') return { kind: 'no_header' }
  const pairs = text.split(',').map((part) => {
    const at = part.indexOf('=')
    return [part.slice(0, at).trim(), part.slice(at + 1).trim()] as const
  })
  const times = pairs.filter(([name]) => name === 't').map(([, value]) => value)
  if (times.length === 0) return { kind: 'no_t' }
  if (times.length > 1) return { kind: 'two_t' }
  if (!/^(0|[1-9][0-9]*)$/.test(times[0]!)) return { kind: 'bad_t' }
  const values = pairs.filter(([name]) => name === 'v1').map(([, value]) => value)
  const signatures = values.filter((value) => HEX.test(value))
  if (signatures.length > 0) return { t: times[0]!, signatures }
  const isUpper = pairs.some(
    ([name, value]) => name.toLowerCase() === 'v1' && HEX.test(value.toLowerCase()),
  )
  return { kind: isUpper ? 'upper_case' : 'no_v1' }
}

type Slip =
  | 'prefix_missing'
  | 'without_prefix'
  | 'decoded_secret'
  | 'spaces_around'
  | 'without_t'
  | 'line_end'
  | 'rewritten'
  | 'escaped'
  | 'bom'

/** Returns the first common mistake with which the signature matches. */
async function findSlip(read: Read, secret: string, body: string): Promise<Slip | null> {
  const key = encode(secret)
  const bare = secret.replace(/^whsec_/, '')
  const tries: (readonly [Slip, Uint8Array | null, Uint8Array | null])[] = [
    ['spaces_around', encode(secret.trim()), encode(body)],
    ...(hasPrefix(secret)
      ? []
      : [['prefix_missing', encode(`whsec_${secret.trim()}`), encode(body)] as const]),
    ['without_prefix', encode(bare), encode(body)],
    ['decoded_secret', decodeBase64(bare), encode(body)],
    ...changedBodies(body).map(([slip, changed]) => [slip, key, encode(changed)] as const),
  ]
  for (const [slip, tried, bytes] of tries) {
    if (tried === null || tried.length === 0 || bytes === null) continue
    if (await signs(read, tried, bytes)) return slip
  }
  const withoutTime = await sign(key, encode(body))
  return read.signatures.includes(withoutTime) ? 'without_t' : null
}

/** Returns the bodies from which a proxy or the receiver may have made this one. */
function changedBodies(body: string): (readonly [Slip, string])[] {
  const bodies: (readonly [Slip, string])[] = [
    ['line_end', body.replace(/\r?\n$/, '')],
    ['line_end', body.trim()],
    ['line_end', `${body}\n`],
    ['line_end', body.replaceAll('\r\n', '\n')],
    ['line_end', body.replaceAll(/\r?\n/g, '\r\n')],
    ['bom', body.replace(/^\ufeff/, '')],
  ]
  try {
    const written = JSON.stringify(JSON.parse(body))
    bodies.push(['rewritten', written])
    bodies.push([
      'escaped',
      written.replaceAll(/\\u([0-9a-f]{4})/gi, (_, hex: string) => charOf(hex)),
    ])
  } catch {
    // The body is no JSON, so it cannot have been re-serialised.
  }
  return bodies.filter(([, text]) => text !== body || text === '')
}

function charOf(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

async function signs({ t, signatures }: Read, key: Uint8Array, body: Uint8Array): Promise<boolean> {
  const prefix = encode(`${t}.`)
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  return signatures.includes(await sign(key, signed))
}

async function sign(key: Uint8Array, bytes: Uint8Array): Promise<string> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const imported = await crypto.subtle.importKey('raw', key.slice(), algorithm, false, ['sign'])
  const mac = await crypto.subtle.sign('HMAC', imported, bytes.slice())
  return Array.from(new Uint8Array(mac), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

function decodeBase64(text: string): Uint8Array | null {
  try {
    const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(plain, (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}
