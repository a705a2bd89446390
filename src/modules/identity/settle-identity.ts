import type { Context } from '../../infra/context.ts'
import { isDeepStrictEqual } from 'node:util'
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import type { ContactRow } from '../messaging/contact.ts'
import { transitionConversations } from '../messaging/transition-conversations.ts'
import { editContacts, type ContactEdit, type EditedContact } from '../messaging/edit-contacts.ts'
import { lockCustomer } from '../messaging/lock-customer.ts'
import type { Customer } from '../messaging/plan-customer-resolution.ts'
import { planEdit, type ContactChange } from '../messaging/plan-edit.ts'
import { insertIdentifiers } from '../messaging/write-resolved.sql.ts'
import type { Identifier } from '../../rules/identity/identifier.ts'
import type {
  IdentityChanges,
  IdentityFact,
  StoredIdentifier,
  StoredIdentity,
} from '../../rules/identity/identity-changes.ts'
import { reconcileIdentities } from '../../rules/identity/reconcile-identities.ts'
import { joinIdentities, type JoinedAssignee } from './join-identities.sql.ts'
import { lockContacts } from './lock-contacts.ts'
import { stopAutomationsIfOptedOut, mergeContacts } from './merge-contacts.ts'
import { recordChanges, type Joined } from './record-changes.sql.ts'
import { recordNotJoined } from './record-not-joined.sql.ts'
import { rememberOptOut } from './opt-out-memory.sql.ts'
import { readShown } from './shown.sql.ts'

type Deps = { ids: Ids; now: Date; log: Context['log'] }
type Company = { id: string; name: string | null }

/**
 * Merges identities and contacts, and moves or detaches identifiers, by what a provider shows of a customer, and
 * returns the customer's identifiers, under which a message is filed. Raises one event per changed contact:
 * `contact.opted_out` if it was opted out, else `contact.updated`. What is known already changes nothing.
 *
 * Isolation: runs before anything else is locked. All identifiers of all identities concerned are locked in one
 * order, and re-read until the locked ones are current; then the conversations of their contacts, and the contacts.
 * Spec: Contacts › Who a customer is.
 */
export async function settleIdentity(
  tx: Transaction<DB>,
  deps: Deps,
  company: Company,
  fact: IdentityFact,
): Promise<Identifier[]> {
  const known = await lockIdentities(tx, company.id, fact)
  const settlement = reconcileIdentities(fact, known)
  const { joins, tooMany, attached, former, left, theirs } = settlement
  if (tooMany.length > 0) await recordNotJoined(tx, deps, company.id, { fact, known, tooMany })
  if (joins.length + attached.length + former.length + left.length === 0) return theirs
  const contactIds = [...new Set(known.map(({ contactId }) => contactId))].toSorted()
  await lockContacts(tx, company.id, contactIds)
  await rememberLeft(tx, deps, company.id, contactIds, left)
  await endIdentifiers(tx, company.id, fact.at, settlement)
  const { changes, survivors, joined, assigned } = await join(
    tx,
    deps,
    company.id,
    known,
    settlement,
  )
  await attachIdentifiers(tx, deps, company.id, fact, settlement)
  const tagsLeftOut = await updateContacts(tx, deps, company, contactIds, survivors, changes)
  await recordChanges(tx, deps, company.id, { fact, known, settlement, joined, tagsLeftOut })
  await assign(tx, deps, company.id, assigned)
  return theirs
}

/** Assigns remaining conversations to the assignees of those merged into them, with an event. */
async function assign(
  tx: Transaction<DB>,
  deps: Deps,
  companyId: string,
  assigned: readonly JoinedAssignee[],
): Promise<void> {
  await transitionConversations(
    tx,
    deps,
    assigned.map(({ conversationId, assigneeId }) => ({
      companyId,
      conversationId,
      by: { kind: 'service' },
      change: { kind: 'assign', assigneeId },
    })),
  )
}

/** Applies what the ids in a customer's message show, and returns the customer with the resulting identifiers. */
export async function settleCustomer(
  tx: Transaction<DB>,
  deps: Deps,
  customer: Customer,
): Promise<Customer> {
  const { company, identifiers, scope = null, at } = customer
  const fact: IdentityFact = { type: 'message', before: [], now: identifiers, scope, at }
  const [first, ...others] = await settleIdentity(tx, deps, company, fact)
  if (!first) return customer
  const hasNumber = [first, ...others].some(({ kind }) => kind === 'number')
  const { phone, whatsappId } = customer.reported
  const isTheirs = [first, ...others].some(({ value }) => value === whatsappId)
  const newContact = {
    ...customer.reported,
    phone: hasNumber ? phone : null,
    whatsappId: isTheirs ? whatsappId : null,
  }
  return { ...customer, identifiers: [first, ...others], reported: newContact }
}

async function lockIdentities(
  tx: Transaction<DB>,
  companyId: string,
  fact: IdentityFact,
): Promise<StoredIdentity[]> {
  const wanted = [...fact.now, ...fact.before]
  for (let seen = await readIdentities(tx, companyId, wanted); ;) {
    const theirs = seen.flatMap(({ identifiers }) => identifiers)
    await lockCustomer(tx, companyId, [...wanted, ...theirs])
    const found = await readIdentities(tx, companyId, wanted)
    if (isDeepStrictEqual(found, seen)) return found
    seen = found
  }
}

/** Loads the identities that have one of these identifiers, each with all of its identifiers. */
async function readIdentities(
  tx: Transaction<DB>,
  companyId: string,
  wanted: readonly Identifier[],
): Promise<StoredIdentity[]> {
  type Row = Omit<StoredIdentity, 'identifiers'> & StoredIdentifier
  const { rows } = await sql<Row>`
    with concerned as (
      select distinct identity_id as id from identifier
        join unnest(${wanted.map(({ kind }) => kind)}::text[], ${wanted.map(({ key }) => key)}::text[])
          as wanted (kind, key) using (kind, key)
      where identifier.company_id = ${companyId} and identifier.state <> 'left'
    )
    select identity.id, identity.contact_id, identity.created_at,
      exists (select from identity other join identifier account on account.identity_id = other.id
        where other.contact_id = identity.contact_id and other.id <> identity.id
          and account.kind <> 'number' and account.proof = 'shown' and account.state <> 'left') as has_sibling,
      -- Identities merged by a provider have no row, so their merges are counted.
      ((select count(*) from identity own where own.contact_id = identity.contact_id)
        + (select count(*) from contact_merge where into_id = identity.contact_id and merged_by is null))::integer
        as of_contact,
      identifier.kind, identifier.key, identifier.value, identifier.scope, identifier.proof,
      identifier.state, identifier.first_at, identifier.changed_at,
      -- A message by it proves as much, but is not recorded each time.
      greatest(identifier.shown_at, (select max(last_customer_at) from conversation
        where conversation.identity_id = identity.id and conversation.filed_under = identifier.value
          and identifier.proof = 'shown' and identifier.state = 'current')) as shown_at
    from concerned join identity using (id) join identifier on identifier.identity_id = identity.id
    where identifier.state <> 'left'
    order by identity.created_at, identity.id, identifier.kind, identifier.key`.execute(tx)
  const identities = new Map<string, StoredIdentity>()
  for (const { id, contactId, createdAt, hasSibling, ofContact, ...identifier } of rows) {
    const identity = identities.get(id) ?? {
      id,
      contactId,
      createdAt,
      hasSibling,
      ofContact,
      identifiers: [],
    }
    identity.identifiers.push(identifier)
    identities.set(id, identity)
  }
  return [...identities.values()]
}

/** Stores the opt-out of a number that leaves its contact, as its next owner is not known yet. */
async function rememberLeft(
  tx: Transaction<DB>,
  deps: Deps,
  companyId: string,
  contactIds: readonly string[],
  left: IdentityChanges['left'],
): Promise<void> {
  if (left.length === 0) return
  const contacts = await readContacts(tx, contactIds)
  const word = contacts.find(({ optedOutAt }) => optedOutAt !== null)
  if (word) await rememberOptOut(tx, deps, companyId, left, word.optOutWordAt ?? word.optedOutAt)
}

/** Marks identifiers without an owner as `left`, and those that are no longer current as `former`. */
async function endIdentifiers(
  tx: Transaction<DB>,
  companyId: string,
  at: Date,
  { left, former }: IdentityChanges,
): Promise<void> {
  for (const [state, ended] of [
    ['left', left],
    ['former', former],
  ] as const) {
    if (ended.length === 0) continue
    await sql`update identifier set state = ${state}, changed_at = ${at}
      from unnest(${ended.map(({ kind }) => kind)}::text[], ${ended.map(({ key }) => key)}::text[])
        as input (kind, key)
      where identifier.company_id = ${companyId} and identifier.kind = input.kind
        and identifier.key = input.key and identifier.state <> 'left'`.execute(tx)
  }
}

/** Merges identities, and their contacts into the oldest one. Returns what the caller writes and records. */
async function join(
  tx: Transaction<DB>,
  deps: Deps,
  companyId: string,
  known: readonly StoredIdentity[],
  { joins }: IdentityChanges,
) {
  const changes = new Map<string, ContactChange[]>()
  /** The remaining contact by the id of the merged one. */
  const survivors = new Map<string, string>()
  /** Contacts as earlier merges leave them. */
  const planned = new Map<string, ContactRow>()
  const joined: Joined[] = []
  const assigned: JoinedAssignee[] = []
  const contactOf = (identityId: string) => {
    const { contactId } = known.find(({ id }) => id === identityId)!
    let id = contactId
    while (survivors.has(id)) id = survivors.get(id)!
    return id
  }
  for (const { into, from } of joins) {
    const pair = [contactOf(into), contactOf(from)]
    let merged: Joined['merged'] = null
    if (pair[0] !== pair[1]) {
      const stored = await readContacts(tx, pair)
      const [older, newer] = stored
        .map((row) => planned.get(row.id) ?? row)
        .toSorted(
          (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1),
        ) as [ContactRow, ContactRow]
      const change = await mergeContacts(tx, deps, { companyId, into: older, from: newer }, null)
      planned.set(older.id, planEdit(older, change, deps.now).contact)
      changes.set(older.id, [
        ...(changes.get(older.id) ?? []),
        ...(changes.get(newer.id) ?? []),
        change,
      ])
      changes.delete(newer.id)
      survivors.set(newer.id, older.id)
      merged = { contactId: newer.id, name: newer.name ?? newer.phone }
    }
    assigned.push(...(await joinIdentities(tx, deps.now, { companyId, into, from })))
    joined.push({ into, from, contactId: contactOf(into), merged })
  }
  return { changes, survivors, joined, assigned }
}

function readContacts(tx: Transaction<DB>, ids: readonly string[]): Promise<ContactRow[]> {
  return tx
    .selectFrom('contact')
    .selectAll()
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .execute()
}

/** Attaches identifiers to their identities and detaches them from the previous ones. */
async function attachIdentifiers(
  tx: Transaction<DB>,
  { ids, now }: Deps,
  companyId: string,
  { at }: IdentityFact,
  { attached }: IdentityChanges,
): Promise<void> {
  if (attached.length === 0) return
  const made = attached.some(({ identityId }) => identityId === null) ? ids.uuid() : null
  if (made !== null) {
    await sql`insert into identity (id, company_id, contact_id, created_at)
      values (${made}, ${companyId}, ${attached[0]!.contactId}, ${now})`.execute(tx)
  }
  const rows = attached.map(({ identityId, ...one }) => ({
    ...one,
    identityId: identityId ?? made!,
  }))
  await sql`update identifier
    set state = case when identifier.identity_id = input.identity_id then input.state else 'left' end,
      proof = case when identifier.identity_id = input.identity_id then 'shown' else identifier.proof end,
      scope = coalesce(identifier.scope, input.scope),
      shown_at = case when identifier.identity_id = input.identity_id
        then greatest(identifier.shown_at, ${at}) else identifier.shown_at end,
      changed_at = case when identifier.identity_id <> input.identity_id
        or input.state <> identifier.state then ${at} else identifier.changed_at end
    from unnest(${rows.map(({ identityId }) => identityId)}::uuid[],
      ${rows.map(({ identifier }) => identifier.kind)}::text[],
      ${rows.map(({ identifier }) => identifier.key)}::text[],
      ${rows.map(({ scope }) => scope)}::text[], ${rows.map(({ state }) => state)}::text[])
      as input (identity_id, kind, key, scope, state)
    where identifier.company_id = ${companyId} and identifier.kind = input.kind
      and identifier.key = input.key and identifier.state <> 'left'`.execute(tx)
  await insertIdentifiers(
    rows.map(({ identityId, identifier: { kind, key, value }, scope }) => {
      return { companyId, identityId, kind, key, value, scope, proof: 'shown', shownAt: at }
    }),
    now,
  ).execute(tx)
  const former = rows.filter(({ state }) => state === 'former')
  if (former.length === 0) return
  await sql`update identifier set state = 'former', changed_at = coalesce(changed_at, ${now})
    from unnest(${former.map(({ identifier }) => identifier.kind)}::text[],
      ${former.map(({ identifier }) => identifier.key)}::text[]) as input (kind, key)
    where identifier.company_id = ${companyId} and identifier.kind = input.kind
      and identifier.key = input.key and identifier.state = 'current'`.execute(tx)
}

/**
 * Updates contacts to what their identities show, and raises one event each, those that lose a number first. Returns by
 * contact the tags that exceed its limit.
 */
async function updateContacts(
  tx: Transaction<DB>,
  deps: Deps,
  company: Company,
  contactIds: readonly string[],
  survivors: ReadonlyMap<string, string>,
  changes: ReadonlyMap<string, readonly ContactChange[]>,
): Promise<Map<string, readonly string[]>> {
  const left = contactIds.filter((id) => !survivors.has(id))
  const shown = await readShown(tx, left)
  const edited: EditedContact[] = []
  // Only one contact shows a number: a contact loses it, with its event, before another gets it.
  for (const group of [
    shown.filter(({ phone }) => phone === null),
    shown.filter(({ phone }) => phone !== null),
  ]) {
    const edits = group.flatMap(({ contactId, phone, whatsappId }): ContactEdit[] => [
      ...(changes.get(contactId) ?? []).map((change) => ({ ...change, company, contactId })),
      { company, contactId, phone, whatsappId, ...(phone !== null && { rawPhone: null }) },
    ])
    edited.push(...(await editContacts(tx, deps, edits)).values())
  }
  for (const { before, contact } of edited) {
    if (before.optedOutAt === null || changes.has(contact.id))
      await stopAutomationsIfOptedOut(tx, deps.now, contact)
  }
  return new Map(edited.map(({ contact, tagsLeftOut }) => [contact.id, tagsLeftOut]))
}
