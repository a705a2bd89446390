/** Hook URLs, the counts of their requests, and the records that requests leave behind. */
import { sql } from 'kysely'
import { tokenHash } from '../../../src/infra/secrets/token-hash.ts'
import { runsOf } from './runs.ts'
import { contactsOf } from './contacts.ts'
import { conversationsOf } from './conversations.ts'
import type { Company, Recorded } from './records.ts'
import { add, insertOrUpdate, nowOf, read, remove, storeOf, update } from './records.ts'

/** Returns what hook requests have left behind in a company. */
export async function whatIsStored(world: Recorded, { companyId }: Company) {
  const shapes = await read(world, 'hookShape', { companyId }, 'hookUrlId')
  const sum = (rows: { requests: number }[]) =>
    rows.reduce((total, { requests }) => total + requests, 0)
  return {
    runs: (await runsOf(world, { companyId })).length,
    contacts: (await contactsOf(world, { companyId })).length,
    conversations: (await conversationsOf(world, { companyId })).length,
    /** Requests counted in the last clock minute and hour in which one was. */
    ofUrl: sum(await read(world, 'hookUrlCount', { companyId })),
    ofCompany: sum(await read(world, 'companyHookCount', { companyId })),
    /** The kept shape, the answer that its request got, and when it came. */
    shape: shapes[0]?.body ?? null,
    shapeStatus: shapes[0]?.answerStatus ?? null,
    shapeAt: shapes[0]?.receivedAt ?? null,
  }
}

/** Sets how many requests to its hook URLs a company has made in this hour. */
export async function setRequestsOfHour(world: Recorded, { companyId }: Company, requests: number) {
  await sql`insert into company_hook_count
    values (${companyId}, date_trunc('hour', ${nowOf(world)}::timestamptz), ${requests}::int)
    on conflict (company_id) do update set window_start = excluded.window_start,
      requests = excluded.requests`.execute(storeOf(world))
}

/** Sets how many requests the hook URLs of a company have had in the minute in which there was one last. */
export const setRequestsOfMinute = (world: Recorded, { companyId }: Company, requests: number) =>
  update(world, 'hookUrlCount', { companyId }, { requests })

/** Pauses all hooks on the service's side, as the operator does, or lets them go on. */
export const pauseHooks = (world: Recorded, isOn: boolean) => {
  const paused = { name: 'hooks_paused', isOn, changedAt: nowOf(world) }
  return insertOrUpdate(world, 'operatorSwitch', ['name'], paused, { isOn })
}

/** Gives a flow a hook URL with this token. */
export async function addHook(
  world: Recorded,
  { companyId, flowId }: Company & { flowId: string },
  token: string,
): Promise<void> {
  const kept = { tokenHash: tokenHash(token), tokenLastFour: token.slice(-4) }
  await add(world, 'hookUrl', { companyId, flowId, ...kept, createdAt: nowOf(world) })
}

export const deleteHook = (world: Recorded, { hookToken }: { hookToken: string }) =>
  remove(world, 'hookUrl', { tokenHash: tokenHash(hookToken) })
