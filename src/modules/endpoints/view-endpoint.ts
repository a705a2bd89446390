import { pageOf } from '../../infra/database/page-of.ts'
import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { Clock } from '../../core/clock.ts'
import type {
  EndpointSecretView,
  EndpointView,
  ListedEndpoint,
} from '../../contract/dashboard/endpoint.ts'
import type { FormatFact } from '../../contract/dashboard/localized-fact.ts'
import { toPage, type Page, type PageQuery } from '../../contract/dashboard/page.ts'
import type { Database } from '../../infra/database/connect.ts'
import type { DB } from '../../infra/database/tables.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { DAY_MS } from '../../core/limits/units.ts'
import { ServiceError } from '../../core/service-error.ts'
import { endpointState } from '../../rules/deliveries/endpoint-state.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import type { OffReason } from '../../core/vocabulary/deliveries.ts'
import type { ApiVersion, EventType } from '../../core/vocabulary/events.ts'
import { encryptionContext } from './create-endpoint.ts'
import { readEndpointDays } from './read-days.sql.ts'

/** The id of an endpoint with the id of its company. */
export type OwnedEndpoint = { companyId: string; endpointId: string }

type ViewDeps = { keyRing: KeyRing; clock: Clock; formatFact: FormatFact }
type EndpointRow = Awaited<
  ReturnType<ReturnType<typeof selectEndpoints>['executeTakeFirstOrThrow']>
>

/** Returns a page of the company's endpoints, oldest first, without deleted ones. */
export async function listEndpoints(
  { db, ...deps }: ViewDeps & { db: Database },
  { companyId, limit, cursor }: PageQuery & { companyId: string },
): Promise<Page<ListedEndpoint>> {
  const rows = await pageOf(selectEndpoints(db.kysely, companyId), { limit, cursor }, [
    'endpoint.id',
    'oldest',
  ]).execute()
  const listed = { companyId, endpointIds: rows.map((row) => row.id) }
  const [secrets, days] = await Promise.all([
    loadSecrets(db.kysely, deps, listed),
    readEndpointDays(db.kysely, { ...listed, now: deps.clock.now() }),
  ])
  return toPage(rows, limit, (row) => ({
    ...view(deps.formatFact, row, secrets),
    day: days.get(row.id)!,
  }))
}

/** Returns one endpoint. @throws not_found, also when it was deleted */
export async function showEndpoint(
  db: Kysely<DB>,
  deps: ViewDeps,
  { companyId, endpointId }: OwnedEndpoint,
): Promise<EndpointView> {
  const row = await selectEndpoints(db, companyId)
    .where('endpoint.id', '=', endpointId)
    .executeTakeFirstOrThrow(() => endpointNotFound())
  return view(
    deps.formatFact,
    row,
    await loadSecrets(db, deps, { companyId, endpointIds: [endpointId] }),
  )
}

/** Returns the error `not_found` of an endpoint. */
export function endpointNotFound(): ServiceError {
  return new ServiceError('not_found', fact('no_such_endpoint'))
}

function selectEndpoints(db: Kysely<DB>, companyId: string) {
  return db
    .selectFrom('endpoint')
    .innerJoin('endpointHealth as health', 'health.endpointId', 'endpoint.id')
    .innerJoin('company', 'company.id', 'endpoint.companyId')
    .innerJoin('account', 'account.id', 'company.accountId')
    .select([
      'endpoint.id',
      'endpoint.name',
      'endpoint.url',
      'endpoint.eventTypes',
      'endpoint.apiVersion',
      'endpoint.isOn',
      'endpoint.offReason',
      'endpoint.offAt',
      'endpoint.createdAt',
      'endpoint.updatedAt',
      'health.failuresInRow',
      'health.failingSince',
      'health.lastSuccessAt',
      'health.lastFailureAt',
      'account.plan',
    ])
    .where('endpoint.companyId', '=', companyId)
    .where('endpoint.deletedAt', 'is', null)
}

type SecretRow = { endpointId: string; view: EndpointSecretView }

/** Loads the secrets that are valid now, the current one of each endpoint first. */
async function loadSecrets(
  db: Kysely<DB>,
  { keyRing, clock }: Pick<ViewDeps, 'keyRing' | 'clock'>,
  { companyId, endpointIds }: { companyId: string; endpointIds: string[] },
): Promise<SecretRow[]> {
  if (endpointIds.length === 0) return []
  const rows = await db
    .selectFrom('endpointSecret')
    .select(['id', 'endpointId', 'secret', 'lastFour', 'signsUntil', 'createdAt'])
    .where('companyId', '=', companyId)
    .where('endpointId', 'in', endpointIds)
    .where((or) => or.or([or('signsUntil', 'is', null), or('signsUntil', '>', clock.now())]))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map((row) => ({
    endpointId: row.endpointId,
    view: {
      lastFour: row.lastFour,
      fingerprint: fingerprintOf(keyRing, companyId, row),
      createdAt: row.createdAt.toISOString(),
      signsUntil: row.signsUntil?.toISOString() ?? null,
    },
  }))
}

/**
 * Returns 32 bits of the secret's hash. They distinguish two secrets, and are useless for guessing one of 256 random
 * bits.
 */
function fingerprintOf(
  keyRing: KeyRing,
  companyId: string,
  row: { id: string; secret: string },
): string | null {
  try {
    const secret = keyRing.decrypt(row.secret, encryptionContext(row.id, companyId))
    return createHash('sha256').update(secret).digest('hex').slice(0, 8)
  } catch {
    return null
  }
}

function view(
  formatFact: FormatFact,
  row: EndpointRow,
  secrets: readonly SecretRow[],
): EndpointView {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    eventTypes: row.eventTypes as EventType[],
    apiVersion: row.apiVersion as ApiVersion,
    isOn: row.isOn,
    state: endpointState({
      ...row,
      isInPlan: PLAN_LIMITS[row.plan as Plan].developer,
      offReason: row.offReason as OffReason | null,
    }),
    off:
      row.offAt === null
        ? null
        : {
            reason: row.offReason as OffReason,
            at: row.offAt.toISOString(),
            message: formatFact(whyOff(row.offReason as OffReason)),
          },
    secrets: secrets.filter((secret) => secret.endpointId === row.id).map((secret) => secret.view),
    failuresInRow: row.failuresInRow,
    failingSince: row.failingSince?.toISOString() ?? null,
    lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null,
    lastFailureAt: row.lastFailureAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function whyOff(reason: OffReason): Fact {
  switch (reason) {
    case 'failures_in_row':
      return fact('endpoint_off_failures_in_row', {
        failures: DELIVERY_LIMITS.switchOffAfterFailuresInRow,
      })
    case 'failing_for_days':
      return fact('endpoint_off_failing_for_days', {
        days: DELIVERY_LIMITS.switchOffAfterFailingMs / DAY_MS,
      })
    case 'gone':
      return fact('endpoint_off_gone')
    case 'by_member':
      return fact('endpoint_off_by_member')
  }
}
