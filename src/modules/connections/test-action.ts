import type { Kysely } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { loadPlan } from '../accounts/load-plan.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import { consumeRateLimit } from '../accounts/consume-rate-limit.sql.ts'
import type { TestAction, TestedAction } from '../../contract/dashboard/action.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { DB } from '../../infra/database/tables.ts'
import { readActionArguments } from '../../rules/calls/action-arguments.ts'
import type { CustomerValue } from '../../rules/calls/ownership.ts'
import { readTypedPhone } from '../../rules/messaging/phone-reading.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { ActionIdentity } from '../../core/vocabulary/calls.ts'
import { formatProblems } from './call-action.ts'
import { requireActionsInPlan } from './create-action.ts'
import { loadAction } from './load-action.ts'
import type { CallDeps } from './make-call.ts'
import { sendAction } from './send-action.ts'
import type { OwnedAction } from './view-action.ts'

/**
 * Executes an action as the assistant would, without a confirmation: makes a real call, and returns its result with the
 * exact text for the assistant. Makes no call if the arguments are wrong; the text then says why. The action and its
 * connection may be off. Counts against the daily quota, not against a customer's.
 *
 * @throws not_found, not_in_plan, invalid; rate_limited after 10 in a minute.
 * Spec: Calls › AI actions; Limits › Calls.
 */
export async function testAction(
  deps: CallDeps & { formatFact: FormatFact },
  actor: Actor,
  { companyId, actionId, args: given, ...about }: TestAction & OwnedAction,
): Promise<TestedAction> {
  const { db, ids, clock } = deps
  requireActionsInPlan(await loadPlan(db.kysely, actor.accountId))
  const action = await loadAction(db.kysely, { companyId, actionId })
  if (!action) throw new ServiceError('not_found', fact('no_such_action'))
  const { definition, toolName } = action
  const owner = await readOwner(db.kysely, companyId, definition.identity, about)
  const read = readActionArguments(definition.parameters, given, definition.request)
  if (!read.ok) return { ...NOT_SENT, resultText: formatProblems(read.problems) }
  const now = clock.now()
  const { accountId } = actor
  await consumeRateLimit(db.kysely, { accountId, what: 'connection_tests', now })
  await auditedTransaction({ db, ids, clock }, actor, (_tx, audit) =>
    audit('ai_action.tested', { id: actionId, companyId }, { toolName }),
  )
  const source = { kind: 'test', personId: actor.personId } as const
  const { made, text } = await sendAction(
    deps,
    companyId,
    { action, args: read.value, owner },
    { source, evenIfOff: true, said: null },
  )
  const { outcome, failure, detail, httpStatus, answerText, answerChars, attempts, durationMs } =
    made
  return {
    resultText: text,
    outcome,
    failure,
    detail: detail && deps.formatFact(detail),
    httpStatus,
    answerText,
    answerChars,
    attempts,
    durationMs,
  }
}

const NOT_SENT = {
  outcome: 'refused',
  failure: null,
  detail: null,
  httpStatus: null,
  answerText: null,
  answerChars: null,
  attempts: 0,
  durationMs: 0,
} as const

/** Returns the customer's value, of a contact or as typed. @throws invalid */
async function readOwner(
  db: Kysely<DB>,
  companyId: string,
  kind: ActionIdentity,
  { contactId, identity, country }: Pick<TestAction, 'contactId' | 'identity' | 'country'>,
): Promise<CustomerValue | null> {
  if (kind === 'none') return null
  if (contactId !== undefined) {
    const contact = await db
      .selectFrom('contact')
      .select(['id as contact_id', 'phone', 'email'])
      .where('companyId', '=', companyId)
      .where('id', '=', contactId)
      .executeTakeFirstOrThrow(() => wrong('contactId', fact('unknown_contact')))
    const value = contact[kind]
    if (value) return { kind, value }
    throw wrong('contactId', fact('contact_without', { what: kind }))
  }
  if (identity === undefined || identity.trim() === '') {
    throw wrong('identity', fact('customer_needed'))
  }
  if (kind !== 'phone') return { kind, value: identity.trim() }
  const phone = readTypedPhone(identity, country ?? null)
  if (phone.ok) return { kind, value: phone.value }
  throw wrong('identity', fact('invalid_phone'))
}

function wrong(field: string, rule: Fact): ServiceError {
  const errors = [{ field, ...rule }]
  return new ServiceError('invalid', fact('action_not_testable'), { errors })
}
