/**
 * The opt-out of contacts that turn out to be one customer follows the newest message of each. Contacts › Who a
 * customer is.
 */
import { beforeEach, expect, test } from 'vitest'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { customerWrites, type Written } from '../support/whatsapp-webhook.ts'

const { world, whatsApp } = await openWhatsApp()
let shop: Awaited<ReturnType<typeof whatsApp.openShop>>
let startMs: number
beforeEach(async () => {
  shop = await whatsApp.openShop()
  startMs = world.clock.now().getTime()
  world.clock.advance(HOUR_MS)
})

const N = '+966501110001'
const IDS: Record<string, Written> = {
  number: { from: N },
  id: { userId: 'SA.A1' },
  parent: { parentUserId: 'SA.ENT.1' },
  both: { from: N, userId: 'SA.A1' },
  all: { from: N, userId: 'SA.A1', parentUserId: 'SA.ENT.1' },
}

/**
 * Sends the messages of a script such as `number STOP 5`: the sender, the text, and the minute in the provider's time.
 */
async function says(words: string): Promise<void> {
  for (const word of words.split(', ')) {
    const [who, text, minute] = word.split(' ') as [string, string, string]
    const at = new Date(startMs + Number(minute) * MINUTE_MS)
    await customerWrites(world, shop, { ...IDS[who], text, at })
    await whatsApp.settle()
  }
}

const THREE = 'number hi 1, id STOP 5,'
test.each([
  ['out: START came between two STOPs', 'number STOP 5, id STOP 20, both hi 30', 'number START 10'],
  [
    'in: STOP came before START',
    'number hi 1, id STOP 5, id START 20, both hi 30',
    'number STOP 10',
  ],
  [
    'in: START was said before they were joined',
    'number STOP 5, id hi 6, both hi 30',
    'id START 25',
  ],
  ['out: START was said before the STOP', 'number STOP 15, id hi 6, both hi 30', 'id START 10'],
  [
    'in: of three START is newest',
    `${THREE} id START 30, parent STOP 20, all hi 40`,
    'number hi 41',
  ],
  [
    'out: of three STOP is newest',
    `${THREE} id START 20, parent STOP 30, all hi 40`,
    'number hi 41',
  ],
])(
  'Contacts that are joined are %s, also if an older message arrives late',
  async (title, words, late) => {
    await says(words)
    await says(late)
    const optedOutAt = title.startsWith('out') ? (expect.any(Date) as Date) : null
    expect(await contactsOf(world, shop)).toMatchObject([{ optedOutAt }])
  },
)

test('A START between the STOPs of two merged contacts changes nothing', async () => {
  const other = { from: '+966501110002', text: 'STOP', at: new Date(startMs + 20 * MINUTE_MS) }
  await says('number STOP 5')
  await customerWrites(world, shop, other)
  await whatsApp.settle()
  const [into, from] = await contactsOf(world, shop)
  const owner = await signedIn(world, { accountId: shop.accountId })
  const path = `/companies/${shop.companyId}/contacts/${into!.id}/merge`
  expect((await owner.ask('POST', path, { fromId: from!.id })).status).toBe(200)
  await says('number START 10')
  expect(await contactsOf(world, shop)).toMatchObject([{ optedOutAt: expect.any(Date) }])
})
