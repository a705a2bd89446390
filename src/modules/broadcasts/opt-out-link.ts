import { CELL_PATTERN, DEFAULT_CELL } from '../../core/ids.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'

/** The contact that a link opts out, and the broadcast that contained the link. */
export type OptOutLink = { contactId: string; broadcastId: string }

const ID_BYTES = 16
/** A token has the code of the cell, two ids, and the proof that this service issued it. */
const TOKEN = new RegExp(`^${CELL_PATTERN}([A-Za-z0-9_-]{59})$`)

/**
 * Returns the token of an opt-out link. Its 61 characters contain and authenticate all its data, so nothing is stored
 * for it. It is valid as long as its key is in the ring.
 *
 * Spec: Broadcasts › The opt-out link.
 */
export function makeOptOutToken(
  keyRing: Pick<KeyRing, 'prove'>,
  { contactId, broadcastId }: OptOutLink,
  cell: string = DEFAULT_CELL,
): string {
  const bytes = Buffer.concat([bytesOf(contactId), bytesOf(broadcastId)])
  const proven = Buffer.concat([bytes, keyRing.prove(bytes, 'opt-out')])
  return `${cell}${proven.toString('base64url')}`
}

/** Returns the content of a token, or null if this service did not issue it. */
export function readOptOutToken(
  keyRing: Pick<KeyRing, 'isProof'>,
  token: string,
): OptOutLink | null {
  const [, proven] = TOKEN.exec(token) ?? []
  if (proven === undefined) return null
  const bytes = Buffer.from(proven, 'base64url')
  // Spare bits of the last letter are no second spelling.
  if (bytes.toString('base64url') !== proven) return null
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
