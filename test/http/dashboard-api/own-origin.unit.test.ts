import { describe, expect, test } from 'vitest'
import { ServiceError } from '../../../src/core/service-error.ts'
import { requireOwnOrigin } from '../../../src/http/dashboard-api/own-origin.ts'
import { cookieName } from '../../../src/http/dashboard-api/session-cookie.ts'

const PUBLIC = 'https://wasla.example'

function codeOf(publicUrl: string, origin: string): string {
  try {
    requireOwnOrigin(publicUrl, { origin, secFetchSite: undefined, hasSessionCookie: true })
    return 'own'
  } catch (error) {
    return error instanceof ServiceError ? error.code : 'thrown'
  }
}

describe('the origin of a change', () => {
  test('is the public address, with its protocol and port', () => {
    expect(codeOf(PUBLIC, 'https://wasla.example')).toBe('own')
    for (const origin of [
      'http://wasla.example',
      'https://wasla.example:8443',
      'https://evil.wasla.example',
      'https://wasla.example.evil.example',
      'null',
      '',
    ]) {
      expect([origin, codeOf(PUBLIC, origin)]).toEqual([origin, 'wrong_origin'])
    }
  })

  test('may be shown by Sec-Fetch-Site alone, which must say that it is the very same', () => {
    const judge = (secFetchSite: string) => () =>
      requireOwnOrigin(PUBLIC, { origin: undefined, secFetchSite, hasSessionCookie: false })
    expect(judge('same-origin')).not.toThrow()
    for (const site of ['same-site', 'cross-site', 'none', '']) {
      expect(judge(site)).toThrow(ServiceError)
    }
  })

  test('over plain HTTP may be any name of this machine, at the same port', () => {
    const local = 'http://127.0.0.1:4080'
    for (const origin of ['http://localhost:4080', 'http://[::1]:4080', 'http://127.0.0.1:4080']) {
      expect(codeOf(local, origin)).toBe('own')
    }
    for (const origin of ['http://localhost:4081', 'https://localhost:4080', 'http://evil:4080']) {
      expect(codeOf(local, origin)).toBe('wrong_origin')
    }
    expect(codeOf('http://wasla.example', 'http://localhost')).toBe('wrong_origin')
  })
})

test.each([
  [PUBLIC, '__Host-sid'],
  ['https://127.0.0.1:4080', '__Host-sid'],
  ['http://wasla.example', '__Host-sid'],
  ['http://127.0.0.1:4080', 'sid'],
  ['http://localhost:4080', 'sid'],
  ['http://[::1]:4080', 'sid'],
])('at %s the cookie is %s', (publicUrl, name) => expect(cookieName(publicUrl)).toBe(name))
