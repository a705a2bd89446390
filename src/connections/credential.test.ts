import { describe, expect, test } from 'vitest'
import { CREDENTIAL_REMOVED, createRedactor } from '../rules/calls/redact-credential.ts'
import { credentialPart, secretsOf, type Credential } from './credential.ts'

const redact = (credential: Credential, text: string) =>
  createRedactor(secretsOf(credential)).text(text)

/** What stands behind `Basic` in the header. */
function sent(credential: Credential): string {
  const { header } = credentialPart({ kind: 'basic', name: null }, credential)
  return header![1].replace('Basic ', '')
}

describe('What is sent as Basic does not come back', () => {
  test.each(['sk_12ab', 'sk_12abc'])('of the key %s without a password', (username) => {
    const credential = { username, password: '' }
    expect(sent(credential)).toBe(btoa(`${username}:`))
    expect(redact(credential, sent(credential))).toBe(CREDENTIAL_REMOVED)
    expect(redact(credential, `{"Authorization":"Basic ${sent(credential)}"}`)).toBe(
      `{"Authorization":"Basic ${CREDENTIAL_REMOVED}"}`,
    )
    expect(redact(credential, username)).toBe(CREDENTIAL_REMOVED)
  })

  test('of a key that is shorter still, where it is the whole value', () => {
    const credential = { username: 'k1', password: '' }
    expect(redact(credential, sent(credential))).toBe(CREDENTIAL_REMOVED)
    expect(redact(credential, `no ${sent(credential)} here`)).toContain(sent(credential))
  })

  test('of a user name with a password, and the name itself stays', () => {
    const credential = { username: 'sara', password: 'pass-word-1' }
    expect(redact(credential, `sara, pass-word-1, ${sent(credential)}`)).toBe(
      `sara, ${CREDENTIAL_REMOVED}, ${CREDENTIAL_REMOVED}`,
    )
  })
})
