import type { KeyRing } from '../../infra/secrets/key-ring.ts'

/** Whom a link opts out, and which broadcast it came in. */
export type OptOutLink = { contactId: string; broadcastId: string }

const ID_BYTES = 16
/** Two ids and the proof that we made it. */
const TOKEN = /^[A-Za-z0-9_-]{59}$/

/**
 * The token of a link by which a customer opts out: 59 characters that hold all it says, so that nothing is
 * stored for it and it is good for as long as its key is in the ring.
 *
 * Spec: Broadcasts › The opt-out link.
 */
export function makeOptOutToken(
  keyRing: Pick<KeyRing, 'prove'>,
  { contactId, broadcastId }: OptOutLink,
): string {
  const bytes = Buffer.concat([bytesOf(contactId), bytesOf(broadcastId)])
  return Buffer.concat([bytes, keyRing.prove(bytes, 'opt-out')]).toString('base64url')
}

/** What a token says; null for one that is not ours, whatever is wrong with it. */
export function readOptOutToken(
  keyRing: Pick<KeyRing, 'isProof'>,
  token: string,
): OptOutLink | null {
  if (!TOKEN.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  // Spare bits of the last letter are no second spelling.
  if (bytes.toString('base64url') !== token) return null
  const said = bytes.subarray(0, 2 * ID_BYTES)
  if (!keyRing.isProof(bytes.subarray(2 * ID_BYTES), said, 'opt-out')) return null
  return {
    contactId: idOf(said.subarray(0, ID_BYTES)),
    broadcastId: idOf(said.subarray(ID_BYTES)),
  }
}

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
