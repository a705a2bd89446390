import { describe, expect, test } from 'vitest'
import { numberIdentifier, type Identifier } from '../../../src/rules/identity/identifier.ts'
import type {
  IdentityChanges,
  IdentityFact,
  StoredIdentifier,
  StoredIdentity,
} from '../../../src/rules/identity/identity-changes.ts'
import { reconcileIdentities } from '../../../src/rules/identity/reconcile-identities.ts'
import { at, N1, N2, U1, U2, id, shown, written, identity, fact } from '../../support/identities.ts'

const ofA = (...identifiers: StoredIdentifier[]) => identity('A', identifiers)
const ofB = (...identifiers: StoredIdentifier[]) => identity('B', identifiers)

const change = (before: Identifier[], now: Identifier[], minute = 30) =>
  fact(now, { type: 'change', before, at: at(minute) })

/** Returns a settlement in short: `A+B` joined, `number>A` attached, `number~` former, `number-` left. */
const inShort = ({ joins, attached, former, left }: IdentityChanges) =>
  [
    ...joins.map(({ into, from }) => `${into}+${from}`),
    ...attached.map(({ identityId, identifier, state }) => {
      return `${identifier.kind}>${identityId ?? 'new'}${state === 'former' ? '~' : ''}`
    }),
    ...former.map(({ kind }) => `${kind}~`),
    ...left.map(({ kind }) => `${kind}-`),
  ].toSorted()

describe('A customer at the limit', () => {
  const LID = id('lid', '1@lid')
  const many = (ofContact: number, other: number) => [
    identity('A', [shown(LID)], { ofContact }),
    identity('B', [shown(N1)], { ofContact: other }),
  ]
  const lids = Array.from({ length: 9 }, (_, nth) => id('lid', `${nth}@lid`))
  const nine = lids.map((lid, nth) => identity(`${nth}`, [shown(lid)]))

  test('is not joined to a contact of more than 50 identities, however they are divided', () => {
    for (const mine of [50, 1, 26]) {
      const settled = reconcileIdentities(fact([N1, LID]), many(mine, 51 - mine))
      expect(inShort(settled)).toEqual([])
      expect(settled.tooMany).toEqual([{ into: 'A', from: 'B' }])
      expect(settled.theirs).toEqual([LID])
    }
    expect(inShort(reconcileIdentities(fact([N1, LID]), many(49, 1)))).toEqual(['A+B'])
  })

  test('is not joined at a change of ids either', () => {
    const told = change([LID], [id('user', 'SA.A9'), N1])
    const known = [identity('A', [shown(LID)], { ofContact: 50 }), identity('B', [written(N1)])]
    expect(inShort(reconcileIdentities(told, known))).toEqual([])
    expect(reconcileIdentities(told, known).tooMany).toEqual([{ into: 'A', from: 'B' }])
  })

  test('is not joined to more than 8 identities', () => {
    expect(reconcileIdentities(fact(lids), nine)).toMatchObject({ joins: [], theirs: [lids[0]] })
    expect(reconcileIdentities(fact(lids), nine).tooMany).toHaveLength(8)
    expect(reconcileIdentities(fact(lids.slice(1)), nine).joins).toHaveLength(7)
    const withNumber = [...nine.slice(1), identity('N', [shown(N1)])]
    expect(inShort(reconcileIdentities(fact([N1, ...lids.slice(1)]), withNumber))).toEqual([])
  })

  const had = (identifier: Identifier) => shown(identifier, { state: 'former' })
  const FIFTY = Array.from({ length: 50 }, (_, nth) => nth)
  const numbers = FIFTY.map((nth) => had(numberIdentifier(String(966501110100 + nth))))
  const fiftyLids = FIFTY.map((nth) => had(id('lid', `5${nth}@lid`)))
  test('gets no number or id after 50 that an account has had', () => {
    const told = fact([N1, LID])
    for (const [held, theirs] of [
      [[shown(LID), ...numbers], [LID]],
      [[shown(N1), ...fiftyLids], [N1]],
    ] as const) {
      const settled = reconcileIdentities(told, [identity('A', [...held])])
      expect(inShort(settled)).toEqual([])
      expect(settled.tooMany).toEqual([{ into: 'A', from: null }])
      expect(settled.theirs).toEqual(theirs)
      expect(inShort(reconcileIdentities(told, [identity('A', held.slice(0, -1))]))).not.toEqual([])
    }
    const known = [identity('A', [shown(LID), ...numbers]), identity('B', [shown(N1)])]
    expect(reconcileIdentities(told, known)).toMatchObject({
      joins: [],
      tooMany: [{ into: 'A', from: 'B' }],
    })
  })

  test('is still joined within one contact', () => {
    const one = { contactId: 'one', ofContact: 60 }
    const known = [identity('A', [shown(LID)], one), identity('B', [shown(N1)], one)]
    expect(inShort(reconcileIdentities(fact([N1, LID]), known))).toEqual(['A+B'])
  })
})

describe('Ids that are shown together', () => {
  const both = fact([N1, U1])
  test.each<[string, IdentityFact, StoredIdentity[], string[]]>([
    ['create nothing when no identity has them', both, [], []],
    ['add the unknown one to the identity of the known one', both, [ofA(shown(N1))], ['user>A']],
    ['show a number that a hook wrote', fact([N1]), [ofA(written(N1))], ['number>A']],
    [
      'join the two identities that have them',
      both,
      [ofA(shown(U1)), ofB(written(N1))],
      ['A+B', 'number>A'],
    ],
    [
      'join where one identity had another number, which becomes a former one',
      fact([N2, U1]),
      [ofA(shown(U1), shown(N1)), ofB(shown(N2))],
      ['A+B', 'number~'],
    ],
    ['change nothing when they are known to be one account', both, [ofA(shown(U1), shown(N1))], []],
  ])('%s', (_, told, known, expected) => {
    expect(inShort(reconcileIdentities(told, known))).toEqual(expected)
  })
})

describe('A number that comes with another id of the same account', () => {
  const giver = identity('A', [shown(N1), shown(U1)])
  test('belongs to another customer: it leaves the one it was shown of', () => {
    const settled = reconcileIdentities(fact([N1, U2]), [giver])
    expect(inShort(settled)).toEqual(['number-'])
    expect(settled.theirs).toEqual([N1, U2])
  })
  test('moves to the customer with the id', () => {
    expect(
      inShort(reconcileIdentities(fact([N1, U2]), [giver, identity('B', [shown(U2)])])),
    ).toEqual(['number>B'])
  })
  test('belongs to another account of the contact when a person wrote it there', () => {
    const wrote = identity('A', [written(N1), shown(U1)])
    const { attached } = reconcileIdentities(fact([N1, U2]), [wrote])
    expect(attached.map(({ identityId, contactId }) => [identityId, contactId])).toEqual([
      [null, 'contact of A'],
      [null, 'contact of A'],
    ])
  })
  test('takes nothing when it is reported late: the message belongs to the id', () => {
    const lately = identity('A', [shown(N1, { shownAt: at(40) }), shown(U1)])
    const settled = reconcileIdentities(fact([N1, U2]), [lately, identity('B', [shown(U2)])])
    expect([inShort(settled), settled.theirs]).toEqual([[], [U2]])
  })
  test('is one more id of the same customer when it belongs to another account', () => {
    expect(inShort(reconcileIdentities(fact([N1, U2], { scope: 'other' }), [giver]))).toEqual([
      'user>A',
    ])
  })
})

describe('A customer who changes number or id', () => {
  const five = ofA(shown(N1), shown(U1))
  const other = ofB(shown(N2), shown(id('user', 'SA.B1')))
  const moves = change([N1, U1], [N2, U2])
  const MOVED = ['number>A', 'number~', 'user>A', 'user~']
  test.each<[string, IdentityFact, StoredIdentity[], string[]]>([
    ['changes nothing when no identity is known', change([U1], [N2, U2]), [], []],
    ['is known by the new ids, and found by the old ones', moves, [five], MOVED],
    [
      'is reached by the id alone once the number is hidden',
      change([U1], [U2]),
      [five],
      ['number~', 'user>A', 'user~'],
    ],
    [
      'is joined with the identity that wrote by the new ids before the report',
      change([U1], [N2, U2]),
      [five, ofB(shown(N2), shown(U2))],
      ['A+B', 'number~', 'user~'],
    ],
    ['takes the number from the customer who had it before', moves, [five, other], MOVED],
    [
      'is joined with the identity for which the new number was only written down',
      moves,
      [five, ofB(written(N2))],
      ['A+B', ...MOVED],
    ],
    [
      'keeps what was shown since, when the report is late',
      change([N1, U1], [N2, U2], 10),
      [ofA(shown(N1, { shownAt: at(20) }), shown(U1, { shownAt: at(20) }))],
      ['number>A~', 'user>A~'],
    ],
  ])('%s', (_, told, known, expected) => {
    const settled = reconcileIdentities(told, known)
    expect([...new Set(inShort(settled))]).toEqual(expected)
  })

  test('is not confused with another person who writes from the number they gave up', () => {
    const gone = shown(N1, { state: 'former', changedAt: at(20) })
    const changed = identity('A', [gone, shown(U1)])
    expect(inShort(reconcileIdentities(fact([N1]), [changed]))).toEqual(['number-'])
    expect(inShort(reconcileIdentities(fact([N1], { at: at(10) }), [changed]))).toEqual([])
    expect(inShort(reconcileIdentities(fact([N1, U1]), [changed]))).toEqual(['number>A'])
  })
})
