/** Each conversation keeps its number after a merge. Contacts › Merging; Calls › AI actions. */
import { afterAll, expect, test } from 'vitest'
import { createActionWorld, type Talk } from '../connections/action-world.ts'
import { contactOf, contactWith } from '../support/records/contacts.ts'
import { proofOfIdentifier, proveIdentifiers } from '../support/records/identifiers.ts'
import { textsOf } from '../support/records/messages.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { moveConversation } from '../support/records/moved-conversations.ts'
import { copyChannel } from '../support/records/credentials.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { postHook, ORDER } from '../support/post-hook.ts'
import { signedIn } from '../support/dashboard.ts'
import { reply } from '../support/inbox.ts'
import { newPhone } from '../support/simulator.ts'
import {
  changedNumber as numberChanged,
  postChanges,
  written,
  type Change,
} from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const w = await createActionWorld()
afterAll(async () => {
  await w.close()
})

const changedNumber = (before: string, after: string) =>
  numberChanged(before, after, world.clock.now())

/** Opens a shop with helpers for customers who write to it and a member who answers. */
async function talks() {
  const shop = await whatsApp.openShop()
  const owner = await signedIn(world, { accountId: shop.accountId })
  const at = `/companies/${shop.companyId}`
  const post = async (change: Change) => {
    await postChanges(world, shop, change)
    await whatsApp.settle()
  }
  const talkOf = (id: string) => conversationWith(world, shop, id)
  const values = ['1', '2'].map((name) => ({ name, text: 'Sara' }))
  const template = { name: 'order_ready', body: values }
  const sentTo = async () => {
    await whatsApp.settle()
    return `+${whatsApp.simulator.messages().at(-1)!.to}`
  }
  return {
    shop,
    post,
    talkOf,
    sentTo,
    writes: async (phone: string) => {
      await post(written({ from: phone.slice(1), text: 'hello' }))
      return talkOf(phone)
    },
    writesHidden: async (userId: string, from?: string) => {
      await post(written({ userId, text: 'hello', ...(from && { from: from.slice(1) }) }))
      return talkOf(userId)
    },
    /** Moves a conversation to another number of the company. */
    elsewhere: async (id: string) => {
      const channelId = await copyChannel(world, shop)
      await moveConversation(world, id, { channelId })
    },
    edit: async (id: string, input: object) => {
      expect((await owner.ask('PATCH', `${at}/contacts/${id}`, input)).status).toBe(200)
    },
    /** Returns the texts of a conversation, sorted. */
    said: async (conversationId: string) => (await textsOf(world, { conversationId })).toSorted(),
    phoneOf: async (id: string | null) => {
      return (await contactOf(world, id!)).phone
    },
    /** Returns the number that a member's template goes to, for a contact or in a conversation. */
    reached: async (to: { contactId: string } | { id: string }) => {
      const path = 'id' in to ? `${at}/conversations/${to.id}/messages` : `${at}/conversations`
      const about = 'id' in to ? {} : { contactId: to.contactId, channelId: shop.channelId }
      const key = world.service.context.ids.uuid()
      expect((await owner.ask('POST', path, { ...about, key, template })).status).toBe(201)
      return sentTo()
    },
    startsByHand: async (contactId: string) => {
      const asked = { contactId, variables: { order: 'A-1' } }
      const path = `${at}/flows/${shop.flowId}/test-runs`
      expect((await owner.ask('POST', path, asked)).status).toBe(201)
    },
    make: async (input: object) =>
      (await owner.ask<{ id: string }>('POST', `${at}/contacts`, input)).body.id,
    merge: async (intoId: string | null, fromId: string | null) => {
      const merged = await owner.ask('POST', `${at}/contacts/${intoId}/merge`, { fromId })
      expect(merged.status).toBe(200)
    },
    /** Returns the number that a reply goes to. */
    answered: async (conversationId: string) => {
      const path = `${at}/conversations/${conversationId}`
      expect((await reply(owner, { path }, 'It is ready')).status).toBe(201)
      return sentTo()
    },
  }
}

systemTest('A reply goes to the number that wrote, not to one of another channel', async () => {
  const { writes, merge, answered, elsewhere } = await talks()
  const [theirs, others] = [newPhone(), newPhone()]
  const [into, from] = [await writes(theirs), await writes(others)]
  await elsewhere(into.id)
  await merge(into.contactId, from.contactId)
  expect(await answered(from.id)).toBe(others)
})

systemTest('The number of the surviving contact writes in a separate conversation', async () => {
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

test.each([
  ['that was unknown', () => ({})],
  ['that a member had entered for the contact', (phone: string) => ({ phone })],
])('A number %s is the customer’s once they change to it after the merge', async (_, known) => {
  const { writes, make, merge, answered, post, said } = await talks()
  const [before, after] = [newPhone(), newPhone()]
  const from = await writes(before)
  await merge(await make({ name: 'Sara', ...known(after) }), from.contactId)
  await post(changedNumber(before, after))
  expect(await answered(from.id)).toBe(after)
  await post(written({ from: after.slice(1), text: 'from the new one' }))
  expect(await said(from.id)).toContain('from the new one')
  expect(await answered(from.id)).toBe(after)
})

systemTest(
  "A number of a contact that only a hook knew is the customer's once they change to it",
  async () => {
    const { shop, writes, answered, post } = await talks()
    const [before, after] = [newPhone(), newPhone()]
    const { id } = await writes(before)
    const customer = { ...ORDER.customer, phone: after }
    expect((await postHook(shop.hookUrl, { ...ORDER, customer })).status).toBe('accepted')
    await whatsApp.settle()
    await post(changedNumber(before, after))
    expect(await answered(id)).toBe(after)
  },
)

systemTest(
  'Each conversation keeps its number when the number of the contact changes',
  async () => {
    const { writes, merge, answered, post } = await talks()
    const [theirs, others, after] = [newPhone(), newPhone(), newPhone()]
    const [into, from] = [await writes(theirs), await writes(others)]
    await merge(into.contactId, from.contactId)
    await post(changedNumber(theirs, after))
    expect(await answered(from.id)).toBe(others)
    expect(await answered(into.id)).toBe(after)
    expect(await writes(others)).toMatchObject({ id: from.id })
  },
)

systemTest.each(['shown after an id', 'shared on another channel'])(
  "Each conversation keeps its number if the surviving contact's number was %s",
  async (how) => {
    const { writes, writesHidden, make, merge, answered } = await talks()
    const [theirs, others] = [newPhone(), newPhone()]
    let into: string | null
    if (how === 'shown after an id') {
      into = (await writesHidden('SA.7001')).contactId
      await writesHidden('SA.7001', theirs)
    } else {
      into = await make({ name: 'Sara', phone: theirs })
      // The provider shows a number that a customer shares in another channel.
      await proveIdentifiers(world, into, 'shown')
    }
    const from = await writes(others)
    await merge(into, from.contactId)
    expect(await answered(from.id)).toBe(others)
  },
)

systemTest(
  'A number that the merged customer changes to belongs to their conversation, not to the contact',
  async () => {
    const { writes, merge, answered, post, said, phoneOf } = await talks()
    const [theirs, others, after] = [newPhone(), newPhone(), newPhone()]
    const [into, from] = [await writes(theirs), await writes(others)]
    await merge(into.contactId, from.contactId)
    await post(changedNumber(others, after))
    expect(await phoneOf(into.contactId)).toBe(theirs)
    expect(await answered(into.id)).toBe(theirs)
    expect(await answered(from.id)).toBe(after)
    await post(written({ from: after.slice(1), text: 'from the new one' }))
    expect(await said(from.id)).toContain('from the new one')
    expect(await said(into.id)).not.toContain('from the new one')
  },
)

systemTest(
  'A number that the merged customer changes to belongs to them also by an id, or after another change',
  async () => {
    const { writes, merge, answered, post, said, phoneOf } = await talks()
    const [theirs, others, second, third] = [newPhone(), newPhone(), newPhone(), newPhone()]
    const [into, from] = [await writes(theirs), await writes(others)]
    await post(written({ from: others.slice(1), userId: 'SA.7101' }))
    await post(changedNumber(others, second))
    await merge(into.contactId, from.contactId)
    expect(await answered(from.id)).toBe(second)
    const known = { user_id: { previous: 'SA.7101', current: 'SA.7102' }, wa_id: third.slice(1) }
    await post({ field: 'user_id_update', value: { user_id_update: [known] } })
    expect(await phoneOf(into.contactId)).toBe(theirs)
    expect(await answered(into.id)).toBe(theirs)
    expect(await answered(from.id)).toBe(third)
    await post(written({ from: third.slice(1), text: 'from the third' }))
    expect(await said(from.id)).toContain('from the third')
  },
)

systemTest(
  'A number that a member enters for the merged contact replaces theirs only once it writes',
  async () => {
    const { writes, make, merge, edit, said, answered, post } = await talks()
    const [before, after] = [newPhone(), newPhone()]
    const from = await writes(before)
    const contactId = await make({ name: 'Sara' })
    await merge(contactId, from.contactId)
    await edit(contactId, { phone: after })
    expect(await answered(from.id)).toBe(before)
    await post(written({ from: after.slice(1), text: 'from the new one' }))
    expect(await said(from.id)).toContain('from the new one')
    expect(await answered(from.id)).toBe(after)
  },
)

systemTest('After a merge of three contacts, each conversation keeps its own number', async () => {
  const { writes, make, merge, answered, post } = await talks()
  const [theirs, others, thirds, after] = [newPhone(), newPhone(), newPhone(), newPhone()]
  const [into, from, third] = [await writes(theirs), await writes(others), await writes(thirds)]
  const made = await make({ name: 'Sara' })
  await merge(made, third.contactId)
  await merge(from.contactId, made)
  await merge(into.contactId, from.contactId)
  await post(changedNumber(thirds, after))
  expect(await answered(into.id)).toBe(theirs)
  expect(await answered(from.id)).toBe(others)
  expect(await answered(third.id)).toBe(after)
})

systemTest(
  'A template goes to the number of its conversation, and its run waits there for the answer',
  async () => {
    const { shop, writes, make, merge, reached, startsByHand, sentTo } = await talks()
    const [theirs, others] = [newPhone(), newPhone()]
    const contactId = await make({ name: 'Sara', phone: theirs })
    const from = await writes(others)
    await merge(contactId, from.contactId)
    await startsByHand(contactId)
    expect(await sentTo()).toBe(others)
    whatsApp.simulator.tapButton({ from: others })
    await whatsApp.settle()
    expect(shop.events('flow.completed')).toHaveLength(1)
    expect(await reached({ id: from.id })).toBe(others)
    expect(await reached({ contactId })).toBe(others)
    // The contact has a conversation with its own number from here on, so the template goes there.
    const own = await writes(theirs)
    expect(await reached({ contactId })).toBe(theirs)
    expect(await reached({ id: own.id })).toBe(theirs)
    expect(await reached({ id: from.id })).toBe(others)
  },
)

test('Two numbers that write together arrive in their own conversations', async () => {
  const { shop, writes, make, merge, said, talkOf, answered } = await talks()
  const [theirs, others] = [newPhone(), newPhone()]
  const from = await writes(others)
  await merge(await make({ name: 'Sara', phone: theirs }), from.contactId)
  const changes = [others, theirs].map((phone) =>
    written({ from: phone.slice(1), text: `from ${phone}` }),
  )
  await postChanges(world, shop, ...changes)
  await whatsApp.settle()
  const own = await talkOf(theirs)
  expect(await said(from.id)).toEqual([`from ${others}`, 'hello'])
  expect(await said(own.id)).toEqual([`from ${theirs}`])
  expect(await answered(own.id)).toBe(theirs)
})

test('Two numbers that write together do so also if the merged customer is known by an id alone', async () => {
  const { writes, writesHidden, make, merge, said, answered } = await talks()
  const theirs = newPhone()
  const hidden = await writesHidden('SA.7201')
  await merge(await make({ name: 'Sara', phone: theirs }), hidden.contactId)
  const own = await writes(theirs)
  expect(own.id).not.toBe(hidden.id)
  expect(await answered(own.id)).toBe(theirs)
  expect(await said(hidden.id)).toEqual(['hello'])
})

test("A merged customer's number stays theirs if the surviving one has only an id, on another channel", async () => {
  const { writes, writesHidden, merge, said, post, elsewhere } = await talks()
  const others = newPhone()
  const from = await writes(others)
  const into = await writesHidden('SA.7202')
  await elsewhere(into.id)
  await merge(into.contactId, from.contactId)
  await post(written({ userId: 'SA.7202', text: 'by the id' }))
  expect(await said(from.id)).toEqual(['hello'])
})

/** Returns the number that an action of this conversation sends to the shop's API. */
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

systemTest(
  'An action uses the number of its conversation, also after a customer changes theirs',
  async () => {
    const stays = await w.customer('966501239005')
    const goes = await w.customer('966501239006')
    await merge(stays.contactId, goes.contactId)
    const change = changedNumber('+966501239005', '+966501239007')
    await postChanges(w.world, w.shop, change)
    expect(await askedAbout(goes)).toBe('+966501239006')
    expect(await askedAbout(stays)).toBe('+966501239007')
  },
)

test('A number from a hook alone is unconfirmed until the customer writes from it', async () => {
  const typed = '966501239003'
  const asked = await postHook(w.shop.hookUrl, {
    ...ORDER,
    customer: { ...ORDER.customer, phone: `+${typed}` },
  })
  expect(asked.status).toBe('accepted')
  const talk = await w.customer('966501239004')
  const { id } = await contactWith(w.world, w.shop, `+${typed}`)
  const learnt = () => proofOfIdentifier(w.world, w.shop, typed)
  expect(await learnt()).toBe('hook')
  await merge(id, talk.contactId)
  expect(await askedAbout(talk)).toBe('+966501239004')
  await w.customer(typed)
  expect(await learnt()).toBe('shown')
  expect(await askedAbout(talk)).toBe('+966501239004')
})
