import { sql, type Kysely } from 'kysely'
import type { EndpointDay } from '../../contract/dashboard/endpoint.ts'
import type { DB } from '../../infra/database/tables.ts'
import { HEALTH_GRAPH } from '../../core/limits/deliveries.ts'
import { HOUR_MS } from '../../core/limits/units.ts'

type Row = {
  endpointId: string
  hours: { hour: string; attempts: number; failures: number }[] | null
}

/** Returns each endpoint's attempts and failures of the last 24 hours, by hour and in total, in one statement. */
export async function readEndpointDays(
  db: Kysely<DB>,
  { companyId, endpointIds, now }: { companyId: string; endpointIds: string[]; now: Date },
): Promise<Map<string, EndpointDay>> {
  if (endpointIds.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select wanted.id as endpoint_id, hours.list as hours
    from unnest(${endpointIds}::uuid[]) wanted (id)
      left join lateral (
        select json_agg(json_build_object('hour', hour, 'attempts', attempts, 'failures', failures)
          order by hour) as list
        from delivery_hour
        where endpoint_id = wanted.id and company_id = ${companyId}
          and hour >= ${firstHour(now, HEALTH_GRAPH.listHours)}
      ) hours on true
  `.execute(db)
  return new Map(
    rows.map(({ endpointId, hours }) => {
      const list = (hours ?? []).map((sum) => ({ ...sum, hour: new Date(sum.hour).toISOString() }))
      return [endpointId, { ...sumOf(list), hours: list }]
    }),
  )
}

/** Returns the time at which the earliest of the last `hours` clock hours began; the current hour is the last one. */
export function firstHour(now: Date, hours: number): Date {
  const nowMs = now.getTime()
  return new Date(nowMs - (nowMs % HOUR_MS) - (hours - 1) * HOUR_MS)
}

/** Returns the sums of attempts and failures of several hours. */
export function sumOf(list: readonly { attempts: number; failures: number }[]) {
  return {
    attempts: list.reduce((sum, { attempts }) => sum + attempts, 0),
    failures: list.reduce((sum, { failures }) => sum + failures, 0),
  }
}
