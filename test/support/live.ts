import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { LiveChanges, LiveMessage } from '../../src/modules/live-updates/change-stream.ts'
import type { Role } from '../../src/core/vocabulary/accounts.ts'
import type { Member } from './dashboard.ts'
import type { World } from './test-service.ts'
import type { Shop } from './shop.ts'
import { onTestFinished } from 'vitest'
import { TIMEOUT_FACTOR } from './timeout-multiplier.ts'
import { waitUntil } from './wait.ts'

export const lookUntil = (what: string, live: LiveChanges, isSo: () => boolean) =>
  waitUntil(what, async () => {
    await live.poll()
    return isSo()
  })

/** Watches what changes in a company from now on, as a member with a role. Returns what ends it. */
export function watchLive(
  live: LiveChanges,
  { accountId, companyId }: { accountId: string; companyId: string },
  tell: (message: LiveMessage) => void,
  role: Role = 'owner',
): () => void {
  return live.watch({
    accountId,
    companyIds: [companyId],
    sessionId: randomUUID(),
    role,
    position: null,
    send: tell,
  })
}

/** Watches the same once the stream is ready. `told` returns what has changed so far, of one entity or of all. */
export async function followLive<Thing = object>(
  live: LiveChanges,
  shop: { accountId: string; companyId: string },
  role?: Role,
) {
  const messages: LiveMessage[] = []
  const stop = watchLive(live, shop, (message) => void messages.push(message), role)
  await lookUntil('the stream is ready', live, () => messages.length > 0)
  const items = () => messages.flatMap((one) => (one.kind === 'changed' ? one.items : []))
  return {
    stop,
    changed: (entity?: string) =>
      items()
        .filter((one) => entity === undefined || one.entity === entity)
        .map(({ item }) => item as Thing),
  }
}

/** Writes deliveries that have ended, in one transaction. */
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

const MAX_MS = 20_000 * TIMEOUT_FACTOR

type LiveEvent = { event: string; id: string | null; data: unknown }

/**
 * Listens to the changes of a company as a browser does, until the test ends. Reports an end of the stream
 * while a test waits for it.
 */
export async function listenLive(
  world: Pick<World, 'url'>,
  member: Pick<Member, 'token'>,
  companyId: string,
  { lastEventId, query = '' }: { lastEventId?: string; query?: string } = {},
) {
  const request = get(`${world.url}/api/companies/${companyId}/live${query}`, {
    headers: {
      authorization: `Bearer ${member.token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  })
  onTestFinished(() => void request.destroy())
  request.on('error', () => {})
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let isOver = false
  let rest = ''
  const blocks: string[] = []
  response.on('error', () => {})
  response.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n\n')
    rest = parts.pop()!
    blocks.push(...parts)
  })
  const closed = new Promise<true>((resolve) => {
    response.once('close', () => resolve((isOver = true)))
  })
  async function take(fits: (block: string) => boolean): Promise<string> {
    let at = -1
    await waitUntil('a message of the stream', () => {
      at = blocks.findIndex(fits)
      if (at === -1 && isOver) throw new Error('the stream ended')
      return at !== -1
    })
    return blocks.splice(at, 1)[0]!
  }
  return {
    status: response.statusCode!,
    isOver: () => isOver,
    /** Returns the next event and skips comments. */
    async next(): Promise<LiveEvent> {
      const lines = (await take((block) => /^event: /m.test(block))).split('\n')
      const field = (name: string) =>
        lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? null
      return { event: field('event')!, id: field('id'), data: JSON.parse(field('data')!) }
    },
    /** Resolves when a heartbeat comes. */
    async beat(): Promise<void> {
      await take((block) => block === ': beat')
    },
    async ended() {
      let timer: NodeJS.Timeout | undefined
      const tooLate = new Promise<false>((resolve) => {
        timer = setTimeout(() => resolve(false), MAX_MS)
      })
      const result = await Promise.race([closed, tooLate])
      clearTimeout(timer)
      return result
    },
    close: () => request.destroy(),
  }
}
