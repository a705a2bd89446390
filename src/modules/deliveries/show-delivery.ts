import { sql, type Kysely, type Selectable } from 'kysely'
import { loadPlan } from '../accounts/load-plan.ts'
import type { Context } from '../../infra/context.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import type { AttemptView, DeliveryDetail, ShownAnswer } from '../../contract/dashboard/delivery.ts'
import type { DB, DeliveryAttempt } from '../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { DELIVERY_LIMITS, LOG_LIMITS } from '../../core/limits/deliveries.ts'
import { attemptHint } from '../../rules/deliveries/attempt-hint.ts'
import { curlCommand, requestHeaders } from '../../rules/deliveries/curl-command.ts'
import { stateMessage } from '../../rules/deliveries/delivery-state-message.ts'
import { toDisplayHeaders, toDisplayText } from '../../rules/calls/shown-answer.ts'
import { fact } from '../../core/facts/fact.ts'
import { parseFact } from '../../core/facts/stored-fact.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { AttemptError, DeliveryState } from '../../core/vocabulary/deliveries.ts'
import { viewDelivery } from './list-deliveries.ts'
import { searchDeliveries } from './search-deliveries.sql.ts'
import { beginOfLog } from './within-log.ts'

type OwnedDelivery = { companyId: string; deliveryId: string }

/**
 * Returns one delivery of the log: its body, why it is in its state, and every attempt with its outcome and a hint.
 * @throws not_found
 */
export async function showDelivery(
  { db, clock, formatFact }: Pick<Context, 'db' | 'clock'> & { formatFact: FormatFact },
  actor: { accountId: string },
  { companyId, deliveryId }: OwnedDelivery,
): Promise<DeliveryDetail> {
  const search = { companyId, deliveryId, limit: 1, from: beginOfLog(clock.now()) }
  const { rows } = await searchDeliveries(db.kysely, search)
  const row = rows[0]
  if (!row) throw new ServiceError('not_found', fact('no_such_delivery'))
  const [endpoint, plan, bytes, attempts, resends, event] = await Promise.all([
    loadEndpoint(db.kysely, { companyId, endpointId: row.endpointId }),
    loadPlan(db.kysely, actor.accountId),
    loadBody(db.kysely, row),
    loadAttempts(db.kysely, formatFact, { companyId, deliveryId }),
    loadResends(db.kysely, { companyId, deliveryId }),
    loadEvent(db.kysely, { companyId, eventId: row.eventId }),
  ])
  const view = viewDelivery(row)
  const body = bytes === null ? null : bytes.toString('utf8')
  return {
    ...view,
    occurredAt: event.occurredAt.toISOString(),
    requestHeaders: requestHeaders({ eventType: row.eventType, deliveryId }),
    stateMessage: formatFact(
      stateMessage({
        ...view,
        isEndpointOn: endpoint.isOn,
        isEndpointDeleted: endpoint.deletedAt !== null,
        isInPlan: PLAN_LIMITS[plan].developer,
      }),
    ),
    body,
    ...attempts,
    ...resends,
    curl:
      body === null
        ? null
        : curlCommand({
            url: endpoint.url,
            eventType: row.eventType,
            deliveryId: row.id,
            body,
          }),
  }
}

async function loadEndpoint(db: Kysely<DB>, owned: { companyId: string; endpointId: string }) {
  return db
    .selectFrom('endpoint')
    .select(['url', 'isOn', 'deletedAt'])
    .where('id', '=', owned.endpointId)
    .where('companyId', '=', owned.companyId)
    .executeTakeFirstOrThrow()
}

async function loadEvent(db: Kysely<DB>, owned: { companyId: string; eventId: string }) {
  return db
    .selectFrom('event')
    .select('occurredAt')
    .where('id', '=', owned.eventId)
    .where('companyId', '=', owned.companyId)
    .executeTakeFirstOrThrow()
}

/** Loads a body. Bodies have no company, so pass the id from a delivery of the right one. */
async function loadBody(
  db: Kysely<DB>,
  { bodyId, apiVersion }: { bodyId: string; apiVersion: string },
): Promise<Buffer | null> {
  const row = await db
    .selectFrom('eventBody')
    .select('body')
    .where('id', '=', bodyId)
    .where('apiVersion', '=', apiVersion)
    .executeTakeFirst()
  return row?.body ?? null
}

/** Loads the latest attempts of a delivery, oldest first, up to a limit, and the number of those before them. */
async function loadAttempts(
  db: Kysely<DB>,
  formatFact: FormatFact,
  { companyId, deliveryId }: OwnedDelivery,
): Promise<Pick<DeliveryDetail, 'log' | 'earlierAttempts'>> {
  const rows = await db
    .selectFrom('deliveryAttempt')
    .selectAll()
    .select(sql<number>`(count(*) over ())::int`.as('total'))
    .where('deliveryId', '=', deliveryId)
    .where('companyId', '=', companyId)
    .orderBy('id', 'desc')
    .limit(LOG_LIMITS.attemptsShown)
    .execute()
  const log = rows.toReversed().map((row) => ({
    id: row.id,
    number: row.number,
    url: row.url,
    startedAt: row.startedAt.toISOString(),
    durationMs: row.durationMs,
    dnsMs: row.dnsMs,
    connectMs: row.connectMs,
    answerMs: row.answerMs,
    httpStatus: row.httpStatus,
    error: viewError(formatFact, row),
    remoteAddress: row.remoteAddress,
    answer: viewAnswer(row),
    signedWith: row.signedWith.split(','),
    isLate: row.isLate,
  }))
  return { log, earlierAttempts: (rows[0]?.total ?? 0) - log.length }
}

function viewError(
  formatFact: FormatFact,
  row: Pick<Selectable<DeliveryAttempt>, 'error' | 'httpStatus' | 'errorDetail'>,
): AttemptView['error'] {
  if (row.error === null) return null
  const code = row.error as AttemptError
  const known = row.errorDetail === null ? null : parseFact(row.errorDetail)
  const { message, hint, detail } = attemptHint(code, row.httpStatus, known)
  return {
    code,
    message: formatFact(message),
    hint: formatFact(hint),
    detail: detail && formatFact(detail),
  }
}

function viewAnswer({
  answerHead,
  answerHeaders,
  answerIsCut,
  headersAreCut,
}: Pick<
  Selectable<DeliveryAttempt>,
  'answerHead' | 'answerHeaders' | 'answerIsCut' | 'headersAreCut'
>): ShownAnswer | null {
  if (answerHead === null && answerHeaders === null) return null
  const bytes = answerHead ?? Buffer.alloc(0)
  // Old attempts only have the length.
  const isCut = answerIsCut ?? bytes.length >= DELIVERY_LIMITS.answerKeptBytes
  return {
    text: toDisplayText(bytes, { isCut }),
    bytes: bytes.length,
    isCut,
    headers: toDisplayHeaders(answerHeaders ?? Buffer.alloc(0)),
    areHeadersCut: headersAreCut ?? false,
  }
}

/** Loads the resends of a delivery, newest first, up to a limit, and whether there are more. */
async function loadResends(
  db: Kysely<DB>,
  { companyId, deliveryId }: OwnedDelivery,
): Promise<Pick<DeliveryDetail, 'resends' | 'hasMoreResends'>> {
  const rows = await db
    .selectFrom('webhookDelivery')
    .select(['id', 'state', 'createdAt'])
    .where('resendOf', '=', deliveryId)
    .where('companyId', '=', companyId)
    .orderBy('id', 'desc')
    .limit(LOG_LIMITS.resendsShown + 1)
    .execute()
  const resends = rows.slice(0, LOG_LIMITS.resendsShown).map((row) => ({
    id: row.id,
    state: row.state as DeliveryState,
    createdAt: row.createdAt.toISOString(),
  }))
  return { resends, hasMoreResends: rows.length > resends.length }
}
