/** To which of a customer's numbers what is said goes. Spec: Contacts › Phones. */
import { expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { inboxOf, reply } from '../support/inbox.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)
const owner = await inbox.member('owner')

const contactPath = (id: string) => `/companies/${shop.companyId}/contacts/${id}`
/** Where a reply goes, and what becomes of it. */
async function replied(talk: Parameters<typeof reply>[1] & { messages: () => Promise<object[]> }) {
  const before = whatsApp.simulator.messages().length
  await reply(owner, talk, 'Here you are')
  await whatsApp.settle()
  const sent = whatsApp.simulator.messages().slice(before)
  return [sent.map(({ to }) => `+${to}`), (await talk.messages())[0]]
}

test('a reply goes to the number that the customer writes from, whatever a member has written down since', async () => {
  const [from, other] = [newPhone(), newPhone()]
  const talk = await inbox.talk(from)
  const { contact } = await talk.seen()
  expect((await owner.ask('PATCH', contactPath(contact!.id), { phone: other })).status).toBe(200)
  await talk.writes('And now?')
  expect(await replied(talk)).toMatchObject([[from], { status: 'delivered' }])
  // A template needs no window: it goes to the number that the contact has.
  const values = ['1', '2'].map((name) => ({ name, text: 'Sara' }))
  const template = { name: 'order_ready', body: values }
  await owner.ask('POST', `${talk.path}/messages`, { key: 'template', template })
  await whatsApp.settle()
  expect(whatsApp.simulator.messages().at(-1)!.to).toBe(other.slice(1))
  // Once they write from it, it is theirs as any.
  const { phoneNumberId } = shop
  whatsApp.simulator.sendText({ from: other, phoneNumberId, text: 'From here' })
  await whatsApp.settle()
  expect(await replied(talk)).toMatchObject([[other], { status: 'delivered' }])
})

systemTest(
  'a reply to whoever has become part of a contact that never wrote goes to the number that wrote',
  async () => {
    const [from, other] = [newPhone(), newPhone()]
    const talk = await inbox.talk(from)
    const { contact } = await talk.seen()
    const made = { name: 'Sara', phone: other }
    const { body } = await owner.ask<ContactView>('POST', contactPath('').slice(0, -1), made)
    await owner.ask('POST', `${contactPath(body.id)}/merge`, { fromId: contact!.id })
    expect(await replied(talk)).toMatchObject([[from], { status: 'delivered' }])
  },
)
