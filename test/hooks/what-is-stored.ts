import type { World } from '../support/service.ts'
import type { Shop } from '../support/shop.ts'

/** What hook requests have left behind in a company. */
export type Stored = {
  runs: number
  contacts: number
  conversations: number
  /** Requests counted in the last clock minute and hour in which one was. */
  ofUrl: number
  ofCompany: number
  /** The kept shape and the answer that its request got. */
  shape: string | null
  shapeStatus: string | null
}

export async function whatIsStored(world: World, { companyId }: Shop): Promise<Stored> {
  const { rows } = await world.database.db.pool.query<Stored>(
    `select
      (select count(*)::int from flow_run where company_id = $1) as runs,
      (select count(*)::int from contact where company_id = $1) as contacts,
      (select count(*)::int from conversation where company_id = $1) as conversations,
      (select coalesce(sum(requests), 0)::int from hook_url_count where company_id = $1) as "ofUrl",
      (select coalesce(sum(requests), 0)::int from company_hook_count where company_id = $1)
        as "ofCompany",
      (select body from hook_shape where company_id = $1) as shape,
      (select answer_status from hook_shape where company_id = $1) as "shapeStatus"`,
    [companyId],
  )
  return rows[0]!
}
