/** Customers of the simulator change number and id, as the service sees it. Contacts › Who a customer is. */
import { beforeEach, describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { postHook, ORDER } from '../../test/support/post-hook.ts'
import { signedIn } from '../../test/support/dashboard.ts'
import { openWhatsApp } from '../../test/support/open-world.ts'
import { contactsOf } from '../../test/support/records/contacts.ts'
import { conversationsOf } from '../../test/support/records/conversations.ts'
import { newPhone } from '../../test/support/simulator.ts'
import { startSimulated } from './simulated.ts'
import { systemTest } from '../../test/support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const { simulator } = whatsApp
let shop: Awaited<ReturnType<typeof whatsApp.openShop>>
let phone: string
let bsuid: string
beforeEach(async () => {
  shop = await whatsApp.openShop()
  phone = newPhone()
  ;({ bsuid } = simulator.addPerson({ number: phone, name: 'Sara' }))
})

async function writes(number: string, text = 'Hello'): Promise<void> {
  world.clock.advance(MINUTE_MS)
  simulator.sendText({ from: number, phoneNumberId: shop.phoneNumberId, text })
  await whatsApp.settle()
}
async function change(act: () => string): Promise<string> {
  world.clock.advance(MINUTE_MS)
  const result = act()
  await whatsApp.settle()
  return result
}
const contacts = async () =>
  (await contactsOf(world, shop)).map(({ phone: number, whatsappId, optedOutAt }) => ({
    phone: number,
    whatsappId,
    isOut: optedOutAt !== null,
  }))
const conversations = async () => (await conversationsOf(world, shop)).length
const order = async (number: string) =>
  (await postHook(shop.hookUrl, { ...ORDER, customer: { ...ORDER.customer, phone: number } })).http
const idAt = (number: string) => simulator.addPerson({ number }).bsuid

describe('A customer of the simulator', () => {
  systemTest('who changes to a number that is shared is the same contact with it', async () => {
    await writes(phone, 'STOP')
    const number = await change(() => simulator.changeNumber({ from: phone, isShared: true }))
    const changed = { phone: `+${number}`, whatsappId: idAt(number), isOut: true }
    expect(await contacts()).toEqual([changed])
    expect(changed.whatsappId).not.toBe(bsuid)
    await writes(number)
    expect(await contacts()).toEqual([changed])
    expect(await conversations()).toBe(1)
    expect(await order(phone)).toBe(409)
  })

  systemTest('stays the same contact by the new id when the new number is not shared', async () => {
    await writes(phone, 'STOP')
    const number = await change(() => simulator.changeNumber({ from: phone, isShared: false }))
    const changed = { phone: null, whatsappId: idAt(number), isOut: true }
    expect(await contacts()).toEqual([changed])
    await writes(number)
    expect(await contacts()).toEqual([changed])
    expect(await conversations()).toBe(1)
    expect(await order(phone)).toBe(409)
  })

  systemTest('who goes back to an earlier number has neither of the earlier ids', async () => {
    await writes(phone)
    const number = await change(() => simulator.changeNumber({ from: phone, isShared: true }))
    const between = idAt(number)
    await change(() => simulator.changeNumber({ from: number, to: phone, isShared: true }))
    expect([bsuid, between]).not.toContain(idAt(phone))
    expect(await contacts()).toEqual([{ phone, whatsappId: idAt(phone), isOut: false }])
  })

  test('stays a separate contact when another person gets their number, who is opted out too', async () => {
    await writes(phone, 'STOP')
    await change(() => simulator.giveNumberAway({ from: phone, name: 'Omar' }))
    await writes(phone)
    expect(await contacts()).toEqual([
      { phone: null, whatsappId: bsuid, isOut: true },
      { phone, whatsappId: idAt(phone), isOut: true },
    ])
    expect(await conversations()).toBe(2)
    await writes(phone, 'START')
    expect((await contacts()).map(({ isOut }) => isOut)).toEqual([true, false])
  })

  systemTest('is the same contact after the business has moved to another portfolio', async () => {
    await writes(phone, 'STOP')
    const { phoneNumberId } = shop
    const businessAccountId = await change(() => simulator.changePortfolio({ phoneNumberId }))
    const owner = await signedIn(world, { accountId: shop.accountId })
    const channel = `/companies/${shop.companyId}/channels/${shop.channelId}`
    const moved = await owner.ask('PATCH', channel, { credentials: { businessAccountId } })
    expect(moved.status).toBe(200)
    await writes(phone)
    const [contact, ...others] = await contacts()
    expect(others).toEqual([])
    expect(contact).toMatchObject({ phone, isOut: true })
    expect(contact!.whatsappId).not.toBe(bsuid)
    // Sending continues, with the templates of the account.
    await writes(phone, 'START')
    expect(await order(phone)).toBe(202)
    await whatsApp.settle()
    expect(whatsApp.sentTo(phone)).toMatchObject([{ status: 'delivered' }])
  })

  test('who hides the number is known by the id that receipts have named', async () => {
    expect(await order(phone)).toBe(202)
    await whatsApp.settle()
    simulator.hideNumber({ from: phone, isHidden: true })
    await writes(phone)
    expect(await contacts()).toEqual([{ phone, whatsappId: bsuid, isOut: false }])
    expect(await conversations()).toBe(1)
  })
})

const NUMBER = '447700900123'

test.each([
  { isShared: true, type: 'user_changed_number' },
  { isShared: false, type: 'user_changed_user_id' },
])('$type names the ids before and after, and comes without contacts', async (form) => {
  const { isShared, type } = form
  const simulated = await startSimulated()
  const parentBsuid = 'GB.ENT.11815799212886844830'
  const before = simulated.simulator.addPerson({ number: NUMBER, name: 'Sara', parentBsuid })
  simulated.simulator.sendText({ from: NUMBER, text: 'Hello' })
  const number = simulated.simulator.changeNumber({ from: NUMBER, isShared })
  await simulated.simulator.idle()
  const after = simulated.simulator.addPerson({ number })
  const value = simulated.receiver.received.at(-1)!.json.entry[0]!.changes[0]!.value
  expect(value).not.toHaveProperty('contacts')
  const [was, is] = isShared ? [NUMBER, number] : [before.bsuid, after.bsuid]
  expect(value.messages).toEqual([
    {
      ...(isShared && { from: NUMBER }),
      id: expect.stringMatching(/^wamid\./),
      timestamp: expect.stringMatching(/^\d{10}$/),
      type: 'system',
      system: {
        body: `User Sara changed from ${was} to ${is}`,
        type,
        ...(isShared && { wa_id: number }),
        user_id: after.bsuid,
        parent_user_id: after.parentBsuid,
        previous_user_id: before.bsuid,
        previous_parent_user_id: before.parentBsuid,
      },
    },
  ])
})
