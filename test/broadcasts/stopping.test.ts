/** Customers stop broadcasts by the link of one, or at the provider. Spec: reading R12. */
import { beforeEach, describe, expect, test } from 'vitest'
import { loadLinkedContact, optOutByLink } from '../../src/modules/broadcasts/opt-out-by-link.ts'
import { makeOptOutToken, readOptOutToken } from '../../src/modules/broadcasts/opt-out-link.ts'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { createKeyRing } from '../../src/infra/secrets/key-ring.ts'
import { holdLock } from '../support/records/locks.ts'
import { eventTypesOf } from '../support/records/events.ts'
import { mergeAway } from '../support/records/identifiers.ts'
import { addReply, replyOf } from '../support/records/assistant.ts'
import { runsOf } from '../support/records/runs.ts'
import { onlyConversation } from '../support/records/conversations.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { signedIn } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { moveMarketingStops } from '../support/records/broadcasts.ts'
import { copyChannel } from '../support/records/credentials.ts'
import { openBroadcasts, type Broadcasts } from '../support/broadcasts.ts'
import { customerWrites, postChanges } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const owner = await signedIn(world, { accountId: shop.accountId })
const at = `/companies/${shop.companyId}/contacts`
const broadcastId = '01a1fd55-7a80-7278-823e-2ce24018e90d'
const contactId = '01a1fd55-7a80-7278-823e-2ce24018ffff'
const ringOf = (...bytes: number[]) =>
  createKeyRing(
    bytes.map((byte) => ({ id: `k${byte}`, key: Buffer.alloc(32, byte) })),
    () => {},
  )

describe('The token', () => {
  const token = makeOptOutToken(ringOf(1), { contactId, broadcastId })

  test('holds the code of the cell, both ids and a proof in 61 characters', () => {
    expect(token).toMatch(/^00[A-Za-z0-9_-]{59}$/)
    expect(readOptOutToken(ringOf(1), token)).toEqual({ contactId, broadcastId })
  })

  test('is valid while the key that signed it is in the ring', () => {
    expect(readOptOutToken(ringOf(2, 1), token)).toEqual({ contactId, broadcastId })
    expect(readOptOutToken(ringOf(2), token)).toBeNull()
  })

  systemTest(
    'is refused with one letter changed, shortened, lengthened or in another spelling',
    () => {
      const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
      const others = [...token].flatMap((letter, place) =>
        [...letters]
          .filter((other) => other !== letter)
          .map((other) => token.slice(0, place) + other + token.slice(place + 1)),
      )
      others.push('', token.slice(1), `${token}A`, `${token}=`, ` ${token}`, `${token}\n`)
      expect(others.filter((other) => readOptOutToken(ringOf(1), other) !== null)).toEqual([])
    },
  )
})

describe('Opting out by the token', () => {
  const make = async () =>
    (await owner.ask<ContactView>('POST', at, { name: 'Sara', phone: newPhone(), language: 'ar' }))
      .body
  const press = (id: string) => optOutByLink(world.service.context, { contactId: id, broadcastId })
  const look = (id: string) =>
    loadLinkedContact(world.database.db.kysely, { contactId: id, broadcastId })
  async function raised(id: string) {
    const types = await eventTypesOf(world, { contactId: id }, 'contact.')
    return types.filter((type) => type !== 'contact.created')
  }
  const say = async (phone: string, text: string) => {
    await customerWrites(world, shop, { from: phone, text })
    await whatsApp.settle()
  }

  test('happens once when the customer presses, changes nothing when they look, and is shown after a repeat', async () => {
    const { id } = await make()
    for (let nth = 0; nth < 5; nth += 1) await look(id)
    expect(await look(id)).toMatchObject({ contactId: id, isOptedOut: false, language: 'ar' })
    expect(await press(id)).toMatchObject({ contactId: id, isOptedOut: true })
    expect(await press(id)).toMatchObject({ contactId: id, isOptedOut: true })
    expect(await raised(id)).toEqual(['contact.opted_out'])
    const log = await owner.ask<{ items: object[] }>('GET', `${at}/${id}/opt-outs`)
    expect(log.body.items).toMatchObject([{ optedOut: true, how: 'link', person: null }])
  })

  systemTest("ends the customer's runs, and works again after START", async () => {
    const { id, phone } = await make()
    await shop.runFor(phone!)
    await press(id)
    await whatsApp.settle()
    const runs = await runsOf(world, { contactId: id })
    expect(runs).toMatchObject([{ status: 'completed', endReason: 'customer_exited' }])
    world.clock.advance(1_000)
    await say(phone!, 'START')
    expect(await look(id)).toMatchObject({ isOptedOut: false })
    world.clock.advance(1_000)
    await press(id)
    expect(await raised(id)).toEqual(['contact.opted_out', 'contact.updated', 'contact.opted_out'])
  })

  test('ends a reply that the assistant is about to send', async () => {
    const { id, phone } = await make()
    await say(phone!, 'when do you open?')
    const conversation = await onlyConversation(world, { contactId: id })
    const where = { companyId: shop.companyId, conversationId: conversation.id }
    const replyId = await addReply(world, where)
    await press(id)
    expect(await replyOf(world, replyId)).toMatchObject({ state: 'cancelled' })
  })

  test('by the link of a contact that is being merged opts out the surviving contact', async () => {
    const [gone, survivor] = [await make(), await make()]
    await using merging = await holdLock(world, { contactId: gone.id })
    const pressed = press(gone.id)
    await merging.blocks('the press waits for the merge')
    await mergeAway(merging.inside, shop, { fromId: gone.id, intoId: survivor.id })
    await merging.release()
    expect(await pressed).toMatchObject({ contactId: survivor.id, isOptedOut: true })
  })
})

describe('Customers who stop marketing from a number at the provider', () => {
  const PHONE = '+966552131051'

  let news: Broadcasts
  const tag = 'vip'
  beforeEach(async () => {
    news = await openBroadcasts(world, whatsApp)
    await news.contact({ phone: PHONE, tags: [tag] })
  })

  async function tell(value: string, saidAt: Date, about: object = {}) {
    const timestamp = saidAt.getTime() / 1_000
    const told = {
      wa_id: PHONE.slice(1),
      category: 'marketing_messages',
      value,
      timestamp,
      ...about,
    }
    const change = { field: 'user_preferences', value: { user_preferences: [told] } }
    await postChanges(world, news.shop, change)
  }
  /** Sends a broadcast. Returns why the recipient was skipped, or else its state. */
  async function comesTo(template?: object) {
    const id = await news.start(tag, template ? { template } : {})
    await news.finish(id)
    const [{ state, skipReason } = {}] = await news.recipients(id)
    return skipReason ?? state
  }
  const SALE = { name: 'sale' }

  systemTest('are left out before the start, and still get other categories', async () => {
    await tell('stop', world.clock.now())
    const [sale, notice] = [await news.draft(tag, { template: SALE }), await news.draft(tag)]
    const leftOut = [{ reason: 'marketing_stopped', count: 1 }]
    expect(await news.check(sale.id)).toMatchObject({ receivers: 0, leftOut, sample: null })
    expect(await news.check(notice.id)).toMatchObject({ receivers: 1, leftOut: [] })
    expect(await comesTo(SALE)).toBe('marketing_stopped')
    expect(await comesTo()).not.toBe('marketing_stopped')
    expect(news.sent()).toHaveLength(1)
  })

  test('get marketing again once they resume it, and not by an older message', async () => {
    const stoppedAt = world.clock.now()
    await tell('stop', stoppedAt)
    await tell('resume', new Date(stoppedAt.getTime() - MINUTE_MS))
    expect(await comesTo(SALE)).toBe('marketing_stopped')
    world.clock.advance(MINUTE_MS)
    await tell('resume', world.clock.now())
    expect(await comesTo(SALE)).not.toBe('marketing_stopped')
  })

  systemTest(
    "are not stopped by an unknown word, another category or another customer's message",
    async () => {
      await tell('pause', world.clock.now())
      await tell('stop', world.clock.now(), { category: 'of_next_year' })
      await tell('stop', world.clock.now(), { wa_id: '966500000009' })
      expect(await comesTo(SALE)).not.toBe('marketing_stopped')
    },
  )

  systemTest(
    'have the state of their newest message, in whatever order the messages arrive',
    async () => {
      const now = world.clock.now()
      const before = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS)
      await tell('stop', now)
      await tell('stop', before(2))
      await tell('resume', before(1))
      expect(await comesTo(SALE)).toBe('marketing_stopped')
    },
  )

  systemTest('get marketing from another number of the company', async () => {
    const other = { channelId: await copyChannel(world, news.shop) }
    await tell('stop', world.clock.now())
    await moveMarketingStops(world, news.shop, other)
    expect(await comesTo(SALE)).not.toBe('marketing_stopped')
  })
})
