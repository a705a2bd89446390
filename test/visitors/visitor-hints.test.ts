/** Whom a visitor of the website's chat may be: a hint for staff. Contacts › Who a customer is. */
import { expect, test } from 'vitest'
import type { ConversationDetail } from '../../src/contract/dashboard/conversation.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { bookableShop } from '../support/bookable.ts'
import { openWorld } from '../support/open-world.ts'
import { addAppointment, putAppointment } from '../support/records/appointments.ts'
import { contactsOf } from '../support/records/contacts.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { createWebsite, openWidget } from '../support/visitors.ts'

const world = await openWorld()
const website = await createWebsite(world, 'web_widget')
const visitor = () => openWidget(world.url, website.key)
const conversations = () => conversationsOf(world, { channelId: website.channelId })

test('Staff is shown which contacts have the addresses and numbers that a visitor gave; it makes them nobody', async () => {
  const at = `/companies/${website.shop.companyId}`
  const add = async (input: object) =>
    (await website.owner.ask<{ id: string }>('POST', `${at}/contacts`, input)).body.id
  const [hana, omar] = [
    await add({ name: 'Hana', email: 'Hana@x.example' }),
    await add({ name: 'Omar', phone: '+5531988888802' }),
  ]
  await add({ name: 'Somebody else', email: 'else@x.example', phone: '+966501110009' })
  const hintsOf = async (conversationId: string) =>
    (await website.owner.ask<ConversationDetail>('GET', `${at}/conversations/${conversationId}`))
      .body.hints
  const booker = await visitor()
  await booker.say('Hello', { name: 'H', email: 'hana@x.example' })
  const { id } = (await conversations()).at(-1)!
  const byEmail = { id: hana, name: 'Hana', by: 'email', value: 'hana@x.example' }
  expect(await hintsOf(id)).toEqual([byEmail])

  const shop = await bookableShop(world, website.shop.companyId)
  const booked = await addAppointment(world, {
    companyId: website.shop.companyId,
    serviceId: await shop.ownService(),
    resourceId: await shop.resource(),
    startsAt: new Date(world.clock.now().getTime() + DAY_MS),
  })
  await putAppointment(world, booked, { conversationId: id, phone: '+553188888802' })
  const byPhone = { id: omar, name: 'Omar', by: 'phone', value: '+553188888802' }
  await booker.say('It is +5531988888802')
  expect(await hintsOf(id)).toEqual([byPhone, byEmail])
  expect((await conversations()).at(-1)).toMatchObject({ id, contactId: null })

  const typing = await visitor()
  await typing.say('Order 1234, call +55 (31) 8888-8802 or 0501110009; mail Hana@X.example.')
  await typing.say('Not 966501110008')
  const typed = (await conversations()).at(-1)!.id
  const inText = [
    { ...byPhone, value: '+553188888802' },
    { ...byEmail, value: 'hana@x.example' },
  ]
  expect(await hintsOf(typed)).toEqual(inText)
  await typing.say('My number: ٩٦٦٥٠١١١٠٠٠٩ 2 times')
  expect((await hintsOf(typed)).map(({ value }) => value)).toEqual([
    '+553188888802',
    '+966501110009',
    'hana@x.example',
  ])
  expect((await conversations()).at(-1)).toMatchObject({ contactId: null, visitorEmail: null })

  await (await visitor()).say('Who am I?')
  expect(await hintsOf((await conversations()).at(-1)!.id)).toEqual([])
  expect(await contactsOf(world, website.shop)).toHaveLength(3)
})
