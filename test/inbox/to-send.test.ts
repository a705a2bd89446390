/** What an Agent needs to work the inbox is told to them, without what Owners and Admins set up. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Member } from '../support/dashboard.ts'
import { inboxOf, type Talk } from '../support/inbox.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let sara: Member
let talk: Talk
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  const inbox = inboxOf({ world, whatsApp }, shop)
  sara = await inbox.member()
  talk = await inbox.talk(newPhone())
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

describe('what an Agent needs to work the inbox, and may not set up', () => {
  test('channels by their names, and nothing of how they are connected', async () => {
    const { status, body } = await sara.ask<{ items: Record<string, unknown>[] }>(
      'GET',
      `/companies/${shop.companyId}/conversations/channels`,
    )
    expect(status).toBe(200)
    expect(body.items.map((channel) => Object.keys(channel).toSorted())).toEqual([
      ['displayNumber', 'id', 'name', 'type'],
    ])
    expect(body.items[0]).toMatchObject({ id: shop.channelId, type: 'whatsapp' })
    expect((await sara.ask('GET', `/companies/${shop.companyId}/channels`)).status).toBe(403)
  })

  test('the approved templates of the channel of a conversation', async () => {
    const ask = () =>
      sara.ask<{ items: { name: string; status: string }[] }>('GET', `${talk.path}/templates`)
    const { body } = await ask()
    expect(body.items.map(({ name }) => name)).toEqual(['order_ready', 'order_ready'])
    const ofArabic = world.database.db.kysely
      .updateTable('template')
      .where('channelId', '=', shop.channelId)
      .where('language', '=', 'ar')
    await ofArabic.set({ status: 'PAUSED' }).execute()
    expect((await ask()).body.items).toMatchObject([{ language: 'en', status: 'APPROVED' }])
    await ofArabic.set({ status: 'APPROVED' }).execute()
  })

  test('the flows of its channel that start by hand, while they may', async () => {
    const flows = async () => {
      const path = `${talk.path}/flows`
      return (await sara.ask<{ items: { id: string; name: string }[] }>('GET', path)).body.items
    }
    expect(await flows()).toEqual([])
    const { kysely } = world.database.db
    const { ids } = world.service.context
    const [id, versionId, at] = [ids.uuid(), ids.uuid(), world.clock.now()]
    const { companyId, channelId } = shop
    const made = { id, companyId, name: 'By hand', createdAt: at, updatedAt: at }
    await kysely.insertInto('flow').values(made).execute()
    const published = await kysely
      .selectFrom('flowVersion')
      .select('definition')
      .where('id', '=', shop.versionId)
      .executeTakeFirstOrThrow()
    const version = { id: versionId, companyId, flowId: id, number: 1, channelId, ...published }
    await kysely
      .insertInto('flowVersion')
      .values({ ...version, triggerKind: 'manual', publishedAt: at, createdAt: at })
      .execute()
    const flow = kysely.updateTable('flow').where('id', '=', id)
    await flow.set({ publishedVersionId: versionId, firstPublishedAt: at }).execute()
    expect(await flows()).toEqual([{ id, name: 'By hand' }])
    await flow.set({ isOn: false }).execute()
    expect(await flows()).toEqual([])
  })
})
