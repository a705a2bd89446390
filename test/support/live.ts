import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { LiveChanges } from '../../src/live/watch-changes.ts'
import type { Member } from './dashboard.ts'
import type { World } from './service.ts'
import type { Shop } from './shop.ts'
import { PATIENCE } from './patience.ts'
import { waitUntil } from './wait.ts'

/**
 * Looks for changes until something is so. A transaction that is open anywhere on the server keeps what
 * came after it from being told.
 */
export const lookUntil = (what: string, live: LiveChanges, isSo: () => boolean) =>
  waitUntil(what, async () => {
    await live.poll()
    return isSo()
  })

/** Writes deliveries that are over, in one transaction. */
export async function insertDeliveries(
  world: World,
  shop: Shop,
  count: number,
  query: (text: string, values: unknown[]) => Promise<unknown> = (text, values) =>
    world.database.db.pool.query(text, values),
) {
  await query(
    `with happened as (
      insert into event (id, company_id, type, occurred_at)
      select new_uuid_v7($3), $1, 'ping', $3 from generate_series(1, $4) returning id
    )
    insert into webhook_delivery (id, company_id, endpoint_id, event_id, body_id, api_version,
      kind, state, created_at, ended_at)
    select id, $1, $2, id, id, '2026-10', 'event', 'delivered', $3, $3 from happened`,
    [shop.companyId, shop.endpointId, world.clock.now(), count],
  )
}

const MOST_MS = 20_000 * PATIENCE

/** Listens to what changes in a company as a browser does. Says whether the stream ends while a test waits for it. */
export async function listenLive(
  world: Pick<World, 'url'>,
  member: Pick<Member, 'token'>,
  companyId: string,
) {
  const request = get(`${world.url}/api/companies/${companyId}/live`, {
    headers: { authorization: `Bearer ${member.token}` },
  })
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let isOver = false
  response.on('error', () => {})
  const closed = new Promise<true>((resolve) => {
    response.resume().once('close', () => resolve((isOver = true)))
  })
  return {
    status: response.statusCode!,
    isOver: () => isOver,
    async ended() {
      let timer: NodeJS.Timeout | undefined
      const tooLate = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), MOST_MS)
      })
      const result = await Promise.race([closed, tooLate])
      clearTimeout(timer)
      return result
    },
    close: () => request.destroy(),
  }
}
