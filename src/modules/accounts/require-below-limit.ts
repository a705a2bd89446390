import type { SelectQueryBuilder } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { ServiceError } from '../../core/service-error.ts'

/** Checks that a query, which selects nothing yet, has fewer than `max` rows. @throws limit_reached with `why` */
export async function requireBelowLimit<Tables extends keyof DB>(
  rows: SelectQueryBuilder<DB, Tables, object>,
  max: number,
  why: Fact,
): Promise<void> {
  const counted = rows.select((eb) => eb.fn.countAll<number>().as('count'))
  const { count } = await counted.executeTakeFirstOrThrow()
  if (count >= max) throw new ServiceError('limit_reached', why)
}
