/** The channels that a webhook of WhatsApp names, read from its bytes without a parser. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PROVIDER_LIMITS } from '../../src/core/limits/messaging.ts'
import { peekAt } from '../support/peek-at.ts'
import { systemTest } from '../support/system-tests.ts'

describe('the names in a body are read before its signature is checked', () => {
  /** Returns the same names with a parser, for short bodies of JSON. */
  function namesOf(value: unknown) {
    const fields = (of: unknown) =>
      (typeof of === 'object' && of !== null && !Array.isArray(of) ? of : {}) as Record<
        string,
        unknown
      >
    const list = (of: unknown) => (Array.isArray(of) ? of : [])
    const names = { routes: new Set<string>(), accounts: new Set<string>() }
    const add = (to: Set<string>, id: unknown) => {
      if (typeof id === 'string' && /^[A-Za-z0-9_.-]{1,64}$/.test(id)) to.add(id)
      // Some providers write ids as numbers. A number with a sign or a fraction is read in parts, which are the
      // ids of no channel.
      if (typeof id === 'number') for (const [part] of String(id).matchAll(/\d+/g)) to.add(part)
    }
    for (const entry of list(fields(value).entry).map(fields)) {
      add(names.accounts, entry.id)
      for (const change of list(entry.changes).map(fields)) {
        add(names.routes, fields(fields(change.value).metadata).phone_number_id)
        add(names.accounts, fields(fields(change.value).waba_info).waba_id)
      }
    }
    return { routes: [...names.routes].toSorted(), accounts: [...names.accounts].toSorted() }
  }

  const id = fc.oneof(
    fc.stringMatching(/^[a-z0-9"\\{}[\],:]{0,12}$/),
    fc.constant('10229012'),
    fc.json(),
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
  )
  const other = fc.jsonValue({ maxDepth: 3 })
  const value = fc.record(
    {
      messages: other,
      metadata: fc.oneof(fc.record({ phone_number_id: id, display: other }), other),
      waba_info: fc.oneof(fc.record({ waba_id: id }), other),
    },
    { requiredKeys: [] },
  )
  const change = fc.oneof(fc.record({ field: id, value, id }, { requiredKeys: [] }), other)
  const entry = fc.oneof(
    fc.record(
      { id, changes: fc.oneof(fc.array(change), other), entry: other },
      { requiredKeys: [] },
    ),
    other,
  )
  const body = fc.record(
    { object: id, entry: fc.oneof(fc.array(entry), other) },
    { requiredKeys: ['entry'] },
  )

  test('as a parser reads them', () => {
    fc.assert(
      fc.property(body, fc.constantFrom(undefined, 1, '\t'), (json, indent) => {
        const { routes, accounts } = peekAt(Buffer.from(JSON.stringify(json, null, indent)))
        const peeked = { routes: routes.toSorted(), accounts: accounts.toSorted() }
        expect(peeked).toEqual(namesOf(json))
      }),
      { numRuns: 2_000 },
    )
  })

  const MAX = PROVIDER_LIMITS.webhookBytes
  const fill = (piece: string) => piece.repeat(Math.floor(MAX / piece.length))
  systemTest.each([
    ['open lists', '[', true],
    ['open objects', '{"a":', true],
    ['entries in entries', '{"entry":', true],
    ['lists', '[],', true],
    ['fields', '"a":1,', true],
    ['ids', '{"id":"1"},', true],
    // A parser stops at the second text without a comma.
    ['quotes', '"', false],
    ['backslashes', '\\', false],
    ['letters', 'x', false],
  ])(
    '4 MB of %s cost steps of 256 KB at most, and are refused if a parser would read on',
    (_, piece, isTooComplex) => {
      for (const start of ['{', '{"entry":[{', '{"entry":[{"id":"']) {
        const peeked = peekAt(Buffer.from(start + fill(piece)))
        expect(peeked.longestStep).toBeLessThanOrEqual(262_144)
        if (!start.endsWith('"')) expect(peeked.isTooComplex).toBe(isTooComplex)
      }
    },
  )
})
