/** What becomes of identities when a provider shows something of them. Pure. Spec: Contacts › Who a customer is. */
import { isOnly, isScoped, type Identifier, type IdentifierKind, type Proof } from './identifier.ts'

export type StoredIdentifier = Pick<Identifier, 'kind' | 'key' | 'value'> & {
  scope: string | null
  proof: Proof
  state: 'current' | 'former'
  firstAt: Date
  shownAt: Date | null
  changedAt: Date | null
}

export type StoredIdentity = {
  id: string
  contactId: string
  createdAt: Date
  /** Whether another identity of its contact is an account that a provider has shown. */
  hasSibling: boolean
  /** How many identities its contact has, with those that providers have shown to be one with them. */
  ofContact: number
  identifiers: StoredIdentifier[]
}

/** What a provider tells in one piece. */
export type IdentityFact = {
  /**
   * `message`: somebody wrote, or was written to from the provider's app. `answer`: of a send or a receipt.
   * `mapping`: two ids are one account. `change`: an account has other ids than before.
   */
  type: 'message' | 'answer' | 'mapping' | 'change'
  /** Of one account, as it is now. */
  now: readonly Identifier[]
  /** The ids that the account had until now, where it has others. */
  before: readonly Identifier[]
  /** Within which its business-scoped ids are ids. */
  scope: string | null
  at: Date
}

export type Settlement = {
  /** Pairs of identities that are one: the first stays. */
  joins: { into: string; from: string }[]
  /**
   * What the fact shows to be one, and is left apart: it is too many to be one customer. Without `from` an identity that
   * would have too many numbers or ids.
   */
  tooMany: { into: string; from: string | null }[]
  /** Identifiers that are an identity's now, taken from whose they were; null: of an identity to be made of a contact. */
  attached: {
    identityId: string | null
    contactId: string
    identifier: Identifier
    scope: string | null
    state: 'current' | 'former'
  }[]
  /** Identifiers that find their identity still and are not dialled any more. */
  former: Pick<Identifier, 'kind' | 'key'>[]
  /** Identifiers that find nobody any more. */
  left: Pick<Identifier, 'kind' | 'key'>[]
  /** What of `now` leads to whom the fact is about, or to nobody: by what a message is filed. */
  theirs: Identifier[]
}

/**
 * More identities than this are never shown by one fact to be one customer, and no contact is made of more: a broken
 * provider or a shared telephone joins them.
 */
const MOST_JOINED = 8
const MOST_OF_CONTACT = 50

/** An identity has at most so many identifiers of a kind: nobody has had so many numbers, and a broken provider tells so. */
export const MOST_OF_KIND = MOST_OF_CONTACT

/**
 * Returns what a fact makes of the identities that have one of its identifiers. Of one that would join too many, or give one
 * too many identifiers, nothing is made: it is about the one that an id of an account names, else about whose number it is.
 */
export function settle(fact: IdentityFact, known: readonly StoredIdentity[]): Settlement {
  const settled = fact.type === 'change' ? settleChange(fact, known) : settleProof(fact, known)
  const { joins, attached } = settled
  const full = known.filter((one) => isFull(one, attached))
  if (full.length === 0 && !areTooMany(joins, known)) return settled
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

/** Whether an identity is given one more identifier of a kind than one account can have. */
function isFull({ id, identifiers }: StoredIdentity, attached: Settlement['attached']): boolean {
  return attached.some(
    ({ identityId, identifier }) =>
      identityId === id &&
      !identifiers.some((held) => isSame(held, identifier)) &&
      countOfKind(identifiers, identifier) >= MOST_OF_KIND,
  )
}

const countOfKind = (
  identifiers: readonly StoredIdentifier[],
  { kind }: { kind: IdentifierKind },
): number => identifiers.filter((one) => one.kind === kind).length

function areTooMany(joins: Settlement['joins'], known: readonly StoredIdentity[]): boolean {
  if (joins.length >= MOST_JOINED) return true
  const concerned = new Set(joins.flatMap(({ into, from }) => [into, from]))
  const sizes = new Map<string, number>()
  for (const { id, contactId, ofContact, identifiers } of known) {
    if (!concerned.has(id)) continue
    const most = Math.max(...identifiers.map((one) => countOfKind(identifiers, one)))
    sizes.set(contactId, Math.max(sizes.get(contactId) ?? 0, ofContact, most))
  }
  if (sizes.size < 2) return false
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) > MOST_OF_CONTACT
}

function settleProof(fact: IdentityFact, known: readonly StoredIdentity[]): Settlement {
  const number = fact.now.find(({ kind }) => kind === 'number')
  // What was dialled finds whom the answer is about, as an account's own id does.
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
  const nothing: Settlement = { ...settledAs(fact), joins }

  if (numbered) return settleWithHolder(fact, nothing, { account, group, numbered, held: held! })
  if (account) return { ...nothing, ...attach(fact, account, fact.now) }
  // Who shows a number that was somebody's until a change is another.
  return isStale && fact.type === 'message' ? { ...nothing, left: [number!] } : nothing
}

/** Another identity than the account's has the number that is shown with it, or the account is not known. */
function settleWithHolder(
  fact: IdentityFact,
  nothing: Settlement,
  {
    account,
    group,
    numbered,
    held,
  }: {
    account: StoredIdentity | undefined
    /** What the account's ids have been of until now. */
    group: readonly StoredIdentity[]
    numbered: StoredIdentity
    held: StoredIdentifier
  },
): Settlement {
  if (!contradicts(fact, numbered)) {
    if (!account) return { ...nothing, ...attach(fact, numbered, fact.now) }
    // What a person wrote of a customer with another account joins nothing.
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

function settleChange(fact: IdentityFact, known: readonly StoredIdentity[]): Settlement {
  const nothing = settledAs(fact)
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
  // The provider replaces an id because the number has changed: until it shows one again, none is known.
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

/** What becomes of an identity that a fact shows to have these identifiers. */
function attach(
  fact: IdentityFact,
  identity: StoredIdentity,
  identifiers: readonly Identifier[],
): Pick<Settlement, 'attached' | 'former'> {
  const attached: Settlement['attached'] = []
  const former: Settlement['former'] = []
  for (const identifier of identifiers) {
    const scope = scopeOf(fact, identifier)
    const held = identity.identifiers.find((one) => isSame(one, identifier))
    const rivals = isOnly(identifier.kind)
      ? identity.identifiers.filter(
          (one) =>
            one.kind === identifier.kind &&
            one.state === 'current' &&
            one.scope === scope &&
            one.key !== identifier.key,
        )
      : []
    const isNewest = rivals.every((one) => one.shownAt === null || one.shownAt <= fact.at)
    // An id that was replaced never comes back: there and back brings a new one.
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

/** The provider shows that another account has the number of this one: another id of the same kind and scope. */
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

/** Of identities that a fact names by ids of accounts those that are one: the first, and what contradicts it in nothing. */
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

/** Whether an identity that has the number a customer changes to is that customer, seen under it before. */
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

/** A number that somebody else was first seen by after a change says nothing of who changed. */
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

const settledAs = ({ now }: IdentityFact): Settlement => {
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

/** A number that was replaced by the provider's word is not theirs since then; one that a member replaced still is. */
const isSince = ({ changedAt }: StoredIdentifier, at: Date) => changedAt !== null && at > changedAt

const byAge = (a: StoredIdentity, b: StoredIdentity) =>
  a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1)

/** Identities that turn out to be one, as the one that stays. */
const asOne = (into: StoredIdentity, all: readonly StoredIdentity[]): StoredIdentity => ({
  ...into,
  identifiers: all.flatMap(({ identifiers }) => identifiers),
})

const joinsInto = (into: StoredIdentity, all: readonly StoredIdentity[]) =>
  all.filter(({ id }) => id !== into.id).map(({ id }) => ({ into: into.id, from: id }))

const scopeOf = ({ scope }: IdentityFact, { kind }: Identifier) => (isScoped(kind) ? scope : null)
