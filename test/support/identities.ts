/** Identities as the database has them, and a store in memory that carries out settlements. */
import { numberIdentifier, type Identifier } from '../../src/rules/identity/identifier.ts'
import type {
  IdentityChanges,
  IdentityFact,
  StoredIdentifier,
  StoredIdentity,
} from '../../src/rules/identity/identity-changes.ts'
import { reconcileIdentities } from '../../src/rules/identity/reconcile-identities.ts'

export const at = (minute: number) => new Date(Date.UTC(2026, 11, 7, 10, minute))
export const [N1, N2] = [numberIdentifier('966501110001'), numberIdentifier('966501110002')]
export const id = (kind: 'user' | 'parent' | 'lid', value: string): Identifier => {
  return { kind, key: value, value, filedUnder: value }
}
export const [U1, U2] = [id('user', 'SA.A1'), id('user', 'SA.A2')]

export const shown = (
  identifier: Identifier,
  more: Partial<StoredIdentifier> = {},
): StoredIdentifier => ({
  kind: identifier.kind,
  key: identifier.key,
  value: identifier.value,
  scope: identifier.kind === 'user' || identifier.kind === 'parent' ? 'account' : null,
  proof: 'shown',
  state: 'current',
  firstAt: at(0),
  shownAt: at(0),
  changedAt: null,
  ...more,
})
export const written = (identifier: Identifier) =>
  shown(identifier, { proof: 'hook', shownAt: null })

export const identity = (
  name: string,
  identifiers: StoredIdentifier[],
  more: Partial<StoredIdentity> = {},
): StoredIdentity => ({
  id: name,
  contactId: `contact of ${name}`,
  createdAt: at(0),
  hasSibling: false,
  ofContact: 1,
  identifiers,
  ...more,
})

export const fact = (now: Identifier[], more: Partial<IdentityFact> = {}): IdentityFact => {
  return { type: 'message', before: [], now, scope: 'account', at: at(30), ...more }
}

/** Creates a store in memory that carries out settlements, and adds an identity where a message finds none. */
export function createStore() {
  let identities: StoredIdentity[] = []
  const holder = ({ kind, key }: Pick<Identifier, 'kind' | 'key'>) =>
    identities.find((one) => one.identifiers.some((held) => held.kind === kind && held.key === key))
  const take = ({ kind, key }: Pick<Identifier, 'kind' | 'key'>) => {
    for (const one of identities) {
      one.identifiers = one.identifiers.filter((held) => held.kind !== kind || held.key !== key)
    }
  }
  let made = 0
  const make = (createdAt: Date): StoredIdentity => {
    made += 1
    const one = identity(`I${String(made).padStart(4, '0')}`, [], { createdAt })
    identities.push(one)
    return one
  }
  return {
    all: () => identities,
    tell(told: IdentityFact): IdentityChanges {
      const known = identities.filter((one) =>
        [...told.now, ...told.before].some((identifier) => holder(identifier) === one),
      )
      const settled = reconcileIdentities(told, structuredClone(known))
      for (const { kind, key } of settled.former) {
        for (const held of holder({ kind, key })?.identifiers ?? []) {
          if (held.kind === kind && held.key === key) {
            Object.assign(held, { state: 'former', changedAt: told.at })
          }
        }
      }
      for (const gone of settled.left) take(gone)
      for (const { into, from } of settled.joins) {
        const [one, other] = [into, from].map((name) =>
          identities.find(({ id: own }) => own === name)!,
        )
        one!.identifiers.push(...other!.identifiers)
        identities = identities.filter((each) => each !== other)
      }
      const fresh = settled.attached.some(({ identityId }) => identityId === null)
        ? make(told.at)
        : null
      for (const { identityId, identifier, scope, state } of settled.attached) {
        const of = identities.find(({ id: own }) => own === identityId) ?? fresh!
        const before = of.identifiers.find(
          (one) => one.kind === identifier.kind && one.key === identifier.key,
        )
        take(identifier)
        const changedAt = state === 'former' ? (before?.changedAt ?? told.at) : null
        const firstAt = before?.firstAt ?? told.at
        of.identifiers.push(
          shown(identifier, { scope, state, firstAt, shownAt: told.at, changedAt }),
        )
      }
      if (told.type === 'message') {
        const theirs = settled.theirs
        const owner = theirs.map(holder).find((one) => one !== undefined) ?? make(told.at)
        for (const identifier of theirs.filter((one) => holder(one) === undefined)) {
          const scope = identifier.kind === 'user' ? told.scope : null
          owner.identifiers.push(shown(identifier, { scope, firstAt: told.at, shownAt: told.at }))
        }
      }
      return settled
    },
  }
}
