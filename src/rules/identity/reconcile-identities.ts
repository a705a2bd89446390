/** Reconciles stored identities with what a provider shows. Pure. Spec: Contacts › Who a customer is. */
import { IDENTITY_LIMITS } from '../../core/limits/contacts.ts'
import { isExclusiveKind, isScoped, type Identifier, type IdentifierKind } from './identifier.ts'
import type {
  IdentityChanges,
  IdentityFact,
  StoredIdentifier,
  StoredIdentity,
} from './identity-changes.ts'

/**
 * Decides how the identities that have one of an event's ids change: which are joined, and which ids move or end. A
 * fact that would join too many identities, or give one too many identifiers, changes nothing. It is then about the
 * identity that an account's id names, or else about the holder of its number.
 */
export function reconcileIdentities(
  fact: IdentityFact,
  known: readonly StoredIdentity[],
): IdentityChanges {
  const changes =
    fact.type === 'change' ? reconcileChange(fact, known) : reconcileProof(fact, known)
  const { joins, attached } = changes
  const full = known.filter((one) => isFull(one, attached))
  if (full.length === 0 && !areTooMany(joins, known)) return changes
  const tooMany = [
    ...joins,
    ...(joins.length > 0 ? [] : full.map(({ id }) => ({ into: id, from: null }))),
  ]
  const account = joinable(fact, identitiesOf(known, accountsOf(fact.now)))[0]
  const theirs = fact.now.filter((identifier) =>
    account
      ? account.identifiers.some(
          (held) =>
            isSame(held, identifier) && (held.kind !== 'number' || held.state === 'current'),
        )
      : identifier.kind === 'number',
  )
  return { joins: [], tooMany, attached: [], former: [], left: [], theirs }
}

/** Returns whether an identity would get more identifiers of a kind than one account can have. */
function isFull(
  { id, identifiers }: StoredIdentity,
  attached: IdentityChanges['attached'],
): boolean {
  return attached.some(
    ({ identityId, identifier }) =>
      identityId === id &&
      !identifiers.some((held) => isSame(held, identifier)) &&
      countOfKind(identifiers, identifier) >= IDENTITY_LIMITS.ofContact,
  )
}

const countOfKind = (
  identifiers: readonly StoredIdentifier[],
  { kind }: { kind: IdentifierKind },
): number => identifiers.filter((one) => one.kind === kind).length

function areTooMany(joins: IdentityChanges['joins'], known: readonly StoredIdentity[]): boolean {
  if (joins.length >= IDENTITY_LIMITS.joinedByFact) return true
  const concerned = new Set(joins.flatMap(({ into, from }) => [into, from]))
  const sizes = new Map<string, number>()
  for (const { id, contactId, ofContact, identifiers } of known) {
    if (!concerned.has(id)) continue
    const max = Math.max(...identifiers.map((one) => countOfKind(identifiers, one)))
    sizes.set(contactId, Math.max(sizes.get(contactId) ?? 0, ofContact, max))
  }
  if (sizes.size < 2) return false
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) > IDENTITY_LIMITS.ofContact
}

function reconcileProof(fact: IdentityFact, known: readonly StoredIdentity[]): IdentityChanges {
  const number = fact.now.find(({ kind }) => kind === 'number')
  // The dialled number identifies the customer of the answer, as an account's own id does.
  const accounts = [...fact.before, ...accountsOf(fact.now)]
  const group = joinable(fact, identitiesOf(known, accounts))
  const [oldest] = group
  const account = oldest && asOne(oldest, group)
  const holder = number ? known.find((one) => has(one, number)) : undefined
  const held = holder?.identifiers.find((one) => isSame(one, number!))
  const isStale = held?.state === 'former' && isSince(held, fact.at)
  const isTheirOwn = holder === undefined || group.some(({ id }) => id === holder.id)
  const numbered = isTheirOwn || isStale ? undefined : holder
  const joins = account ? joinsInto(account, group) : []
  const nothing: IdentityChanges = { ...noChanges(fact), joins }

  if (numbered) return reconcileWithHolder(fact, nothing, { account, group, numbered, held: held! })
  if (account) return { ...nothing, ...attach(fact, account, fact.now) }
  // A sender who shows another customer's former number is a new customer.
  return isStale && fact.type === 'message' ? { ...nothing, left: [number!] } : nothing
}

/** Reconciles a fact whose number belongs to another identity than the account's, or whose account is unknown. */
function reconcileWithHolder(
  fact: IdentityFact,
  nothing: IdentityChanges,
  {
    account,
    group,
    numbered,
    held,
  }: {
    account: StoredIdentity | undefined
    /** The identities that the account's ids have belonged to until now. */
    group: readonly StoredIdentity[]
    numbered: StoredIdentity
    held: StoredIdentifier
  },
): IdentityChanges {
  if (!contradicts(fact, numbered)) {
    if (!account) return { ...nothing, ...attach(fact, numbered, fact.now) }
    // A customer's number as written by a person joins no other account.
    if (held.proof === 'shown' || !numbered.hasSibling) {
      const all = [...group, numbered].toSorted(byAge)
      const one = asOne(all[0]!, all)
      return { ...nothing, joins: joinsInto(one, all), ...attach(fact, one, fact.now) }
    }
  }
  if (held.shownAt !== null && held.shownAt > fact.at) {
    const rest = fact.now.filter(({ kind }) => kind !== 'number')
    return { ...nothing, theirs: rest, ...(account ? attach(fact, account, rest) : {}) }
  }
  if (account) return { ...nothing, ...attach(fact, account, fact.now) }
  if (held.proof === 'shown') return { ...nothing, left: [held] }
  const { contactId } = numbered
  return {
    ...nothing,
    attached: fact.now.map((identifier) => ({
      identityId: null,
      contactId,
      identifier,
      scope: scopeOf(fact, identifier),
      state: 'current',
    })),
  }
}

function reconcileChange(fact: IdentityFact, known: readonly StoredIdentity[]): IdentityChanges {
  const nothing = noChanges(fact)
  const numbersOf = (ids: readonly Identifier[]) => ids.filter(({ kind }) => kind === 'number')
  const before =
    identitiesOf(known, accountsOf(fact.before))[0] ??
    identitiesOf(known, numbersOf(fact.before)).find(
      (one) => !isTakenSince(one, numbersOf(fact.before), fact.at),
    )
  const after = identitiesOf(known, accountsOf(fact.now))[0]
  const number = numbersOf(fact.now)[0]
  const holder = number && known.find((one) => has(one, number))
  const self = before ?? after ?? (holder && isTheirs(holder, number, fact.at) ? holder : undefined)
  if (!self) return nothing
  const same = [after, holder].filter((one) => one !== undefined && one.id !== self.id)
  const joined = same.filter(
    (one) => one === after || (number !== undefined && isTheirs(one!, number, fact.at)),
  ) as StoredIdentity[]
  const all = [self, ...new Map(joined.map((one) => [one.id, one])).values()]
  const one = asOne(all.toSorted(byAge)[0]!, all)
  const { identifiers } = one
  const attached = attach(fact, one, fact.now)
  const replaced = identifiers.filter(
    (held) =>
      held.state === 'current' &&
      (held.shownAt === null || held.shownAt <= fact.at) &&
      fact.before.some((id) => isSame(held, id)) &&
      !fact.now.some((id) => isSame(held, id)),
  )
  // The provider replaces an id because the number has changed; the number is unknown until the provider shows it
  // again.
  const hidden = number
    ? []
    : identifiers.filter(
        (held) =>
          held.kind === 'number' &&
          held.state === 'current' &&
          (held.shownAt === null || held.shownAt <= fact.at),
      )
  return {
    ...nothing,
    joins: joinsInto(one, all),
    attached: attached.attached,
    former: [...new Set([...attached.former, ...replaced, ...hidden])],
  }
}

/** Returns the changes to an identity that a fact shows to have these identifiers. */
function attach(
  fact: IdentityFact,
  identity: StoredIdentity,
  identifiers: readonly Identifier[],
): Pick<IdentityChanges, 'attached' | 'former'> {
  const attached: IdentityChanges['attached'] = []
  const former: IdentityChanges['former'] = []
  for (const identifier of identifiers) {
    const scope = scopeOf(fact, identifier)
    const held = identity.identifiers.find((one) => isSame(one, identifier))
    const rivals = isExclusiveKind(identifier.kind)
      ? identity.identifiers.filter(
          (one) =>
            one.kind === identifier.kind &&
            one.state === 'current' &&
            one.scope === scope &&
            one.key !== identifier.key,
        )
      : []
    const isNewest = rivals.every((one) => one.shownAt === null || one.shownAt <= fact.at)
    // A replaced id never becomes current again: changing back brings a new id.
    const isOver = held?.state === 'former' && (held.kind !== 'number' || !isSince(held, fact.at))
    const state = isNewest && !isOver ? 'current' : 'former'
    if (state === 'current') former.push(...rivals)
    const isKnown = held?.state === state && held.proof === 'shown'
    if (isKnown) continue
    attached.push({
      identityId: identity.id,
      contactId: identity.contactId,
      identifier,
      scope: held?.scope ?? scope,
      state,
    })
  }
  return { attached, former }
}

/**
 * Returns whether the fact shows that another account has the number of this one: another id of the same kind and
 * scope.
 */
function contradicts(fact: IdentityFact, { identifiers }: StoredIdentity): boolean {
  return fact.now.some(
    ({ kind, key }) =>
      isScoped(kind) &&
      !identifiers.some((one) => one.kind === kind && one.key === key) &&
      identifiers.some(
        (one) =>
          one.kind === kind &&
          one.state === 'current' &&
          one.proof === 'shown' &&
          one.scope !== null &&
          one.scope === fact.scope,
      ),
  )
}

/**
 * Returns the identities that are the same customer among those that a fact names by account ids: the first, and those
 * that contradict it in no id.
 */
function joinable(fact: IdentityFact, identities: readonly StoredIdentity[]): StoredIdentity[] {
  const [first, ...others] = identities
  if (!first) return []
  const named = identities.find((one) =>
    one.identifiers.some((held) => held.kind === 'user' && fact.now.some((id) => isSame(held, id))),
  )
  const lead = named ?? first
  const rest = [first, ...others].filter((one) => one.id !== lead.id)
  const one = rest.filter((other) => !haveRivals(lead, other))
  return [lead, ...one].toSorted(byAge)
}

function haveRivals(one: StoredIdentity, other: StoredIdentity): boolean {
  return one.identifiers.some(
    (mine) =>
      isScoped(mine.kind) &&
      mine.state === 'current' &&
      mine.scope !== null &&
      other.identifiers.some(
        (theirs) =>
          theirs.kind === mine.kind &&
          theirs.state === 'current' &&
          theirs.scope === mine.scope &&
          theirs.key !== mine.key,
      ),
  )
}

/**
 * Returns whether the holder of a customer's new number is that customer, seen under this number before the change was
 * reported.
 */
function isTheirs(
  { identifiers, hasSibling }: StoredIdentity,
  number: Identifier,
  changedAt: Date,
): boolean {
  const held = identifiers.find((one) => isSame(one, number))!
  const isAlone = identifiers.every(({ kind }) => kind === 'number')
  if (!isAlone) return false
  return held.proof === 'shown' ? held.firstAt >= changedAt : !hasSibling
}

/** Returns whether another customer was first seen with the numbers after the change. */
function isTakenSince(
  { identifiers }: StoredIdentity,
  numbers: readonly Identifier[],
  at: Date,
): boolean {
  return identifiers.some(
    (one) => one.firstAt > at && one.proof === 'shown' && numbers.some((id) => isSame(one, id)),
  )
}

const accountsOf = (ids: readonly Identifier[]) => ids.filter(({ kind }) => kind !== 'number')

const noChanges = ({ now }: IdentityFact): IdentityChanges => {
  return { joins: [], tooMany: [], attached: [], former: [], left: [], theirs: [...now] }
}

function identitiesOf(
  known: readonly StoredIdentity[],
  identifiers: readonly Identifier[],
): StoredIdentity[] {
  return known.filter((one) => identifiers.some((identifier) => has(one, identifier)))
}

const has = ({ identifiers }: StoredIdentity, identifier: Identifier) =>
  identifiers.some((one) => isSame(one, identifier))

const isSame = (
  one: { kind: IdentifierKind; key: string },
  other: { kind: IdentifierKind; key: string },
) => one.kind === other.kind && one.key === other.key

/**
 * Returns whether a provider reported before `at` that the identifier was replaced; a member's change does not count.
 */
const isSince = ({ changedAt }: StoredIdentifier, at: Date) => changedAt !== null && at > changedAt

const byAge = (a: StoredIdentity, b: StoredIdentity) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)

/** Returns the surviving identity with the identifiers of all that are joined. */
const asOne = (into: StoredIdentity, all: readonly StoredIdentity[]): StoredIdentity => ({
  ...into,
  identifiers: all.flatMap(({ identifiers }) => identifiers),
})

const joinsInto = (into: StoredIdentity, all: readonly StoredIdentity[]) =>
  all.filter(({ id }) => id !== into.id).map(({ id }) => ({ into: into.id, from: id }))

const scopeOf = ({ scope }: IdentityFact, { kind }: Identifier) => (isScoped(kind) ? scope : null)
