/**
 * Encryption of stored secrets: AES-256-GCM with a key id and associated data that names the row, so that a value
 * moved to another row, column or owner does not decrypt.
 *
 * Text form: `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url. The first key of the ring encrypts; all of them
 * decrypt, so that a new key can be put before the old one.
 */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import type { Random } from '../../core/ids.ts'

/** One key of 32 bytes with its id. */
export type RingKey = { id: string; key: Buffer }

/** The row of a secret, which belongs to a company, an account or a person. It is bound to the ciphertext. */
export type EncryptionContext = { table: string; column: string; rowId: string } & (
  | { companyId: string }
  | { accountId: string }
  | { personId: string }
)

/** The keys that encrypt stored secrets and prove links. */
export type KeyRing = {
  /** Ids of all keys; the first key encrypts. */
  keyIds: readonly string[]
  encrypt(plain: string, context: EncryptionContext): string
  /** @throws SecretUnreadable when the ring has no such key or the value belongs to another row. */
  decrypt(text: string, context: EncryptionContext): string
  /** Returns a proof that this service made the bytes, for a link that is not stored. */
  prove(bytes: Buffer, use: LinkUse): Buffer
  /** Returns whether the proof was made with any key of the ring. */
  isProof(proof: Buffer, bytes: Buffer, use: LinkUse): boolean
  /** Returns the keys that prove links and nothing else, for an account that moves to another installation. */
  linkKeys(): string[]
}

/** The purpose of a link: a proof is valid for one purpose only. */
export type LinkUse = 'opt-out' | 'set-up'

/** The error for a stored secret that none of the ring's keys decrypts. */
export class SecretUnreadable extends Error {
  override name = 'SecretUnreadable'
}

/** Returns the id of the key that encrypted a value. */
export function keyIdOf(text: string): string | undefined {
  return text.split('.', 2)[1]
}

const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32
const PROOF_BYTES = 12

/**
 * Parses `ENCRYPTION_KEYS`: `id:base64[,id:base64…]`, each key 32 bytes; the first one encrypts.
 * @throws an Error whose message names the mistake and never the key
 */
export function readKeys(text: string): RingKey[] {
  const keys = text.split(',').map((entry, index) => {
    const [id, encoded, ...rest] = entry.trim().split(':')
    if (!id || !encoded || rest.length > 0 || !/^[A-Za-z0-9_-]{1,32}$/.test(id)) {
      throw new Error(`entry ${index + 1} is not "id:base64"`)
    }
    const key = Buffer.from(encoded, 'base64')
    if (key.length !== KEY_BYTES) {
      throw new Error(`key "${id}" has ${key.length} bytes, ${KEY_BYTES} are needed`)
    }
    return { id, key }
  })
  if (new Set(keys.map((key) => key.id)).size !== keys.length) {
    throw new Error('two keys have one id')
  }
  return keys
}

/** Creates a key ring, which encrypts and decrypts stored secrets. The first key encrypts; all of them decrypt. */
export function createKeyRing(keys: RingKey[], random: Random): KeyRing {
  const first = keys[0]
  if (!first) throw new Error('the key ring is empty')
  // Secrets and links have separate derived keys.
  const derived = new Map(keys.map(({ id, key }) => [id, derive(key, 'wasla secrets at rest')]))
  const ofLinks = keys.map(({ key }) => derive(key, 'wasla links'))
  return {
    keyIds: keys.map(({ id }) => id),
    encrypt(plain, context) {
      const nonce = Buffer.alloc(NONCE_BYTES)
      random(nonce)
      const cipher = createCipheriv('aes-256-gcm', derived.get(first.id)!, nonce, {
        authTagLength: TAG_BYTES,
      })
      cipher.setAAD(associatedData(context))
      const sealed = Buffer.concat([
        cipher.update(plain, 'utf8'),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `v1.${first.id}.${nonce.toString('base64url')}.${sealed.toString('base64url')}`
    },
    decrypt(text, context) {
      const [version, id, nonce, sealed] = text.split('.')
      const key = derived.get(id ?? '')
      if (version !== 'v1' || !nonce || !sealed)
        throw new SecretUnreadable('not an encrypted value')
      if (!key) throw new SecretUnreadable(`encryption key "${id}" is not in the ring`)
      const bytes = Buffer.from(sealed, 'base64url')
      // The unused bits of the last letter must not allow a second spelling of a value.
      if (text !== `v1.${id}.${nonce}.${bytes.toString('base64url')}`) {
        throw new SecretUnreadable('not an encrypted value')
      }
      try {
        const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(nonce, 'base64url'), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(associatedData(context))
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
        const plain = [decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]
        return Buffer.concat(plain).toString('utf8')
      } catch {
        throw new SecretUnreadable(
          `the value of ${context.table}.${context.column} does not belong there`,
        )
      }
    },
    prove: (bytes, use) => proofBy(ofLinks[0]!, bytes, use),
    isProof: (proof, bytes, use) => ofLinks.some((key) => isProofBy(key, proof, bytes, use)),
    linkKeys: () => ofLinks.map((key) => key.export().toString('base64url')),
  }
}

/** Returns whether a proof was made with one of the keys of links of another installation. */
export function isProofOfKeys(
  keys: readonly string[],
  proof: Buffer,
  bytes: Buffer,
  use: LinkUse,
): boolean {
  return keys.some((key) =>
    isProofBy(createSecretKey(Buffer.from(key, 'base64url')), proof, bytes, use),
  )
}

function proofBy(key: KeyObject, bytes: Buffer, use: LinkUse): Buffer {
  return createHmac('sha256', key).update(`${use}|`).update(bytes).digest().subarray(0, PROOF_BYTES)
}

const isProofBy = (key: KeyObject, proof: Buffer, bytes: Buffer, use: LinkUse): boolean =>
  proof.length === PROOF_BYTES && timingSafeEqual(proof, proofBy(key, bytes, use))

function derive(key: Buffer, info: string): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), info, KEY_BYTES)))
}

function associatedData({ table, column, rowId, ...owner }: EncryptionContext): Buffer {
  return Buffer.from([table, column, rowId, ...Object.values(owner)].join('|'))
}
