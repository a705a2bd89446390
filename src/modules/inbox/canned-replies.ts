/** Saved texts that members insert into their replies by a shortcut. Spec: Inbox › Ready replies. */
import type { Kysely, Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type {
  CannedReplyView,
  CreateCannedReply,
  EditCannedReply,
} from '../../contract/dashboard/conversation.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import type { Actor } from '../accounts/actor.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { requireBelowLimit } from '../accounts/require-below-limit.ts'
import type { DB } from '../../infra/database/tables.ts'
import { isUniqueViolation } from '../../infra/database/is-unique-violation.ts'
import { fact } from '../../core/facts/fact.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { fillText } from '../../rules/text/placeholders.ts'
import { ServiceError, wrongFields } from '../../core/service-error.ts'
import { readSendTarget } from './read-send-target.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'>
type Owned = { companyId: string; cannedReplyId: string }

/**
 * Returns all saved replies of a company, by shortcut. If a conversation is given, each also has its `filledText`, with
 * the placeholders filled.
 * @throws not_found
 */
export async function listCannedReplies(
  { db }: Pick<Context, 'db'>,
  actor: Actor,
  { companyId, conversationId }: { companyId: string; conversationId?: string | undefined },
): Promise<{ items: CannedReplyView[] }> {
  const contact =
    conversationId === undefined
      ? undefined
      : (await readSendTarget(db.kysely, { companyId, conversationId })).contact
  const rows = await select(db.kysely)
    .where('companyId', '=', companyId)
    .orderBy('shortcut')
    .execute()
  const fill = (text: string) =>
    contact === undefined
      ? null
      : fillText(text, { vars: {}, contact: contact ?? { name: null, phone: null } })
  return { items: rows.map((row) => ({ ...view(row, actor), filledText: fill(row.text) })) }
}

/** Creates a saved reply and returns it. @throws limit_reached; invalid for a shortcut that another one has. */
export async function createCannedReply(
  { db, ids, clock }: Deps,
  actor: Actor,
  { companyId, ...values }: CreateCannedReply & { companyId: string },
): Promise<CannedReplyView> {
  const now = clock.now()
  const { personId: createdBy } = actor
  const row = { id: ids.uuid(), companyId, ...values, createdBy, createdAt: now, updatedAt: now }
  await withShortcutError(values.shortcut, () =>
    auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
      await lockCompany(tx, actor, companyId)
      const max = INBOX_LIMITS.cannedReplies
      await requireBelowLimit(
        tx.selectFrom('cannedReply').where('companyId', '=', companyId),
        max,
        fact('canned_replies_full', { max }),
      )
      await tx.insertInto('cannedReply').values(row).execute()
      await audit('canned_reply.created', row, { shortcut: row.shortcut })
    }),
  )
  return view(row, actor)
}

/**
 * Changes the given fields of a saved reply and returns it.
 * @throws not_found; forbidden to an Agent who did not make it; invalid for a shortcut that another one has.
 */
export async function editCannedReply(
  { db, ids, clock }: Deps,
  actor: Actor,
  { companyId, cannedReplyId, ...values }: Owned & EditCannedReply,
): Promise<CannedReplyView> {
  return withShortcutError(values.shortcut ?? '', () =>
    auditedTransaction({ db, ids, clock }, actor, async (tx, audit, now) => {
      const before = await lockOwn(tx, actor, { companyId, cannedReplyId })
      const row = await tx
        .updateTable('cannedReply')
        .set({ ...values, updatedAt: now })
        .where('id', '=', cannedReplyId)
        .where('companyId', '=', companyId)
        .returningAll()
        .executeTakeFirstOrThrow()
      const fields = (['shortcut', 'text', 'language'] as const).filter(
        (field) => row[field] !== before[field],
      )
      if (fields.length > 0) {
        const detail = { shortcut: row.shortcut, fields }
        await audit('canned_reply.edited', row, detail)
      }
      return view(row, actor)
    }),
  )
}

/** Deletes a saved reply. @throws not_found; forbidden to an Agent who did not make it. */
export async function deleteCannedReply(
  { db, ids, clock }: Deps,
  actor: Actor,
  owned: Owned,
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    const { shortcut } = await lockOwn(tx, actor, owned)
    await tx
      .deleteFrom('cannedReply')
      .where('id', '=', owned.cannedReplyId)
      .where('companyId', '=', owned.companyId)
      .execute()
    const { cannedReplyId: id, companyId } = owned
    await audit('canned_reply.deleted', { id, companyId }, { shortcut })
  })
}

/** Locks a saved reply that this member may change. @throws not_found, forbidden */
async function lockOwn(tx: Transaction<DB>, actor: Actor, { companyId, cannedReplyId }: Owned) {
  const row = await tx
    .selectFrom('cannedReply')
    .selectAll()
    .where('id', '=', cannedReplyId)
    .where('companyId', '=', companyId)
    .forUpdate()
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_canned_reply')))
  if (!mayChange(row, actor)) {
    throw new ServiceError('forbidden', fact('canned_reply_of_another'))
  }
  return row
}

/** An Agent may change only their own saved replies, because other members rely on the rest. */
function mayChange({ createdBy }: { createdBy: string | null }, { role, personId }: Actor) {
  return role !== 'agent' || createdBy === personId
}

/** Runs `work`, and reports a shortcut that another saved reply has as an error of that field. @throws invalid */
async function withShortcutError<T>(shortcut: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'canned_reply_shortcut')) throw error
    const errors = [{ field: 'shortcut', ...fact('shortcut_taken', { shortcut }) }]
    throw wrongFields(errors, error)
  }
}

function select(db: Kysely<DB>) {
  return db
    .selectFrom('cannedReply')
    .select(['id', 'shortcut', 'text', 'language', 'createdBy', 'updatedAt'])
}

type Row = {
  id: string
  shortcut: string
  text: string
  language: string | null
  createdBy: string | null
  updatedAt: Date
}

function view(row: Row, actor: Actor): CannedReplyView {
  return {
    id: row.id,
    shortcut: row.shortcut,
    text: row.text,
    filledText: null,
    language: row.language as CannedReplyView['language'],
    mayChange: mayChange(row, actor),
    updatedAt: row.updatedAt.toISOString(),
  }
}
