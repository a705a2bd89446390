import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { at, createStore, fact, id, N1, N2, U1, U2 } from '../../support/identities.ts'
import { numberIdentifier } from '../../../src/rules/identity/identifier.ts'

describe('Whatever providers show, in any order', () => {
  const anId = fc.constantFrom(
    N1,
    N2,
    U1,
    U2,
    id('lid', '1@lid'),
    id('lid', '2@lid'),
    id('parent', 'SA.ENT.1'),
  )
  const some = (min: number) =>
    fc.uniqueArray(anId, { minLength: min, maxLength: 3, selector: ({ kind }) => kind })
  const aFact = fc.record({
    type: fc.constantFrom(
      'message' as const,
      'answer' as const,
      'mapping' as const,
      'change' as const,
    ),
    now: some(1),
    before: some(0),
    scope: fc.constantFrom('account', 'other'),
    minute: fc.integer({ min: 1, max: 50 }),
  })
  const told = ({
    type,
    now,
    before,
    scope,
    minute,
  }: typeof aFact extends fc.Arbitrary<infer F> ? F : never) =>
    fact(now, { type, before: type === 'change' ? before : [], scope, at: at(minute) })

  test('no identifier belongs to two identities, and the one that files a message belongs to one', () => {
    fc.assert(
      fc.property(fc.array(aFact, { maxLength: 12 }), (facts) => {
        const store = createStore()
        for (const one of facts) {
          const { theirs } = store.tell(told(one))
          const names = store
            .all()
            .flatMap(({ identifiers }) => identifiers.map(({ kind, key }) => `${kind} ${key}`))
          expect(new Set(names).size).toBe(names.length)
          if (one.type !== 'message') continue
          const owners = store
            .all()
            .filter(({ identifiers }) =>
              theirs.some((mine) =>
                identifiers.some(({ kind, key }) => kind === mine.kind && key === mine.key),
              ),
            )
          expect(owners.length).toBe(1)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  test('an event that is repeated immediately joins nothing more', () => {
    fc.assert(
      fc.property(fc.array(aFact, { minLength: 1, maxLength: 8 }), (facts) => {
        const store = createStore()
        for (const one of facts) store.tell(told(one))
        expect(store.tell(told(facts.at(-1)!)).joins).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })

  test('customers who change nothing stay the same, whatever is shown of them at which time', () => {
    const all = [0, 1, 2].map((nth) => [
      numberIdentifier(`96650111000${nth}`),
      id('user', `SA.A${nth}`),
      id('parent', `SA.ENT.${nth}`),
      id('lid', `1${nth}@lid`),
    ])
    const aMessage = fc.record({
      of: fc.nat(2),
      ids: fc.uniqueArray(fc.nat(3), { minLength: 1, maxLength: 3 }),
      minute: fc.integer({ min: 1, max: 50 }),
      place: fc.integer(),
    })
    fc.assert(
      fc.property(fc.array(aMessage, { minLength: 2, maxLength: 12 }), (messages) => {
        const customersOf = (list: typeof messages) => {
          const store = createStore()
          for (const { of, ids, minute } of list) {
            store.tell(
              fact(
                ids.map((nth) => all[of]![nth]!),
                { at: at(minute) },
              ),
            )
          }
          const keys = store.all().map(({ identifiers }) => identifiers.map(({ key }) => key))
          return keys.map((each) => each.toSorted().join()).toSorted()
        }
        const otherwise = messages.toSorted((a, b) => a.place - b.place)
        expect(customersOf(otherwise)).toEqual(customersOf(messages))
      }),
      { numRuns: 2_000 },
    )
  })
})
