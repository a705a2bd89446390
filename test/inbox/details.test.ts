/**
 * Contents of cards, orders, forms and locations, which staff sees only here: a number of the platform has no
 * app.
 */
import { expect, test } from 'vitest'
import type { MessageView } from '../../src/contract/dashboard/conversation.ts'
import { conversationWith } from '../support/records/conversations.ts'
import { openWorld } from '../support/open-world.ts'
import { signedIn, itemsOf } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'
import { postWebhook, webhookOf, written } from '../support/whatsapp-webhook.ts'

const world = await openWorld()
const shop = await createShop(world)

const card = (name: string, ...phones: string[]) => {
  return { name: { formatted_name: name }, phones: phones.map((phone) => ({ phone })) }
}
const form = { flow_token: 'secret', size: '42', colours: ['red', 'blue'], gift: true, photo: [{}] }

const lying = (more: object = {}) => {
  return { type: 'location', location: { latitude: 24.7136, longitude: 46.6753, ...more } }
}

test.each([
  [
    'cards, each with its numbers',
    { type: 'contacts', contacts: [card('Omar', '+966 50 199 0002', '+966 11 200'), card('Lina')] },
    { type: 'contact', text: null, details: 'Omar, +966 50 199 0002, +966 11 200\nLina' },
  ],
  [
    'the lines of an order, and what was written beside it',
    {
      type: 'order',
      order: {
        catalog_id: '1',
        text: 'By Friday',
        product_items: [
          { product_retailer_id: 'dates-1kg', quantity: 2, item_price: 30.5, currency: 'SAR' },
          { product_retailer_id: 'box', quantity: '1', item_price: 25, currency: 'SAR' },
        ],
      },
    },
    { type: 'unknown', text: 'By Friday', details: '2 × dates-1kg, 30.5 SAR\n1 × box, 25 SAR' },
  ],
  [
    'the answers of a form',
    {
      type: 'interactive',
      interactive: {
        type: 'nfm_reply',
        nfm_reply: { name: 'flow', body: 'Sent', response_json: JSON.stringify(form) },
      },
    },
    { type: 'text', text: 'Sent', details: 'size: 42\ncolours: red, blue\ngift: true\nphoto: …' },
  ],
  [
    'where a location lies',
    lying(),
    { type: 'location', text: null, place: '24.7136, 46.6753', details: null },
  ],
  [
    'the name and address of a location',
    lying({ name: 'Kingdom Centre', address: 'Riyadh' }),
    { type: 'location', text: null, place: 'Kingdom Centre, Riyadh', details: null },
  ],
  ['nothing of a text', { type: 'text', text: { body: 'Hi' } }, { text: 'Hi', details: null }],
])('staff sees %s', async (what, content, shown) => {
  const from = `96650200${String(1_000 + what.length)}`
  expect(await postWebhook(world, webhookOf(shop, [written({ from, content })]))).toBe(200)
  const { id } = await conversationWith(world, shop, from)
  const owner = await signedIn(world, { accountId: shop.accountId })
  const at = `/companies/${shop.companyId}/conversations/${encodeURIComponent(id)}`
  const items = await itemsOf<MessageView>(owner, `${at}/timeline`)
  expect(items).toContainEqual(expect.objectContaining({ transcript: null, place: null, ...shown }))
})
