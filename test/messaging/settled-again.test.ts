/**
 * A provider has taken a message, and what it answered cannot be written at once because others are in the way:
 * it is written all the same. Spec: States › Sent message.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accepted, startMeta } from '../channels/loopback-meta.ts'
import { createWorld, type World } from '../support/service.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { triedAgainAt } from '../../src/messaging/settle-sends.sql.ts'
import { giveUpRestoredSends } from '../../src/messaging/give-up-sends.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'
import { newWamid } from '../support/whatsapp-webhook.ts'

let world: World
let whatsApp: SimulatedWhatsApp
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

test.each(['55P03', '57014'])(
  '%s: it is sent once and accepted, and its run goes on',
  async (code) => {
    const { pool } = world.database.db
    await pool.query('create sequence refused')
    // A sequence goes on also where what asked it is taken back: it is the first write that fails.
    await pool.query(`create function refuse() returns trigger language plpgsql as
    $$ begin
      if nextval('refused') = 1 then raise exception 'crowded out' using errcode = '${code}'; end if;
      return new;
    end $$`)
    await pool.query(`create trigger refuse before update on message for each row
    when (old.status = 'sending' and new.status = 'accepted') execute function refuse()`)
    const shop = await whatsApp.openShop()
    // One that tells nothing of it later: without its answer nobody would know.
    const wamid = newWamid()
    const meta = await startMeta((response) => response.end(accepted(wamid)))
    world.baseUrls.whatsAppSimulator = meta.url
    const runId = await shop.order(newPhone())
    await world.service.processAll()
    world.baseUrls.whatsAppSimulator = whatsApp.simulator.graphBaseUrl
    await meta.stop()
    await pool.query('drop function refuse cascade; drop sequence refused')
    const { kysely } = world.database.db
    const messages = await kysely
      .selectFrom('message')
      .select(['status', 'providerMessageId'])
      .where('runId', '=', runId)
      .execute()
    expect(messages).toEqual([{ status: 'accepted', providerMessageId: wamid }])
    const run = await kysely
      .selectFrom('flowRun')
      .select('status')
      .where('id', '=', runId)
      .execute()
    expect(run).toEqual([{ status: 'waiting' }])
    expect(meta.seen).toHaveLength(1)
  },
)

test('What the provider refused for now is tried again no sooner than it says, and after an hour at the latest', () => {
  const now = new Date('2026-11-21T10:00:00.000Z')
  const inMs = (retryAfterMs?: number) => {
    const error = { code: '4', class: 'rate', message: 'Later', retryAfterMs } as const
    return triedAgainAt({ outcome: 'refused', error }, 1, now)!.getTime() - now.getTime()
  }
  expect([inMs(), inMs(1), inMs(10 * MINUTE_MS), inMs(7 * HOUR_MS)]).toEqual([
    5_000,
    5_000,
    10 * MINUTE_MS,
    HOUR_MS,
  ])
})

test('What a restored backup shows as waiting to be sent is given up; what was queued since then is not', async () => {
  const shop = await whatsApp.openShop()
  const { kysely } = world.database.db
  const restoredAt = world.clock.now()
  const before = new Date(restoredAt.getTime() - 1)
  const after = new Date(restoredAt.getTime() + 1)
  const [id, conversationId] = [world.service.context.ids.uuid(), `c_${newPhone()}`]
  await kysely
    .insertInto('conversation')
    .values({
      id: conversationId,
      companyId: shop.companyId,
      channelId: shop.channelId,
      channelType: 'whatsapp',
      filedUnder: newPhone().slice(1),
      createdAt: before,
    })
    .execute()
  const waits = { dueAt: after, outbound: '{}', lane: 1 }
  const rows = [before, after].flatMap((createdAt) =>
    ['queued', 'failed'].map((status) => ({
      id: `${status} ${createdAt === before ? 'before' : 'after'} ${id}`,
      companyId: shop.companyId,
      channelId: shop.channelId,
      conversationId,
      direction: 'out',
      sender: 'staff',
      type: 'text',
      status,
      ...waits,
      sendKey: `${status} ${createdAt.getTime()} ${id}`,
      attempt: 1,
      occurredAt: createdAt,
      createdAt,
    })),
  )
  await kysely.insertInto('message').values(rows).execute()
  expect(await giveUpRestoredSends(kysely, { now: after, before: restoredAt })).toBe(1)
  const left = await kysely
    .selectFrom('message')
    .select('id')
    .where('conversationId', '=', conversationId)
    .where('dueAt', 'is not', null)
    .orderBy('id')
    .execute()
  expect(left.map((row) => row.id)).toEqual([`failed after ${id}`, `queued after ${id}`])
  await kysely.deleteFrom('message').where('conversationId', '=', conversationId).execute()
})
