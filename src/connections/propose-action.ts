import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { ACTION_LIMITS } from '../limits/calls.ts'
import { MINUTE_MS } from '../limits/units.ts'
import { writeArguments } from '../rules/calls/action-arguments.ts'
import { CONFIRM_TOOL, type Reply } from './offer-actions.ts'
import type { ActionInHand } from './send-action.ts'

/**
 * Writes down what the assistant is about to state to the customer: the action as it is now and the
 * exact arguments. The same one, proposed again before it was agreed to, is one proposal and counts
 * from now on: no agreement is good for two calls.
 *
 * Isolation: a unique index on what is open makes one statement of "replace or write".
 * Spec: States › Proposal of an AI action.
 */
export async function proposeAction(
  { db, clock, ids }: Pick<Context, 'db' | 'clock' | 'ids'>,
  { companyId, conversationId }: Reply,
  { action, args, owner }: ActionInHand,
): Promise<{ kind: 'proposed'; proposalId: string; text: string }> {
  const proposalId = ids.uuid()
  await sql`
    insert into action_proposal (
      id, company_id, action_id, conversation_id, revision, arguments, identity,
      after_message_id, state, created_at
    )
    values (
      ${proposalId}, ${companyId}, ${action.id}, ${conversationId}, ${action.revision},
      ${writeArguments(args)}, ${owner?.value ?? null},
      (
        select id from message
        where conversation_id = ${conversationId} and company_id = ${companyId}
          and direction = 'in' and sender = 'customer'
        order by occurred_at desc, id desc limit 1
      ),
      'proposed', ${clock.now()}
    )
    on conflict (conversation_id, action_id, md5(arguments)) where state = 'proposed'
    do update set id = excluded.id, revision = excluded.revision, identity = excluded.identity,
      after_message_id = excluded.after_message_id, created_at = excluded.created_at
  `.execute(db.kysely)
  const minutes = ACTION_LIMITS.confirmationMs / MINUTE_MS
  const stated = Object.entries(args).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${JSON.stringify(value)}`],
  )
  const text = [
    'Nothing was done yet. State to the customer exactly what you will do, and ask whether they agree:',
    ...stated,
    `When they agree in a later message, within ${minutes} minutes, use ${CONFIRM_TOOL} with proposal ${proposalId} and the same arguments. When they do not, leave it.`,
  ].join('\n')
  return { kind: 'proposed', proposalId, text }
}
