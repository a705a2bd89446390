/**
 * A provider has taken a message, and what it answered cannot be written at once because others are in the way:
 * it is written all the same. Spec: States › Sent message.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accepted, startMeta } from '../channels/loopback-meta.ts'
import { createWorld, type World } from '../support/service.ts'
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
