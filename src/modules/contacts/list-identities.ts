import { sql, type Kysely } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  IdentifierView,
  IdentitiesView,
  IdentityView,
  MergeView,
} from '../../contract/dashboard/identity.ts'
import type { DB } from '../../infra/database/tables.ts'
import { requireContact, type OwnedContact } from './require-contact.ts'

/**
 * Returns a contact's identities, each with its conversations and its identifiers with their proofs and times, and the
 * contacts that were merged into it.
 *
 * @throws not_found
 * Spec: Contacts › Who a customer is.
 */
export async function listIdentities(
  { db }: Pick<Context, 'db'>,
  owned: OwnedContact,
): Promise<IdentitiesView> {
  await requireContact(db.kysely, owned)
  return {
    identities: await readIdentities(db.kysely, owned),
    merges: await readMerges(db.kysely, owned),
  }
}

async function readIdentities(
  db: Kysely<DB>,
  { companyId, contactId }: OwnedContact,
): Promise<IdentityView[]> {
  const identities = await db
    .selectFrom('identity')
    .select(['id', 'createdAt', 'cameFrom'])
    .where('companyId', '=', companyId)
    .where('contactId', '=', contactId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute()
  if (identities.length === 0) return []
  const ids = identities.map(({ id }) => id)
  const identifiers = await db
    .selectFrom('identifier')
    .selectAll()
    .where('identityId', 'in', ids)
    .orderBy(sql`array_position(array['current', 'former', 'left'], state)`)
    .orderBy('firstAt')
    .orderBy('key')
    .execute()
  const conversations = await db
    .selectFrom('conversation')
    .select(['id', 'identityId', 'channelType', 'status', 'lastMessageAt'])
    .where('identityId', 'in', ids)
    .orderBy(sql`coalesce(last_message_at, created_at)`, 'desc')
    .execute()
  return identities.map(({ id, createdAt, cameFrom }) => ({
    id,
    since: createdAt.toISOString(),
    cameFrom,
    identifiers: identifiers.filter(({ identityId }) => identityId === id).map(viewIdentifier),
    conversations: conversations
      .filter(({ identityId }) => identityId === id)
      .map((talk) => ({
        id: talk.id,
        channelType: talk.channelType,
        status: talk.status as 'open' | 'resolved',
        lastMessageAt: talk.lastMessageAt?.toISOString() ?? null,
      })),
  }))
}

/** Kinds with a value that starts with the page, website or channel in which it is valid. */
const SCOPED_KINDS = ['page', 'form', 'call']

function viewIdentifier({
  kind,
  value,
  proof,
  state,
  firstAt,
  changedAt,
}: {
  kind: string
  value: string
  proof: string
  state: string
  firstAt: Date
  changedAt: Date | null
}): IdentifierView {
  const own = SCOPED_KINDS.includes(kind) ? value.slice(value.indexOf(':') + 1) : value
  return {
    kind: kind as IdentifierView['kind'],
    value: kind === 'number' ? `+${value}` : own,
    proof: proof as IdentifierView['proof'],
    state: state as IdentifierView['state'],
    since: firstAt.toISOString(),
    changedAt: state === 'current' ? null : (changedAt?.toISOString() ?? null),
  }
}

async function readMerges(
  db: Kysely<DB>,
  { companyId, contactId }: OwnedContact,
): Promise<MergeView[]> {
  const rows = await db
    .selectFrom('contactMerge')
    .leftJoin('person', 'person.id', 'contactMerge.mergedBy')
    .select(['fromId', 'snapshot', 'mergedAt', 'person.id as personId', 'person.name as person'])
    .where('contactMerge.companyId', '=', companyId)
    .where('contactMerge.intoId', '=', contactId)
    .orderBy('mergedAt', 'desc')
    .orderBy('fromId')
    .execute()
  return rows.map(({ fromId, snapshot, mergedAt, personId, person }) => {
    type Was = { id?: string; name?: string | null; phone?: string | null }
    const { id, name = null, phone = null } = JSON.parse(snapshot) as Was
    return {
      contactId: fromId,
      name,
      phone,
      by: personId === null ? null : { id: personId, name: person },
      at: mergedAt.toISOString(),
      canBeTakenOut: id !== undefined,
    }
  })
}
