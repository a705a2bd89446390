import { SecretUnreadable, type KeyRing } from '../secrets/key-ring.ts'
import type { ConnectionAuthKind } from '../vocabulary/calls.ts'

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

/**
 * The texts of a credential that must not come back. A Basic user name is no secret, unless there is
 * nothing else: some send their key as one, without a password. What goes out is the pair.
 */
export function secretsOf(credential: Credential | null): string[] {
  if (credential === null) return []
  if ('token' in credential) return [credential.token]
  const { username, password } = credential
  return [password === '' ? username : password, `${username}:${password}`]
}

/** The header or the query parameter that a credential is sent as; nothing for the kind `none`. */
export function credentialPart(
  auth: { kind: ConnectionAuthKind; name: string | null },
  credential: Credential | null,
): { header?: [string, string]; query?: [string, string] } {
  if (credential === null) return {}
  if (!('token' in credential)) {
    const pair = Buffer.from(`${credential.username}:${credential.password}`).toString('base64')
    return { header: ['Authorization', `Basic ${pair}`] }
  }
  const { token } = credential
  if (auth.kind === 'query') return { query: [auth.name!, token] }
  if (auth.kind === 'header') return { header: [auth.name!, token] }
  return { header: ['Authorization', `Bearer ${token}`] }
}

function place({ id, companyId }: Owner) {
  return { table: 'api_connection', column: 'credential', rowId: id, companyId }
}
