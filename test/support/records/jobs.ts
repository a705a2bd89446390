/** Jobs that go on page by page, of whatever kind: a row in its table that is due. */
import { sql } from 'kysely'
import type { JobTable } from '../../../src/infra/database/queues/pages.ts'
import type { Account, Company, Recorded } from './records.ts'
import { insert, newIdOf, nowOf, storeOf } from './records.ts'

type Of = Account & Company & { channelId: string; endpointId: string; personId: string }

/** Adds a job that is due now, though there is nothing for it to do. Returns its id. */
export async function addJob(world: Recorded, table: JobTable, of: Of): Promise<string> {
  const { accountId, companyId, channelId, endpointId, personId } = of
  const [id, now, zero] = [newIdOf(world), nowOf(world), newIdOf(world)]
  const about = { id, companyId, dueAt: now, createdAt: now }
  switch (table) {
    case 'resendJob': {
      const found = { position: zero, beforeId: zero, matched: 0, isMatchedLeast: false }
      const work = { kind: 'resend', filter: '{}', pace: 1, state: 'running', endpointId }
      const times = { createdBy: personId, updatedAt: now }
      await insert(world, table, { ...about, ...work, ...found, ...times })
      break
    }
    case 'closeJob': {
      const work = { state: 'running', filter: '{}', before: now }
      await insert(world, table, { ...about, ...work, accountId, startedBy: personId })
      break
    }
    case 'contactTagJob':
      await insert(world, table, { ...about, tag: 'vip', state: 'running' })
      break
    case 'contactImport': {
      const file = { name: 'a', headers: ['name'], delimiter: ',', size: 1 }
      const where = { firstByte: 0, nextByte: 0, state: 'running' }
      await insert(world, table, { ...about, ...file, ...where })
      break
    }
    case 'broadcast': {
      const work = { name: 'a', template: '{}', audience: '{}', perSecond: 1, state: 'sending' }
      await insert(world, table, { ...about, ...work, channelId, updatedAt: now })
    }
  }
  return id
}

/** Ends a job, as its cancellation does. */
export async function cancelJob(world: Recorded, table: JobTable, id: string): Promise<void> {
  const state = table === 'contactTagJob' ? 'done' : 'cancelled'
  await sql`update ${sql.table(table)} set state = ${state}, due_at = null, ended_at = ${nowOf(world)}
    where id = ${id}`.execute(storeOf(world))
}

export async function dueJobsOf(world: Recorded, table: JobTable): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where due_at is not null order by id`.execute(storeOf(world))
  return rows.map(({ id }) => id)
}

/** Changes columns of a job, as a page of it does. */
export async function markJob(world: Recorded, table: JobTable, id: string): Promise<void> {
  await sql`update ${sql.table(table)} set created_at = 'epoch' where id = ${id}`.execute(
    storeOf(world),
  )
}
