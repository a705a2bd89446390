import { sql } from 'kysely'
import type { Context } from '../../../infra/context.ts'
import type { StepCount, StepCounts } from '../../../contract/dashboard/flow.ts'
import { fact } from '../../../core/facts/fact.ts'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { RETENTION } from '../../../core/limits/retention.ts'
import { ServiceError } from '../../../core/service-error.ts'
import type { OwnedFlow } from '../design/lock-flow.ts'

/**
 * Counts the runs of the published version that reached, failed at and wait at each step. Includes runs of the last
 * 30 days, the latest `runsCounted` of them with the first `linesCounted` lines of each history.
 * @throws not_found
 *
 * A wait's line is written when the run leaves it: a run cancelled while waiting has not reached that step here.
 */
export async function countSteps(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { companyId, flowId }: OwnedFlow,
): Promise<StepCounts> {
  const flow = await db.kysely
    .selectFrom('flow')
    .leftJoin('flowVersion', 'flowVersion.id', 'flow.publishedVersionId')
    .select(['flowVersion.id as versionId', 'flowVersion.number', 'flowVersion.publishedAt'])
    .where('flow.companyId', '=', companyId)
    .where('flow.id', '=', flowId)
    .where('flow.deletedAt', 'is', null)
    .executeTakeFirst()
  if (!flow) throw new ServiceError('not_found', fact('no_such_flow'))
  const { versionId, number, publishedAt } = flow
  if (!versionId || !publishedAt) return { number: null, runs: 0, areAllCounted: true, steps: [] }
  const since = new Date(
    Math.max(clock.now().getTime() - RETENTION.runStepMs, publishedAt.getTime()),
  )
  const limit = FLOW_LIMITS.runsCounted
  const { rows } = await sql<StepCount & { runs: number }>`
    with looked as materialized (
      select id, case when status = 'waiting' then step_id end as waits_at from flow_run
      where flow_id = ${flowId} and company_id = ${companyId} and flow_version_id = ${versionId}
        and id >= oldest_id_at(${since})
      order by id desc limit ${limit + 1}
    ), counted as (
      select * from looked order by id desc limit ${limit}
    ), come as (
      select counted.id, line.step_id, line.status, false as waits
      from counted cross join lateral (
        select step_id, status from flow_run_step where run_id = counted.id
        order by number limit ${FLOW_LIMITS.linesCounted}
      ) line
      union all
      select id, waits_at, 'started', true from counted where waits_at is not null
    ), of_run as (
      select step_id, bool_and(status = 'failed') as failed, bool_or(waits) as waits
      from come group by id, step_id
    )
    select (select count(*)::int from looked) as runs, step_id, count(*)::int as entered,
      (count(*) filter (where failed))::int as failed, (count(*) filter (where waits))::int as waiting
    from of_run group by step_id
    union all
    select (select count(*)::int from looked), null, 0, 0, 0
    order by step_id`.execute(db.kysely)
  const { runs } = rows[0]!
  return {
    number,
    runs: Math.min(runs, limit),
    areAllCounted: runs <= limit,
    steps: rows
      .filter((row) => row.stepId !== null)
      .map(({ stepId, entered, failed, waiting }) => ({ stepId, entered, failed, waiting })),
  }
}
