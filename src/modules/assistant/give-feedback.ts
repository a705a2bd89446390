import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { GiveFeedback } from '../../contract/dashboard/assistant-reply.ts'
import { fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'

/**
 * Stores a member's feedback on a reply and replaces an earlier one. It has no automatic effect.
 * @throws not_found
 * Spec: Assistant › Feedback.
 */
export async function giveFeedback(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { personId }: Actor,
  { companyId, replyId, isGood, note }: GiveFeedback & { companyId: string; replyId: string },
): Promise<void> {
  const row = { isGood, note: note === '' ? null : note, at: clock.now() }
  await db.kysely
    .selectFrom('assistantReply')
    .select('id')
    .where('id', '=', replyId)
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_reply')))
  await db.kysely
    .insertInto('replyFeedback')
    .values({ replyId, companyId, personId, ...row })
    .onConflict((on) => on.columns(['replyId', 'personId']).doUpdateSet(row))
    .execute()
}
