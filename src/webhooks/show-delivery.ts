import type { Kysely, Selectable } from 'kysely'
import { loadPlan } from '../accounts/load-plan.ts'
import type { Context } from '../context.ts'
import type { AttemptView, DeliveryDetail, ShownAnswer } from '../contract/dashboard/delivery.ts'
import type { DB, DeliveryAttempt } from '../database/tables.ts'
import { DELIVERY_LIMITS, LOG_LIMITS, PLAN_LIMITS } from '../limits.ts'
import { attemptHint } from '../rules/attempt-hint.ts'
import { curlCommand } from '../rules/curl-command.ts'
import { stateMessage } from '../rules/delivery-state-message.ts'
import { shownHeaders, shownText } from '../rules/shown-answer.ts'
import { ServiceError } from '../service-error.ts'
import type { AttemptError, DeliveryState } from '../vocabulary.ts'
import { viewDelivery } from './list-deliveries.ts'
import { searchDeliveries } from './search-deliveries.sql.ts'

type OwnedDelivery = { companyId: string; deliveryId: string }

/**
 * One delivery of the log: its body, every attempt with what became of it and what to do, and why it
 * is in its state. @throws not_found
 */
export async function showDelivery(
  { db }: Pick<Context, 'db'>,
  actor: { accountId: string },
  { companyId, deliveryId }: OwnedDelivery,
): Promise<DeliveryDetail> {
  const found = await searchDeliveries(db.kysely, { companyId, deliveryId, limit: 1 })
  const row = found.rows[0]
  if (!row) throw new ServiceError('not_found', 'This company has no such delivery.')
  const [endpoint, plan, bytes, attempts, resends] = await Promise.all([
    loadEndpoint(db.kysely, { companyId, endpointId: row.endpointId }),
    loadPlan(db.kysely, actor.accountId),
    loadBody(db.kysely, row),
    loadAttempts(db.kysely, { companyId, deliveryId }),
    loadResends(db.kysely, { companyId, deliveryId }),
  ])
  const view = viewDelivery(row)
  const body = bytes === null ? null : bytes.toString('utf8')
  return {
    ...view,
    stateMessage: stateMessage({
      ...view,
      isEndpointOn: endpoint.isOn,
      isEndpointDeleted: endpoint.deletedAt !== null,
      isInPlan: PLAN_LIMITS[plan].developer,
    }),
    body,
    log: attempts,
    resends,
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

/** Found by an id of this company's delivery: the bodies have no company of their own. */
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

export async function loadAttempts(
  db: Kysely<DB>,
  { companyId, deliveryId }: OwnedDelivery,
): Promise<AttemptView[]> {
  const rows = await db
    .selectFrom('deliveryAttempt')
    .selectAll()
    .where('deliveryId', '=', deliveryId)
    .where('companyId', '=', companyId)
    .orderBy('id')
    .limit(LOG_LIMITS.attemptsShown)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    number: row.number,
    url: row.url,
    startedAt: row.startedAt.toISOString(),
    durationMs: row.durationMs,
    dnsMs: row.dnsMs,
    connectMs: row.connectMs,
    answerMs: row.answerMs,
    httpStatus: row.httpStatus,
    error: viewError(row.error as AttemptError | null, row.httpStatus, row.errorDetail),
    remoteAddress: row.remoteAddress,
    answer: viewAnswer(row),
    signedWith: row.signedWith,
    isLate: row.isLate,
  }))
}

function viewError(
  error: AttemptError | null,
  httpStatus: number | null,
  detail: string | null,
): AttemptView['error'] {
  return error === null ? null : { code: error, ...attemptHint(error, httpStatus), detail }
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
  // Of old attempts only the length is known.
  const isCut = answerIsCut ?? bytes.length >= DELIVERY_LIMITS.answerKeptBytes
  return {
    text: shownText(bytes, { isCut }),
    bytes: bytes.length,
    isCut,
    headers: shownHeaders(answerHeaders ?? Buffer.alloc(0)),
    areHeadersCut: headersAreCut ?? false,
  }
}

async function loadResends(db: Kysely<DB>, { companyId, deliveryId }: OwnedDelivery) {
  const rows = await db
    .selectFrom('webhookDelivery')
    .select(['id', 'state', 'createdAt'])
    .where('resendOf', '=', deliveryId)
    .where('companyId', '=', companyId)
    .orderBy('id', 'desc')
    .limit(LOG_LIMITS.resendsShown)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    state: row.state as DeliveryState,
    createdAt: row.createdAt.toISOString(),
  }))
}
