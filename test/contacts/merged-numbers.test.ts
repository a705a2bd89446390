/** Of two that became one contact, each conversation stays with the number that it was with. Contacts › Merging; Calls › AI actions. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createActionWorld, type ActionWorld, type Talk } from '../connections/action-world.ts'
import { askHook, ORDER } from '../support/ask-hook.ts'
import { signedIn } from '../support/dashboard.ts'
import { reply } from '../support/inbox.ts'
import { createWorld, type World } from '../support/service.ts'
import { newPhone, simulateWhatsApp, type SimulatedWhatsApp } from '../support/simulator.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

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

test('A reply goes to the number that wrote, though the other wrote on another channel', async () => {
  const shop = await whatsApp.openShop()
  const owner = await signedIn(world, { accountId: shop.accountId })
  const at = `/companies/${shop.companyId}`
  const { kysely } = world.database.db
  const [theirs, others] = [newPhone(), newPhone()]
  for (const phone of [theirs, others]) {
    await postWebhook(world, webhookOf(shop, [written({ from: phone.slice(1), text: 'hello' })]))
  }
  await whatsApp.settle()
  const talkOf = (phone: string) =>
    kysely
      .selectFrom('conversation')
      .select(['id', 'contactId'])
      .where('filedUnder', '=', phone.slice(1))
      .executeTakeFirstOrThrow()
  const [into, from] = [await talkOf(theirs), await talkOf(others)]
  // The one that stays has written on another number of the company.
  const here = await kysely
    .selectFrom('channel')
    .selectAll()
    .where('id', '=', shop.channelId)
    .executeTakeFirstOrThrow()
  const channelId = world.service.context.ids.uuid()
  await kysely
    .insertInto('channel')
    .values({ ...here, id: channelId, providerRoute: 'another' })
    .execute()
  await kysely
    .updateTable('message')
    .set({ channelId })
    .where('conversationId', '=', into.id)
    .execute()
  await kysely.updateTable('conversation').set({ channelId }).where('id', '=', into.id).execute()
  const merge = `${at}/contacts/${into.contactId}/merge`
  expect((await owner.ask('POST', merge, { fromId: from.contactId })).status).toBe(200)

  const path = `${at}/conversations/${from.id}`
  expect((await reply(owner, { path }, 'It is ready')).status).toBe(201)
  await whatsApp.settle()
  expect(whatsApp.simulator.messages().at(-1)).toMatchObject({
    text: 'It is ready',
    to: others.slice(1),
  })
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
