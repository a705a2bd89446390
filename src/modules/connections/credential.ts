import type { SentPair } from '../../infra/redaction/needles.ts'
import { createRedactor, type Redactor } from '../../infra/redaction/redactor.ts'
import { namesSecret } from '../../rules/calls/call-headers.ts'
import { SecretUnreadable, type KeyRing } from '../../infra/secrets/key-ring.ts'
import type { ConnectionAuthKind } from '../../core/vocabulary/calls.ts'

/** A connection's secret: a token, or a user name and password. It is stored encrypted and never shown again. */
export type Credential = { token: string } | { username: string; password: string }

/** The minimum length, in characters, at which the last four may be shown. */
const LAST_FOUR_FROM_CHARS = 12

type Owner = { id: string; companyId: string }

/**
 * Encrypts a credential, and returns the two columns to store: the ciphertext, and the last four characters if the
 * secret has at least 12. Both are null without a credential.
 */
export function sealCredential(keyRing: KeyRing, owner: Owner, credential: Credential | null) {
  if (credential === null) return { credential: null, credentialLastFour: null }
  const secret = 'token' in credential ? credential.token : credential.password
  const isLong = [...secret].length >= LAST_FOUR_FROM_CHARS
  return {
    credential: keyRing.encrypt(JSON.stringify(credential), encryptionContext(owner)),
    credentialLastFour: isLong ? [...secret].slice(-4).join('') : null,
  }
}

/**
 * Decrypts the ciphertext in a connection's `credential` column; returns null when its key no longer exists or it
 * belongs to another row.
 */
export function openCredential(keyRing: KeyRing, owner: Owner, sealed: string): Credential | null {
  try {
    return JSON.parse(keyRing.decrypt(sealed, encryptionContext(owner))) as Credential
  } catch (error) {
    if (error instanceof SecretUnreadable) return null
    throw error
  }
}

type Sent = {
  auth: { kind: ConnectionAuthKind; name: string | null }
  /** The connection's default headers. */
  headers: readonly { name: string; value: string }[]
}

/**
 * Returns a redactor that removes from a response what was sent to authenticate its call. That is the credential, the
 * header or pair that contained it, and default headers whose names suggest a secret. A Basic user name is removed only
 * without a password, as some APIs expect a key there.
 */
export function redactorOf({ auth, headers }: Sent, credential: Credential | null): Redactor {
  const secrets: string[] = []
  const pairs: SentPair[] = []
  const addField = (name: string, value: string) => {
    // After a scheme such as `Token`, the last word is the secret.
    const last = value.trim().split(/\s+/).at(-1)!
    secrets.push(value, last)
    pairs.push({ before: name, joint: 'field', secret: value })
  }
  for (const { name, value } of headers) if (namesSecret(name)) addField(name, value)
  if (credential === null) return createRedactor(secrets, pairs)
  if ('token' in credential) {
    const { token } = credential
    if (auth.kind === 'bearer') {
      secrets.push(token)
      pairs.push({ before: 'Bearer', joint: 'space', secret: token })
    } else addField(auth.name!, token)
  } else {
    const { username, password } = credential
    const padded = base64Of(credential)
    const sent = padded.replace(/=+$/, '')
    secrets.push(padded, sent, password === '' ? username : password)
    // The pair is removed as sent, including the user name.
    if (password !== '') secrets.push(`${username}:${password}`)
    pairs.push({ before: username, joint: 'colon', secret: password })
    pairs.push({ before: 'Basic', joint: 'space', secret: sent })
  }
  return createRedactor(secrets, pairs)
}

/** Returns the header or query parameter that carries a credential; neither for the kind `none`. */
export function credentialPart(
  auth: { kind: ConnectionAuthKind; name: string | null },
  credential: Credential | null,
): { header?: [string, string]; query?: [string, string] } {
  if (credential === null) return {}
  if (!('token' in credential)) {
    return { header: ['Authorization', `Basic ${base64Of(credential)}`] }
  }
  const { token } = credential
  if (auth.kind === 'query') return { query: [auth.name!, token] }
  if (auth.kind === 'header') return { header: [auth.name!, token] }
  return { header: ['Authorization', `Bearer ${token}`] }
}

function base64Of({ username, password }: { username: string; password: string }): string {
  return Buffer.from(`${username}:${password}`).toString('base64')
}

function encryptionContext({ id, companyId }: Owner) {
  return { table: 'api_connection', column: 'credential', rowId: id, companyId }
}
