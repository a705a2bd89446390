/** What an Agent needs to work the inbox is told to them, without what Owners and Admins set up. */
import { beforeAll, describe, expect, test } from 'vitest'
import { addFlowTo, definitionOf, switchFlow } from '../support/records/flows.ts'
import { putTemplates } from '../support/records/templates.ts'
import { openWhatsApp } from '../support/open-world.ts'
import type { Member } from '../support/dashboard.ts'
import { inboxOf, type Talk } from '../support/inbox.ts'
import { newPhone } from '../support/simulator.ts'

let sara: Member
let talk: Talk
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
beforeAll(async () => {
  const inbox = inboxOf({ world, whatsApp }, shop)
  sara = await inbox.member()
  talk = await inbox.talk(newPhone())
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
    const ofArabic = { channelId: shop.channelId, language: 'ar' }
    await putTemplates(world, ofArabic, { status: 'PAUSED' })
    expect((await ask()).body.items).toMatchObject([{ language: 'en', status: 'APPROVED' }])
    await putTemplates(world, ofArabic, { status: 'APPROVED' })
  })

  test('the flows of its channel that start by hand, while they may', async () => {
    const flows = async () => {
      const path = `${talk.path}/flows`
      return (await sara.ask<{ items: { id: string; name: string }[] }>('GET', path)).body.items
    }
    expect(await flows()).toEqual([])
    const definition = await definitionOf(world, shop)
    const { flowId: id } = await addFlowTo(world, shop, { name: 'By hand', definition })
    expect(await flows()).toEqual([{ id, name: 'By hand' }])
    await switchFlow(world, { flowId: id }, false)
    expect(await flows()).toEqual([])
  })
})
