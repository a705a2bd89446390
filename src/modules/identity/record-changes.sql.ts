/** Records of what a provider has shown of a customer: entries in conversations for staff, and a history. */
import { sql, type Transaction } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Ids } from '../../core/ids.ts'
import type {
  IdentityFact,
  IdentityChanges,
  StoredIdentity,
} from '../../rules/identity/identity-changes.ts'
import type { EntryKind } from '../../core/vocabulary/inbox.ts'

/** Two identities that were merged. */
export type Joined = {
  into: string
  from: string
  contactId: string
  /** The contact that was merged into the other by it, with its name; null when both belonged to one contact. */
  merged: { contactId: string; name: string | null } | null
}

type Entry = { identityId: string; kind: EntryKind; data: Record<string, unknown> }

type Change = {
  contactId: string
  identityId: string | null
  what: 'joined' | 'merged' | 'attached' | 'former' | 'left'
  detail: Record<string, unknown>
}

type Recorded = {
  fact: IdentityFact
  /** The identities before the change. */
  known: readonly StoredIdentity[]
  settlement: IdentityChanges
  joined: readonly Joined[]
  /** Tags that exceed the limit of the remaining contact. */
  tagsLeftOut: ReadonlyMap<string, readonly string[]>
}

/** Records changes of identities, as entries in their conversations for staff and as rows of their history. */
export async function recordChanges(
  tx: Transaction<DB>,
  deps: { ids: Ids; now: Date },
  companyId: string,
  recorded: Recorded,
): Promise<void> {
  await writeEntries(tx, deps.now, entriesOf(recorded))
  await writeHistory(tx, deps.ids, companyId, recorded.fact, changesOf(recorded))
}

function entriesOf({ fact, known, settlement, joined, tagsLeftOut }: Recorded): Entry[] {
  const currentIdOf = currentIds(joined)
  const same = joined.map(({ into, merged, from }): Entry => {
    const customer = merged?.name ?? shownValueOf(known.find(({ id }) => id === from))
    return { identityId: currentIdOf(into), kind: 'same_customer', data: { customer } }
  })
  const gone = numbersLost({ known, settlement, joined }).map(({ holder, value }): Entry => {
    const data = { number: `+${value}`, since: fact.at.toISOString() }
    return { identityId: holder, kind: 'number_gone', data }
  })
  const tags = joined.flatMap(({ into, contactId }): Entry[] => {
    const left = tagsLeftOut.get(contactId) ?? []
    return left.length === 0
      ? []
      : [{ identityId: currentIdOf(into), kind: 'tags_left_out', data: { tags: left } }]
  })
  return [...same, ...gone, ...tags, ...numberChanged(fact, settlement, known, currentIdOf)]
}

/** Returns the entry of a customer whose number changed or was removed. */
function numberChanged(
  fact: IdentityFact,
  { former, attached }: IdentityChanges,
  known: readonly StoredIdentity[],
  currentIdOf: (identityId: string) => string,
): Entry[] {
  if (fact.type !== 'change') return []
  return former.flatMap(({ kind, key }): Entry[] => {
    const holder = holderOf(known, { kind, key })
    if (kind !== 'number' || !holder) return []
    const next = attached.find(({ identifier }) => identifier.kind === 'number')
    const data = {
      number: `+${holder.value}`,
      newNumber: next ? `+${next.identifier.value}` : null,
    }
    return [{ identityId: currentIdOf(holder.identityId), kind: 'number_changed', data }]
  })
}

function changesOf({ known, settlement, joined }: Recorded): Change[] {
  const { attached, former } = settlement
  const contactOf = (identityId: string) =>
    joined.find(({ into, from }) => into === identityId || from === identityId)?.contactId ??
    known.find(({ id }) => id === identityId)?.contactId ??
    null
  const currentIdOf = currentIds(joined)
  const changesOfOne = (
    identityId: string,
    what: Change['what'],
    detail: Change['detail'],
  ): Change[] => {
    const contactId = contactOf(identityId)
    return contactId === null
      ? []
      : [{ contactId, identityId: currentIdOf(identityId), what, detail }]
  }
  return [
    ...joined.flatMap(({ into, from, contactId, merged }): Change[] => [
      ...(merged
        ? [
            {
              contactId,
              identityId: null,
              what: 'merged',
              detail: { from: merged.contactId },
            } as const,
          ]
        : []),
      ...changesOfOne(into, 'joined', { from }),
    ]),
    ...numbersLost({ known, settlement, joined }).flatMap(({ holder, kind, value, to }) =>
      changesOfOne(holder, 'left', { kind, value, to }),
    ),
    ...former.flatMap(({ kind, key }) => {
      const held = holderOf(known, { kind, key })
      return held ? changesOfOne(held.identityId, 'former', { kind, value: held.value }) : []
    }),
    ...attached.flatMap(
      ({ identityId, contactId, identifier: { kind, value }, state }): Change[] =>
        identityId === null
          ? [{ contactId, identityId, what: 'attached', detail: { kind, value, state } }]
          : changesOfOne(identityId, 'attached', { kind, value, state }),
    ),
  ]
}

/** Returns the identifiers that identities lose, each to another identity or to none (`to` is null). */
function numbersLost({
  known,
  settlement: { left, attached },
  joined,
}: Pick<Recorded, 'known' | 'settlement' | 'joined'>) {
  const currentIdOf = currentIds(joined)
  const moved = attached.map(({ identityId, identifier: { kind, key } }) => {
    return { kind, key, to: identityId && currentIdOf(identityId) }
  })
  const lost = [...left.map(({ kind, key }) => ({ kind, key, to: null })), ...moved]
  return lost.flatMap(({ kind, key, to }) => {
    const held = holderOf(known, { kind, key })
    const holder = held && currentIdOf(held.identityId)
    return held && holder && holder !== to ? [{ holder, kind, value: held.value, to }] : []
  })
}

function holderOf(
  known: readonly StoredIdentity[],
  { kind, key }: Pick<StoredIdentity['identifiers'][number], 'kind' | 'key'>,
) {
  for (const { id, identifiers } of known) {
    const held = identifiers.find((one) => one.kind === kind && one.key === key)
    if (held) return { identityId: id, value: held.value }
  }
  return null
}

/** Returns the identity that an id refers to after all merges. */
const currentIds =
  (joined: readonly Joined[]) =>
  (identityId: string): string =>
    joined.find(({ from }) => from === identityId)?.into ?? identityId

function shownValueOf(identity: StoredIdentity | undefined): string | null {
  const number = identity?.identifiers.find(({ kind }) => kind === 'number')
  return number ? `+${number.value}` : (identity?.identifiers[0]?.value ?? null)
}

async function writeEntries(
  tx: Transaction<DB>,
  now: Date,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return
  await sql`
    insert into conversation_entry (id, company_id, conversation_id, kind, actor_kind, data, at)
    select gen_random_uuid(), company_id, conversation.id, input.kind, 'service', input.data, ${now}
    from unnest(${entries.map(({ identityId }) => identityId)}::uuid[],
        ${entries.map(({ kind }) => kind)}::text[],
        ${entries.map(({ data }) => JSON.stringify(data))}::jsonb[]) as input (identity_id, kind, data)
      join conversation using (identity_id)`.execute(tx)
}

async function writeHistory(
  tx: Transaction<DB>,
  ids: Ids,
  companyId: string,
  fact: IdentityFact,
  changes: readonly Change[],
): Promise<void> {
  if (changes.length === 0) return
  await sql`
    insert into identity_change (id, company_id, contact_id, identity_id, what, detail, at)
    select id, ${companyId}, contact_id, identity_id, what, detail, ${fact.at}
    from unnest(${changes.map(() => ids.uuid())}::uuid[],
      ${changes.map(({ contactId }) => contactId)}::uuid[],
      ${changes.map(({ identityId }) => identityId)}::uuid[],
      ${changes.map(({ what }) => what)}::text[],
      ${changes.map(({ detail }) => JSON.stringify({ by: fact.type, ...detail }))}::jsonb[])
      as input (id, contact_id, identity_id, what, detail)`.execute(tx)
}
