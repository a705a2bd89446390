/** Notes of members: lines of a conversation that the customer never sees. Spec: Inbox › Timeline. */
import { sql, type Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { EditNote, EntryView, WriteNote } from '../../contract/dashboard/conversation.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import { lockConversation, type OwnedConversation } from './lock-conversation.ts'
import { viewEntryRows, type EntryRow } from './list-timeline.ts'
import { requirePeople } from '../accounts/require-people.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'>
type OwnedNote = OwnedConversation & { noteId: string }

/**
 * Writes a note and notifies the people it mentions. A waiting customer still counts as waiting.
 * @throws not_found; invalid for people who are no members
 */
export async function writeNote(
  { db, ids, clock }: Deps,
  actor: Actor,
  { companyId, conversationId, text, mentions }: OwnedConversation & WriteNote,
): Promise<EntryView> {
  const now = clock.now()
  const row = await transaction(db, async (tx) => {
    await requirePeople(tx, actor, { mentions })
    await lockConversation(tx, { companyId, conversationId })
    const note = {
      id: ids.uuid(),
      companyId,
      conversationId,
      kind: 'note',
      actorKind: 'member',
      actorId: actor.personId,
      text,
      data: JSON.stringify({ mentions }),
      at: now,
    }
    const mentioned = [...new Set(mentions)].filter((personId) => personId !== actor.personId)
    if (mentioned.length > 0) {
      const details = JSON.stringify({ by: actor.name ?? actor.email, conversationId, text })
      await tx
        .insertInto('notice')
        .values(
          mentioned.map((personId) => ({
            id: ids.uuid(),
            accountId: actor.accountId,
            companyId,
            personId,
            kind: 'mentioned',
            subjectId: note.id,
            details,
            createdAt: now,
          })),
        )
        .execute()
    }
    await touchConversation(tx, { companyId, conversationId })
    return tx.insertInto('conversationEntry').values(note).returningAll().executeTakeFirstOrThrow()
  })
  return view({ db }, row)
}

/** Changes the text of the caller's own note, also in its notices. @throws not_found; forbidden for another author's */
export async function editNote(
  { db, clock }: Deps,
  actor: Actor,
  { text, ...owned }: OwnedNote & EditNote,
): Promise<EntryView> {
  const now = clock.now()
  const row = await transaction(db, async (tx) => {
    await lockConversation(tx, owned)
    await requireOwnNote(tx, actor, owned)
    await touchConversation(tx, owned)
    await sql`
      update notice set details = jsonb_set(details::jsonb, '{text}', to_jsonb(${text}::text))::text
      where ${noticesOfNote(actor, owned)}`.execute(tx)
    return tx
      .updateTable('conversationEntry')
      .set({ text, editedAt: now })
      .where('id', '=', owned.noteId)
      .where('companyId', '=', owned.companyId)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  return view({ db }, row)
}

/** Deletes the caller's own note with its notices. @throws not_found; forbidden for another author's */
export async function deleteNote({ db }: Deps, actor: Actor, owned: OwnedNote): Promise<void> {
  await transaction(db, async (tx) => {
    await lockConversation(tx, owned)
    await requireOwnNote(tx, actor, owned)
    await touchConversation(tx, owned)
    await sql`delete from notice where ${noticesOfNote(actor, owned)}`.execute(tx)
    await tx
      .deleteFrom('conversationEntry')
      .where('id', '=', owned.noteId)
      .where('companyId', '=', owned.companyId)
      .execute()
  })
}

/** Returns the SQL condition for the notices of a note. */
function noticesOfNote({ accountId }: Actor, { companyId, noteId }: OwnedNote) {
  return sql`account_id = ${accountId} and company_id = ${companyId}
    and kind = 'mentioned' and subject_id = ${noteId}`
}

/** Writes the conversation unchanged, so that the stream of live changes reports it and clients read its timeline again. */
async function touchConversation(
  tx: Transaction<DB>,
  { companyId, conversationId }: OwnedConversation,
): Promise<void> {
  await sql`
    update conversation set staff_seen_at = staff_seen_at
    where id = ${conversationId} and company_id = ${companyId}`.execute(tx)
}

/** Locks a note of the caller. @throws not_found; forbidden for another author's */
async function requireOwnNote(
  tx: Transaction<DB>,
  { personId }: Actor,
  { companyId, conversationId, noteId }: OwnedNote,
): Promise<void> {
  const note = await tx
    .selectFrom('conversationEntry')
    .select('actorId')
    .where('id', '=', noteId)
    .where('companyId', '=', companyId)
    .where('conversationId', '=', conversationId)
    .where('kind', '=', 'note')
    .where('actorKind', '=', 'member')
    .forUpdate()
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_note')))
  if (note.actorId !== personId) throw new ServiceError('forbidden', fact('note_of_another'))
}

async function view({ db }: Pick<Context, 'db'>, row: EntryRow): Promise<EntryView> {
  const [shown] = await viewEntryRows(db.kysely, [row])
  return shown!
}
