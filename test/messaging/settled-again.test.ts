/**
 * A provider has taken a message, and what it answered cannot be written at once because others are in the way:
 * it is written all the same. Spec: States › Sent message.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accepted, startMeta } from '../channels/loopback-meta.ts'
import { createWorld, type World } from '../support/service.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/limits/units.ts'
import { fact } from '../../src/facts/fact.ts'
import { storeFact } from '../../src/facts/stored-fact.ts'
import { beginSend } from '../../src/messaging/begin-sends.sql.ts'
import { releaseExpiredSends, renewRefusedSends } from '../../src/messaging/claim-sends.sql.ts'
import { settleSend, triedAgainAt } from '../../src/messaging/settle-sends.sql.ts'
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
  const inMs = (told: { retryAfterMs?: number }) => {
    const error = { code: '4', class: 'rate', message: 'Later', ...told } as const
    return triedAgainAt({ outcome: 'refused', error }, 1, now)!.getTime() - now.getTime()
  }
  const told = [{}, ...[1, 10 * MINUTE_MS, 7 * HOUR_MS].map((retryAfterMs) => ({ retryAfterMs }))]
  expect(told.map(inMs)).toEqual([5_000, 5_000, 10 * MINUTE_MS, HOUR_MS])
})

/** A conversation of nobody. */
async function talk({ companyId, channelId }: { companyId: string; channelId: string }) {
  const id = `c_${newPhone()}`
  await world.database.db.kysely
    .insertInto('conversation')
    .values({
      id,
      companyId,
      channelId,
      channelType: 'whatsapp',
      filedUnder: newPhone().slice(1),
      createdAt: world.clock.now(),
    })
    .execute()
  return id
}
/** A message of staff's there, queued unless told, in somebody's hand. */
async function said(columns: object = {}) {
  const shop = await whatsApp.openShop()
  const { ids, clock } = world.service.context
  const [now, claimId, conversationId] = [clock.now(), ids.uuid(), await talk(shop)]
  const row = {
    id: `o_${ids.uuid().replaceAll('-', '')}`,
    companyId: shop.companyId,
    channelId: shop.channelId,
    conversationId,
    direction: 'out',
    sender: 'staff',
    type: 'text',
    status: 'queued',
    dueAt: now,
    outbound: JSON.stringify({ kind: 'text', text: 'Yes' }),
    lane: 1,
    attempt: 1,
    sendKey: ids.uuid(),
    claimId,
    claimedUntil: new Date(now.getTime() + MINUTE_MS),
    occurredAt: now,
    createdAt: now,
    ...columns,
  }
  await world.database.db.kysely.insertInto('message').values(row).execute()
  const channel = { id: shop.channelId, type: 'whatsapp', isCoexistence: false }
  const inHand = { id: row.id, companyId: shop.companyId, lane: 1, claimId, channel, now }
  return { shop, id: row.id, conversationId, inHand }
}
const read = (conversationId: string) =>
  world.database.db.kysely
    .selectFrom('message')
    .selectAll()
    .where('conversationId', '=', conversationId)
    .orderBy('attempt')
    .execute()
/** Nothing of it is sent by a test after it. */
const forget = (conversationId: string) =>
  world.database.db.kysely
    .deleteFrom('message')
    .where('conversationId', '=', conversationId)
    .execute()

test('A message is begun once, whoever believes to have it in hand', async () => {
  const { inHand, conversationId } = await said()
  const { db } = world.service.context
  const another = { ...inHand, claimId: world.service.context.ids.uuid() }
  expect(await beginSend(db, another)).toBeNull()
  expect(await beginSend(db, inHand)).toMatchObject({ id: inHand.id, isStillWanted: true })
  expect(await beginSend(db, inHand)).toBeNull()
  await forget(conversationId)
})

test('A refusal for now that is told twice is tried again all the same, by whoever said it', async () => {
  const { db, ids } = world.service.context
  const person = { id: ids.uuid(), email: 'sara@x.example', createdAt: world.clock.now() }
  await db.kysely.insertInto('person').values(person).execute()
  const { id, inHand, conversationId } = await said({ authorId: person.id })
  await beginSend(db, inHand)
  const error = { code: '4', class: 'rate', message: 'Later' } as const
  const told = {
    id,
    runId: null,
    result: { outcome: 'refused', error },
    againAt: new Date(inHand.now.getTime() + MINUTE_MS),
    runClaimId: ids.uuid(),
    now: inHand.now,
  } as const
  for (let times = 0; times < 2; times += 1) await settleSend(db, told)
  expect(await renewRefusedSends(db.kysely, told.againAt)).toBe(1)
  expect(await read(conversationId)).toMatchObject([
    { status: 'failed', attempt: 1, authorId: person.id },
    { status: 'queued', attempt: 2, authorId: person.id, outbound: expect.any(String) },
  ])
  await forget(conversationId)
})

test('A send that was cut off is unknown once its lease is over, and the assistant’s reply that it is of goes on', async () => {
  const { db, ids, clock } = world.service.context
  const { shop, id, conversationId, inHand } = await said({ status: 'sending' })
  const now = clock.now()
  const reply = { id: ids.uuid(), companyId: shop.companyId, conversationId, state: 'sending' }
  const since = { firstMessageId: 'm', notedMessageId: 'm', notedAt: now, startedAt: now }
  await db.kysely
    .insertInto('assistantReply')
    .values({ ...reply, ...since })
    .execute()
  await db.kysely.updateTable('message').set({ replyId: reply.id }).where('id', '=', id).execute()
  expect(await releaseExpiredSends(db.kysely, now)).toBe(0)
  const over = new Date(inHand.now.getTime() + MINUTE_MS)
  expect(await releaseExpiredSends(db.kysely, over)).toBe(1)
  expect(await read(conversationId)).toMatchObject([{ status: 'unknown', dueAt: null }])
  const { wakeAt } = await db.kysely
    .selectFrom('assistantReply')
    .select('wakeAt')
    .where('id', '=', reply.id)
    .executeTakeFirstOrThrow()
  expect(wakeAt).toEqual(over)
  await db.kysely.deleteFrom('assistantReply').where('id', '=', reply.id).execute()
  await forget(conversationId)
})

test('What a run had queued is wanted no more once the run is being cancelled', async () => {
  const { kysely } = world.database.db
  const { db } = world.service.context
  const own = await whatsApp.openShop()
  const runId = await own.order(newPhone())
  await whatsApp.settle()
  const { inHand, conversationId } = await said({ runId, sender: 'flow' })
  await kysely
    .updateTable('flowRun')
    .set({ cancelDetail: storeFact(fact('staff_handling')) })
    .where('id', '=', runId)
    .execute()
  expect(await beginSend(db, inHand)).toMatchObject({ isStillWanted: false })
  await forget(conversationId)
})

test('What a restored backup shows as waiting to be sent is given up; what was queued since then is not', async () => {
  const shop = await whatsApp.openShop()
  const { kysely } = world.database.db
  const restoredAt = world.clock.now()
  const before = new Date(restoredAt.getTime() - 1)
  const after = new Date(restoredAt.getTime() + 1)
  const id = world.service.context.ids.uuid()
  const conversationId = await talk(shop)
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
