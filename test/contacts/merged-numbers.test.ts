/** Of two that became one contact, each conversation stays with the number that it was with. Contacts › Merging; Calls › AI actions. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createActionWorld, type ActionWorld, type Talk } from '../connections/action-world.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { signedIn } from '../support/dashboard.ts'
import { reply } from '../support/inbox.ts'
import { createWorld, type World } from '../support/service.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'
import {
  newWamid,
  postWebhook,
  webhookOf,
  written,
  type Change,
} from '../support/whatsapp-webhook.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let w: ActionWorld
beforeAll(async () => {
  world = await createWorld()
  whatsApp = await simulateWhatsApp(world)
  w = await createActionWorld()
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
  await w.close()
})

/** A shop with customers who write to it, and whom a member answers. */
async function talks() {
  const shop = await whatsApp.openShop()
  const owner = await signedIn(world, { accountId: shop.accountId })
  const at = `/companies/${shop.companyId}`
  const { kysely } = world.database.db
  const post = async (change: Change) => {
    await postWebhook(world, webhookOf(shop, [change]))
    await whatsApp.settle()
  }
  const talkOf = (phone: string) =>
    kysely
      .selectFrom('conversation')
      .select(['id', 'contactId'])
      .where('companyId', '=', shop.companyId)
      .where('filedUnder', '=', phone.slice(1))
      .executeTakeFirstOrThrow()
  return {
    shop,
    kysely,
    post,
    talkOf,
    writes: async (phone: string) => {
      await post(written({ from: phone.slice(1), text: 'hello' }))
      return talkOf(phone)
    },
    make: async (input: object) =>
      (await owner.ask<{ id: string }>('POST', `${at}/contacts`, input)).body.id,
    merge: async (intoId: string | null, fromId: string | null) => {
      const merged = await owner.ask('POST', `${at}/contacts/${intoId}/merge`, { fromId })
      expect(merged.status).toBe(200)
    },
    /** The number that a reply goes to. */
    answered: async (conversationId: string) => {
      const path = `${at}/conversations/${conversationId}`
      expect((await reply(owner, { path }, 'It is ready')).status).toBe(201)
      await whatsApp.settle()
      return `+${whatsApp.simulator.messages().at(-1)!.to}`
    },
  }
}

const changedNumber = (before: string, after: string): Change => {
  const system = { type: 'user_changed_number', wa_id: after.slice(1), body: 'changed' }
  const timestamp = String(Math.floor(world.clock.now().getTime() / 1_000))
  const message = { from: before.slice(1), id: newWamid(), timestamp, type: 'system', system }
  return { field: 'messages', value: { messages: [message] } }
}

test('A reply goes to the number that wrote, though the other wrote on another channel', async () => {
  const { shop, kysely, writes, merge, answered } = await talks()
  const [theirs, others] = [newPhone(), newPhone()]
  const [into, from] = [await writes(theirs), await writes(others)]
  // The one that stays has written on another number of the company.
  const here = await kysely
    .selectFrom('channel')
    .selectAll()
    .where('id', '=', shop.channelId)
    .executeTakeFirstOrThrow()
  const channelId = world.service.context.ids.uuid()
  await kysely
    .insertInto('channel')
    .values({ ...here, id: channelId, providerRoute: channelId })
    .execute()
  await kysely
    .updateTable('message')
    .set({ channelId })
    .where('conversationId', '=', into.id)
    .execute()
  await kysely.updateTable('conversation').set({ channelId }).where('id', '=', into.id).execute()
  await merge(into.contactId, from.contactId)
  expect(await answered(from.id)).toBe(others)
})

test('The number of the one that stays has a conversation of its own when it writes', async () => {
  const { writes, make, merge, answered } = await talks()
  const [theirs, others] = [newPhone(), newPhone()]
  const from = await writes(others)
  await merge(await make({ name: 'Sara', phone: theirs }), from.contactId)
  const own = await writes(theirs)
  expect(own).toMatchObject({ contactId: (await writes(others)).contactId })
  expect(own.id).not.toBe(from.id)
  expect(await answered(own.id)).toBe(theirs)
  expect(await answered(from.id)).toBe(others)
})

test('A number that changes after the merge is the customer’s from then on', async () => {
  const { writes, make, merge, answered, post } = await talks()
  const [before, after] = [newPhone(), newPhone()]
  const from = await writes(before)
  await merge(await make({ name: 'Sara' }), from.contactId)
  await post(changedNumber(before, after))
  expect(await answered(from.id)).toBe(after)
  await post(written({ from: after.slice(1), text: 'from the new one' }))
  expect(await answered(from.id)).toBe(after)
})

test('so is one that a hook had given before, of somebody whom nobody had met', async () => {
  const { shop, writes, answered, post } = await talks()
  const [before, after] = [newPhone(), newPhone()]
  const { id } = await writes(before)
  const customer = { ...ORDER.customer, phone: after }
  expect((await askHook(shop.hookUrl, { ...ORDER, customer })).status).toBe('accepted')
  await whatsApp.settle()
  await post(changedNumber(before, after))
  expect(await answered(id)).toBe(after)
})

/** Whom the shop's API is asked about from this conversation. */
async function askedAbout(talk: Talk): Promise<string | null> {
  await w.clear()
  const query = [{ name: 'who', value: '{{identity}}' }]
  const { name } = await w.make({ identity: 'phone', request: { query } })
  await talk.use(name, { order: '7' })
  return new URL(w.api.requests[0]!.url, 'http://localhost').searchParams.get('who')
}
const merge = async (intoId: string, fromId: string) => {
  const path = `/companies/${w.shop.companyId}/contacts/${intoId}/merge`
  expect((await (await w.member()).ask('POST', path, { fromId })).status).toBe(200)
}

test('An action is about the number of its conversation', async () => {
  const stays = await w.customer('966501239001')
  const goes = await w.customer('966501239002')
  await merge(stays.contactId, goes.contactId)
  expect(await askedAbout(goes)).toBe('+966501239002')
  expect(await askedAbout(stays)).toBe('+966501239001')
})

test('A number that only a hook has given is not one that the provider has shown, until it writes', async () => {
  const typed = '966501239003'
  const asked = await askHook(w.shop.hookUrl, {
    ...ORDER,
    customer: { ...ORDER.customer, phone: `+${typed}` },
  })
  expect(asked.status).toBe('accepted')
  const talk = await w.customer('966501239004')
  const { kysely } = w.deps.db
  const { id } = await kysely
    .selectFrom('contact')
    .select('id')
    .where('phone', '=', `+${typed}`)
    .executeTakeFirstOrThrow()
  const learnt = async () => {
    const alias = kysely.selectFrom('contactAlias').select('learntFrom').where('value', '=', typed)
    return (await alias.executeTakeFirstOrThrow()).learntFrom
  }
  expect(await learnt()).toBe('person')
  await merge(id, talk.contactId)
  expect(await askedAbout(talk)).toBe('+966501239004')
  await w.customer(typed)
  expect(await learnt()).toBe('provider')
  expect(await askedAbout(talk)).toBe('+966501239004')
})
