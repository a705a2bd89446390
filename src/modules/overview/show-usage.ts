import type { Actor } from '../accounts/actor.ts'
import type { Context } from '../../infra/context.ts'
import type { Allowance, UsageView } from '../../contract/dashboard/usage.ts'
import { PLAN_LIMITS } from '../../core/limits/accounts.ts'
import { ACTION_LIMITS, CALL_LIMITS } from '../../core/limits/calls.ts'
import { DELIVERY_LIMITS } from '../../core/limits/deliveries.ts'
import { HOOK_LIMITS } from '../../core/limits/hooks.ts'
import { RETENTION } from '../../core/limits/retention.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../core/limits/units.ts'
import type { Plan } from '../../core/vocabulary/accounts.ts'
import {
  readConnectionCallDays,
  readCounts,
  readDeliveryDays,
  readHookRequests,
  readHookUrls,
  readMinuteCounts,
  readAutomatedTemplateDays,
  readAutomatedTemplatesByCompany,
} from './read-usage.sql.ts'

const DAYS = RETENTION.usageDayMs / DAY_MS

/** Returns the usage of each allowance with its reset time, the counts of limited entities, and the last 30 days. */
export async function showUsage(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { accountId }: Pick<Actor, 'accountId'>,
  { companyId }: { companyId: string },
): Promise<UsageView> {
  const now = clock.now()
  const of = { accountId, companyId }
  const day = windowOf(now, DAY_MS)
  const hour = windowOf(now, HOUR_MS)
  const minute = windowOf(now, MINUTE_MS)
  const days = Array.from({ length: DAYS }, (_, at) =>
    new Date(day.begins.getTime() - (DAYS - 1 - at) * DAY_MS).toISOString().slice(0, 10),
  )
  const [first, today] = [days[0]!, days.at(-1)!]
  const account = await db.kysely
    .selectFrom('account')
    .select(['plan', 'templatesPerDay'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()
  const plan = account.plan as Plan
  const templates = byDay(await readAutomatedTemplateDays(db.kysely, of, first))
  const calls = byDay(await readConnectionCallDays(db.kysely, of, first))
  const deliveries = byDay(await readDeliveryDays(db.kysely, of, first))
  const inMinute = await readMinuteCounts(db.kysely, of, minute.begins)
  const counts = await readCounts(db.kysely, of)
  return {
    at: now.toISOString(),
    plan,
    automatedTemplates: {
      ...day.of(
        templates.get(today)?.used ?? 0,
        account.templatesPerDay ?? PLAN_LIMITS[plan].templatesPerDay,
      ),
      byCompany: await readAutomatedTemplatesByCompany(db.kysely, of, day.begins),
    },
    calls: day.of(calls.get(today)?.used ?? 0, CALL_LIMITS.perAccountPerDay),
    testsAndResends: minute.of(
      inMinute.get('tests_and_resends') ?? 0,
      DELIVERY_LIMITS.testsAndResendsPerMinute,
    ),
    connectionTests: minute.of(inMinute.get('connection_tests') ?? 0, CALL_LIMITS.testsPerMinute),
    hookRequests: hour.of(
      // Refused requests are counted too: no more than all is shown.
      Math.min(
        await readHookRequests(db.kysely, of, hour.begins),
        HOOK_LIMITS.requestsPerCompanyPerHour,
      ),
      HOOK_LIMITS.requestsPerCompanyPerHour,
    ),
    hookRequestsByUrl: (await readHookUrls(db.kysely, of, minute.begins)).map(
      ({ used, ...url }) => {
        const max = HOOK_LIMITS.requestsPerUrlPerMinute
        return { ...url, ...minute.of(Math.min(used, max), max) }
      },
    ),
    counts: {
      flowsOn: { used: counts.flowsOn, limit: PLAN_LIMITS[plan].flows },
      hookUrls: { used: counts.hookUrls, limit: HOOK_LIMITS.urlsPerCompany },
      endpoints: { used: counts.endpoints, limit: DELIVERY_LIMITS.endpointsPerCompany },
      connections: { used: counts.connections, limit: CALL_LIMITS.connectionsPerCompany },
      aiActions: { used: counts.aiActions, limit: ACTION_LIMITS.perCompany },
    },
    days: days.map((each) => ({
      day: each,
      automatedTemplates: templates.get(each)?.used ?? 0,
      calls: calls.get(each)?.used ?? 0,
      deliveryAttempts: deliveries.get(each)?.attempts ?? 0,
      failedDeliveryAttempts: deliveries.get(each)?.failures ?? 0,
    })),
  }
}

/** Returns the window of this length, counted from 1970 (UTC), that contains a time. */
function windowOf(now: Date, lengthMs: number) {
  const begins = new Date(Math.floor(now.getTime() / lengthMs) * lengthMs)
  const resetsAt = new Date(begins.getTime() + lengthMs).toISOString()
  return { begins, of: (used: number, limit: number): Allowance => ({ used, limit, resetsAt }) }
}

function byDay<Row extends { day: string }>(rows: readonly Row[]): ReadonlyMap<string, Row> {
  return new Map(rows.map((row) => [row.day, row]))
}
