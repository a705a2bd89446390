/** Ready texts that members put into their replies by a shortcut. Spec: Inbox › Ready replies. */
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import type {
  CannedReplyView,
  CreateCannedReply,
  EditCannedReply,
} from '../contract/dashboard/conversation.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import type { Actor } from '../accounts/actor.ts'
import type { DB } from '../database/tables.ts'
import { isUniqueViolation } from '../database/is-unique-violation.ts'
import { transaction } from '../database/transaction.ts'
import { fact } from '../facts/fact.ts'
import { INBOX_LIMITS } from '../limits/inbox.ts'
import { fillText } from '../rules/text/placeholders.ts'
import { ServiceError } from '../service-error.ts'
import { readSendPlace } from './read-send-facts.ts'

type Deps = Pick<Context, 'db' | 'ids' | 'clock'>
type Owned = { companyId: string; cannedReplyId: string }

/** All of them, by shortcut; filled in for a conversation where one is named. @throws not_found */
export async function listCannedReplies(
  { db }: Pick<Context, 'db'>,
  { companyId, conversationId }: { companyId: string; conversationId?: string | undefined },
): Promise<{ items: CannedReplyView[] }> {
  const contact =
    conversationId === undefined
      ? undefined
      : (await readSendPlace(db.kysely, { companyId, conversationId })).contact
  const rows = await select(db.kysely)
    .where('companyId', '=', companyId)
    .orderBy('shortcut')
    .execute()
  const fill = (text: string) =>
    contact === undefined
      ? null
      : fillText(text, { vars: {}, contact: contact ?? { name: null, phone: null } })
  return { items: rows.map((row) => ({ ...view(row), filledText: fill(row.text) })) }
}

/** @throws limit_reached; invalid for a shortcut that another one has. */
export async function createCannedReply(
  { db, ids, clock }: Deps,
  actor: Actor,
  { companyId, ...values }: CreateCannedReply & { companyId: string },
): Promise<CannedReplyView> {
  const now = clock.now()
  const row = { id: ids.uuid(), companyId, ...values, createdAt: now, updatedAt: now }
  await whereShortcutIsFree(values.shortcut, () =>
    transaction(db, async (tx) => {
      await lockCompany(tx, actor, companyId)
      const { count } = await tx
        .selectFrom('cannedReply')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('companyId', '=', companyId)
        .executeTakeFirstOrThrow()
      const most = INBOX_LIMITS.cannedReplies
      if (count >= most)
        throw new ServiceError('limit_reached', fact('canned_replies_full', { most }))
      await tx.insertInto('cannedReply').values(row).execute()
    }),
  )
  return view(row)
}

/** @throws not_found; invalid for a shortcut that another one has. */
export async function editCannedReply(
  { db, clock }: Deps,
  { companyId, cannedReplyId, ...values }: Owned & EditCannedReply,
): Promise<CannedReplyView> {
  const updatedAt = clock.now()
  const row = await whereShortcutIsFree(values.shortcut ?? '', () =>
    db.kysely
      .updateTable('cannedReply')
      .set({ ...values, updatedAt })
      .where('id', '=', cannedReplyId)
      .where('companyId', '=', companyId)
      .returningAll()
      .executeTakeFirst(),
  )
  return row ? view(row) : refuseUnknown()
}

/** @throws not_found */
export async function deleteCannedReply(
  { db }: Pick<Context, 'db'>,
  { companyId, cannedReplyId }: Owned,
): Promise<void> {
  const gone = await db.kysely
    .deleteFrom('cannedReply')
    .where('id', '=', cannedReplyId)
    .where('companyId', '=', companyId)
    .returning('id')
    .executeTakeFirst()
  if (!gone) refuseUnknown()
}

function refuseUnknown(): never {
  throw new ServiceError('not_found', fact('no_such_canned_reply'))
}

async function whereShortcutIsFree<T>(shortcut: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isUniqueViolation(error, 'canned_reply_shortcut')) throw error
    const errors = [{ field: 'shortcut', ...fact('shortcut_taken', { shortcut }) }]
    throw new ServiceError('invalid', fact('fields_wrong'), { errors, cause: error })
  }
}

function select(db: Kysely<DB>) {
  return db.selectFrom('cannedReply').select(['id', 'shortcut', 'text', 'language', 'updatedAt'])
}

type Row = { id: string; shortcut: string; text: string; language: string | null; updatedAt: Date }

function view({ id, shortcut, text, language, updatedAt }: Row): CannedReplyView {
  return {
    id,
    shortcut,
    text,
    filledText: null,
    language: language as CannedReplyView['language'],
    updatedAt: updatedAt.toISOString(),
  }
}
