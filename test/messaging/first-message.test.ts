/**
 * `conversation.started` fires when the customer first writes, whoever began.
 * Spec: Events › Types.
 */
import { beforeEach, expect, test } from 'vitest'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone, type ConnectedShop } from '../support/simulator.ts'
import {
  echoed,
  newWamid,
  postWebhook,
  webhookOf,
  written,
  type Change,
} from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

let shop: ConnectedShop
let phone: string
const { world, whatsApp } = await openWhatsApp()
beforeEach(async () => {
  shop = await whatsApp.openShop()
  phone = newPhone()
})

async function post(...changes: Change[]) {
  expect(await postWebhook(world, webhookOf(shop, changes))).toBe(200)
  await whatsApp.settle()
}
/** An echo names nobody, so the first message tells the name as well. */
const types = () =>
  shop
    .events()
    .map(({ type }) => type)
    .filter((type) => type !== 'contact.updated')
const customerWrites = () => post(written({ from: phone.slice(1) }))
const ownerWrites = () => post(echoed({ to: phone.slice(1) }))
const history = (...from: ('customer' | 'owner')[]): Change => ({
  field: 'history',
  value: {
    history: [
      {
        threads: [
          {
            id: phone.slice(1),
            messages: from.map((who, index) => ({
              id: newWamid(),
              ...(who === 'customer'
                ? { from: phone.slice(1) }
                : { from: '15550783881', to: phone.slice(1) }),
              timestamp: String(1_760_000_000 + index),
              type: 'text',
              text: { body: 'hello' },
            })),
          },
        ],
      },
    ],
  },
})
const FIRST = ['conversation.started', 'message.received']

test('where the owner began, at the customer’s first message, once', async () => {
  await ownerWrites()
  await ownerWrites()
  expect(types()).toEqual(['contact.created'])
  await customerWrites()
  expect(types().toSorted()).toEqual(['contact.created', ...FIRST])
  await ownerWrites()
  await customerWrites()
  expect(types().filter((type) => type === 'conversation.started')).toHaveLength(1)
  const [started] = shop.events('conversation.started')
  const [received] = shop.events('message.received')
  expect(started!.data).toEqual({
    conversation: received!.data.conversation,
    contact: received!.data.contact,
  })
})

systemTest('two first messages at one moment raise it once', async () => {
  await ownerWrites()
  await Promise.all([customerWrites(), customerWrites(), customerWrites()])
  await whatsApp.settle()
  expect(types().filter((type) => type === 'conversation.started')).toHaveLength(1)
  expect(types().filter((type) => type === 'message.received')).toHaveLength(3)
})

test('not where a hook began: that has told of it', async () => {
  await shop.order(phone)
  await customerWrites()
  expect(types().filter((type) => type === 'conversation.started')).toHaveLength(1)
})

test('a hook after the owner began finds a conversation; the customer’s first message tells', async () => {
  await ownerWrites()
  await shop.order(phone)
  await whatsApp.settle()
  expect(types()).toEqual(['contact.created'])
  await customerWrites()
  expect(types().slice(1).toSorted()).toEqual(FIRST)
})

test('not after a history in which the customer wrote: the conversation existed', async () => {
  await post(history('owner', 'customer'))
  await customerWrites()
  expect(types().toSorted()).toEqual(['contact.created', 'message.received'])
})

test('not where such a history comes after the owner’s reply', async () => {
  await ownerWrites()
  await post(history('customer'))
  await customerWrites()
  expect(types().toSorted()).toEqual(['contact.created', 'message.received'])
})

test('but after a history in which only the owner wrote', async () => {
  await post(history('owner', 'owner'))
  expect(types()).toEqual(['contact.created'])
  await customerWrites()
  expect(types().slice(1).toSorted()).toEqual(FIRST)
})
