import { CELL_PATTERN, DEFAULT_CELL } from '../../core/ids.ts'
import { sql } from 'kysely'
import type { Database } from '../../infra/database/connect.ts'
import { isProofOfKeys, type KeyRing } from '../../infra/secrets/key-ring.ts'

/** The content of an opt-out link: its contact, and the broadcast that contained it. */
export type OptOutLink = { contactId: string; broadcastId: string }

const ID_BYTES = 16
/** A token has the code of the cell, two ids, and the proof that this service issued it. */
const TOKEN = new RegExp(`^(${CELL_PATTERN})([A-Za-z0-9_-]{59})$`)

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
  const proof = keyRing.prove(proven(cell, bytes), 'opt-out')
  return `${cell}${Buffer.concat([bytes, proof]).toString('base64url')}`
}

/** Returns the content of a token, or null if this service did not issue it. */
export function readOptOutToken(
  keyRing: Pick<KeyRing, 'isProof'>,
  token: string,
): OptOutLink | null {
  const read = parse(token)
  return read && keyRing.isProof(read.proof, read.proven, 'opt-out') ? read.link : null
}

/**
 * Returns the content of a token that another installation issued, where the account of its contact was before; null
 * for any other token.
 */
export async function readMovedOptOutToken(
  { db, keyRing }: { db: Pick<Database, 'kysely'>; keyRing: Pick<KeyRing, 'decrypt'> },
  token: string,
): Promise<OptOutLink | null> {
  const read = parse(token)
  if (!read) return null
  const { link } = read
  const { rows } = await sql<{ id: string; accountId: string; key: string }>`
    select moved_link_key.id, moved_link_key.account_id, moved_link_key.key
    from contact join company on company.id = contact.company_id
      join moved_link_key on moved_link_key.account_id = company.account_id
    where contact.id = coalesce(
      (select into_id from contact_merge where from_id = ${link.contactId}), ${link.contactId})
  `.execute(db.kysely)
  const keys = rows.map(({ id: rowId, accountId, key }) =>
    keyRing.decrypt(key, { table: 'moved_link_key', column: 'key', rowId, accountId }),
  )
  return isProofOfKeys(keys, read.proof, read.proven, 'opt-out') ? link : null
}

/** Splits a token into its content, the bytes that are proven, and the proof; null when it has another form. */
function parse(token: string): { link: OptOutLink; proven: Buffer; proof: Buffer } | null {
  const [, cell = '', text = ''] = TOKEN.exec(token) ?? []
  const bytes = Buffer.from(text, 'base64url')
  // Spare bits of the last letter are no second spelling.
  if (text === '' || bytes.toString('base64url') !== text) return null
  const ids = bytes.subarray(0, 2 * ID_BYTES)
  return {
    link: { contactId: idOf(ids.subarray(0, ID_BYTES)), broadcastId: idOf(ids.subarray(ID_BYTES)) },
    proven: proven(cell, ids),
    proof: bytes.subarray(2 * ID_BYTES),
  }
}

/** Returns the bytes that a proof is made over: the code of the cell, too, has one spelling. */
const proven = (cell: string, ids: Buffer) => Buffer.concat([Buffer.from(cell), ids])

function bytesOf(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex')
}

function idOf(bytes: Buffer): string {
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
