import type { SentPair } from '../../infra/redaction/needles.ts'
import { createRedactor, type Redactor } from '../../infra/redaction/redactor.ts'
import { namesSecret } from '../../rules/calls/call-headers.ts'
import { SecretUnreadable, type KeyRing } from '../../infra/secrets/key-ring.ts'
import type { ConnectionAuthKind } from '../../core/vocabulary/calls.ts'

/** What a connection proves itself with. Stored encrypted, shown to nobody again. */
export type Credential = { token: string } | { username: string; password: string }

/** Below this, the last four would be too much of it. */
const LAST_FOUR_FROM_CHARS = 12

type Owner = { id: string; companyId: string }

/** The columns that hold a credential: encrypted, and its last four characters. */
export function sealCredential(keyRing: KeyRing, owner: Owner, credential: Credential | null) {
  if (credential === null) return { credential: null, credentialLastFour: null }
  const secret = 'token' in credential ? credential.token : credential.password
  const isLong = [...secret].length >= LAST_FOUR_FROM_CHARS
  return {
    credential: keyRing.encrypt(JSON.stringify(credential), place(owner)),
    credentialLastFour: isLong ? [...secret].slice(-4).join('') : null,
  }
}

/** Opens what `sealCredential` wrote. Null when it cannot be read: its key is gone. */
export function openCredential(keyRing: KeyRing, owner: Owner, sealed: string): Credential | null {
  try {
    return JSON.parse(keyRing.decrypt(sealed, place(owner))) as Credential
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
 * Makes what removes from an answer whatever was sent with its call to prove who asks: the credential, the header or
 * the pair that it was sent in, and the default headers whose names speak of a secret. A Basic user name is no secret,
 * unless there is nothing else: some send their key as one, without a password.
 */
export function redactorOf({ auth, headers }: Sent, credential: Credential | null): Redactor {
  const secrets: string[] = []
  const pairs: SentPair[] = []
  const addField = (name: string, value: string) => {
    // Behind a scheme such as `Token`, what it names is the secret.
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
    // The pair is removed as it was sent, with its user name.
    if (password !== '') secrets.push(`${username}:${password}`)
    pairs.push({ before: username, joint: 'colon', secret: password })
    pairs.push({ before: 'Basic', joint: 'space', secret: sent })
  }
  return createRedactor(secrets, pairs)
}

/** The header or the query parameter that a credential is sent as; nothing for the kind `none`. */
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

function place({ id, companyId }: Owner) {
  return { table: 'api_connection', column: 'credential', rowId: id, companyId }
}
