import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  hasDotSegment,
  isForbiddenHost,
  isForbiddenPort,
  readConnectionBaseUrl,
  readEndpointUrl,
} from '../../../src/rules/addresses/merchant-url.ts'

const reason = (result: { ok: boolean; reason?: string }) =>
  result.ok ? 'accepted' : result.reason

test('an endpoint URL is returned in the form in which it is stored, without port 443', () => {
  expect(readEndpointUrl('HTTPS://Hooks.Example.COM.:8443/A%20b?x=1')).toEqual({
    ok: true,
    value: {
      href: 'https://hooks.example.com:8443/A%20b?x=1',
      origin: 'https://hooks.example.com:8443',
      hostname: 'hooks.example.com',
      host: 'hooks.example.com:8443',
      port: 8443,
      path: '/A%20b',
      query: '?x=1',
    },
  })
  expect(readEndpointUrl('https://example.com/')).toMatchObject({ value: { port: 443 } })
})

describe('an endpoint URL is refused', () => {
  test.each([
    ['empty', ''],
    ['too_long', `https://example.com/${'a'.repeat(481)}`],
    ['not_https', 'http://example.com/'],
    ['not_https', 'https:/example.com'],
    ['bad_character', 'https://exam\tple.com/'],
    ['bad_character', 'https://example.com\\@evil.example/'],
    ['bad_character', 'https://example.com/\ud800'],
    ['userinfo', 'https://user:pass@example.com/'],
    ['fragment', 'https://example.com/#'],
    ['host', 'https://exa%6dple.com/'],
    ['host', 'https://{{vars.x}}.example.com/'],
    ['host', 'https://xn--a.com/'],
    ['no_dot', 'https://localhost/'],
    ['no_dot', 'https://[2606:4700:4700::1111]/'],
    ['suffix', 'https://printer.LOCAL./'],
    ['suffix', 'https://metadata.google.internal/'],
    ['ip_spelling', 'https://8.8.2056/'],
    ['ip_spelling', 'https://0x7f.1/'],
    ['address', 'https://10.0.0.5/'],
    ['port', 'https://example.com:25/'],
    ['invalid', 'https://foo.0x7f/'],
  ])('%s: %s', (code, url) => expect(reason(readEndpointUrl(url))).toBe(code))
})

describe('a base URL of a connection', () => {
  test.each([
    ['query', 'https://api.example.com/v1?'],
    ['dot_segment', 'https://api.example.com/v1/../admin'],
    ['dot_segment', 'https://api.example.com/v1/%2E%2e/admin'],
    ['dot_segment', 'https://api.example.com/v1/..%5Cadmin'],
  ])('has no %s: %s', (code, url) => {
    expect(reason(readConnectionBaseUrl(url))).toBe(code)
    expect(reason(readEndpointUrl(url))).toBe('accepted')
  })

  test('takes dots in place of a host for a wrong host, and for no segment of the path', () => {
    expect(reason(readConnectionBaseUrl('https://../v1'))).toBe('host')
  })
})

test('500 characters are counted as code points', () => {
  expect(readEndpointUrl(`https://example.com/${'😀'.repeat(480)}`).ok).toBe(true)
  expect(reason(readEndpointUrl(`https://example.com/${'😀'.repeat(481)}`))).toBe('too_long')
})

test('an address that the operator allows may be written in a URL', () => {
  const isAllowed = (address: string) => address === '127.0.0.1'
  expect(readEndpointUrl('https://127.0.0.1:9443/', isAllowed).ok).toBe(true)
})

test('the ports that browsers refuse are refused, and no others', () => {
  const refused =
    `0 1 7 9 11 13 15 17 19-23 25 37 42 43 53 69 77 79 87 95 101-104 109-111 113 115 117 119
    123 135 137 139 143 161 179 389 427 465 512-515 526 530-532 540 548 554 556 563 587 601 636 989 990
    993 995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665-6669 6679 6697 10080`
      .split(/\s+/)
      .flatMap((range) => {
        const [first = 0, last = first] = range.split('-').map(Number)
        return Array.from({ length: last - first + 1 }, (_, nth) => first + nth)
      })
  const found = Array.from({ length: 65_536 }, (_, port) => port).filter(isForbiddenPort)
  expect(found).toEqual(refused)
  const saidOf = (port: number) =>
    [readEndpointUrl, readConnectionBaseUrl].map((read) =>
      reason(read(`https://a.example:${port}/`)),
    )
  for (const port of refused) expect([port, ...saidOf(port)]).toEqual([port, 'port', 'port'])
  for (const port of [2, 80, 443, 8_443, 65_535]) {
    expect([port, ...saidOf(port)]).toEqual([port, 'accepted', 'accepted'])
  }
})

describe('a host name', () => {
  test.each<[string, string]>([
    ['no_dot', 'local.'],
    ['suffix', 'a.localdomain'],
    ['suffix', 'x.home.arpa'],
    ['suffix', 'home.arpa'],
    ['accepted', 'notlocal.example'],
    ['accepted', 'shop.mylocal'],
    ['accepted', 'arpa.home.example'],
    ['accepted', '_dmarc.shop-1.example'],
    ['accepted', 'xn--mgbh0fb.example'],
    ['host', '-shop.example'],
    ['host', 'shop-.example'],
    ['host', 'shop..example'],
    ['host', `${'a'.repeat(64)}.example`],
    ['accepted', `${'a'.repeat(63)}.example`],
    ['host', 'shop.example..'],
    ['no_dot', 'shop'],
    ['no_dot', 'local'],
  ])('is %s: %s', (code, host) => {
    expect(reason(readEndpointUrl(`https://${host}/`))).toBe(code)
    expect(isForbiddenHost(host)).toBe(code !== 'accepted')
  })

  test('has at most 253 characters', () => {
    const name = (length: number) =>
      `${'abcdefg.'.repeat(40).slice(0, length - 4)}.com`.replace('..', 'x.')
    expect(isForbiddenHost(name(253))).toBe(false)
    expect(isForbiddenHost(name(254))).toBe(true)
  })
})

test('an address is no forbidden host: other checks refuse it', () => {
  expect(isForbiddenHost('127.0.0.1')).toBe(false)
})

const DOTTED = ['/a/./b', '/..', '/a/%2e', '/a/.%2E/b', '/x/..%2f', '\\..\\']
test.each(DOTTED)('a dot segment in any spelling: %s', (path) =>
  expect(hasDotSegment(path)).toBe(true),
)

const NOT_DOTTED = ['/a..b', '/...', '/.well-known', '/%2e%2e%2e', '/a/%252e%252e']
test.each(NOT_DOTTED)('no dot segment: %s', (path) => expect(hasDotSegment(path)).toBe(false))

test('whatever is accepted is an https URL of a name with a dot, without credentials', () => {
  const url = fc
    .tuple(
      fc.constantFrom('https://', 'HTTPS://', 'http://', 'https:', ''),
      fc.oneof(fc.domain(), fc.string(), fc.ipV4(), fc.constantFrom('a@b.example', 'localhost')),
      fc.string(),
    )
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(url, (text) => {
      const result = readEndpointUrl(text)
      if (!result.ok) return
      const parsed = new URL(result.value.href)
      expect(parsed.protocol).toBe('https:')
      expect(parsed.username + parsed.password + parsed.hash).toBe('')
      expect(parsed.hostname).toMatch(/^[a-z0-9_-]+(\.[a-z0-9_-]+)+$/)
      expect(parsed.href).toBe(result.value.href)
    }),
    { numRuns: 2_000 },
  )
})
