/** Numbers that members enter, with the country they choose for them. */
import { describe, expect, test } from 'vitest'
import type { ContactView } from '../../src/contract/dashboard/contact.ts'
import type { PhoneCountry, PhoneReading } from '../../src/contract/dashboard/phone.ts'
import { signedIn } from '../support/dashboard.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { newPhone } from '../support/simulator.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
const at = `/companies/${shop.companyId}`

async function make(input: object): Promise<ContactView> {
  const made = await agent.ask<ContactView>('POST', `${at}/contacts`, input)
  expect(made.status).toBe(201)
  return made.body
}
const edit = (id: string, input: object) =>
  agent.ask<ContactView>('PATCH', `${at}/contacts/${id}`, input)
const show = async (id: string) =>
  (await agent.ask<ContactView>('GET', `${at}/contacts/${id}`)).body

describe('The country of a number that a member enters', () => {
  const RAW = { phone: null, rawPhone: '0501112277' }

  test('is unknown without a choice: the number is stored as written, matches no contact and is in no event', async () => {
    const [one, other] = [
      await make({ name: 'One', phone: '(07) 700 900' }),
      await make({ name: 'Other', phone: '(07) 700 900' }),
    ]
    expect(one).toMatchObject({ phone: null, rawPhone: '(07) 700 900' })
    expect(other.id).not.toBe(one.id)
    await whatsApp.settle()
    expect(JSON.stringify(shop.events('contact.created'))).not.toContain('700 900')
  })
  test('is never guessed, even if all numbers of the company have one country', async () => {
    const saudi = await make({ name: 'Saudi', phone: '+966501112277' })
    const emirati = await make({ name: 'Emirati', phone: '0501112277', email: 'ali@example.ae' })
    expect(emirati).toMatchObject(RAW)
    expect((await edit(emirati.id, { phone: '050 111 2277' })).body).toMatchObject({ phone: null })
    expect(await show(saudi.id)).toEqual(saudi)
  })

  test('is the chosen one, for a new contact and in an edit', async () => {
    const made = await make({ name: 'Emirati', phone: '0501112277', country: 'AE' })
    expect(made).toMatchObject({ phone: '+971501112277', rawPhone: null })
    const other = await make({ name: 'Kuwaiti', phone: '50001277' })
    expect(other).toMatchObject({ phone: null, rawPhone: '50001277' })
    const edited = await edit(other.id, { phone: '50001277', country: 'KW' })
    expect(edited.body).toMatchObject({ phone: '+96550001277', rawPhone: null })
  })

  test('is ignored if the number has its country code, and is not stored', async () => {
    const phone = newPhone()
    const made = await make({ phone, country: 'AE' })
    expect(made.phone).toBe(phone)
    expect((await edit(made.id, { country: 'KW', name: 'Sara' })).body.phone).toBe(phone)
  })

  test('is refused with its field named if it is not a country code', async () => {
    for (const country of ['XX', 'sa', 'KSA', '', 966]) {
      const body = { name: 'Sara', phone: '0501112277', country }
      const refused = await agent.ask('POST', `${at}/contacts`, body)
      expect([country, refused.status]).toEqual([country, 422])
      expect(refused.body).toMatchObject({ code: 'invalid', errors: [{ field: 'country' }] })
    }
  })

  test('is suggested if all numbers of the company have one country', async () => {
    const { body } = await agent.ask<PhoneCountry>('GET', `${at}/phone-country`)
    expect(body).toEqual({ country: 'SA' })
  })

  test('shows its effect on the number before the contact is saved', async () => {
    const reading = async (input: object) =>
      (await agent.ask<PhoneReading>('POST', `${at}/phone-readings`, input)).body.phone
    expect(await reading({ phone: '0501112277', country: 'AE' })).toBe('+971501112277')
    expect(await reading({ phone: '0501112277', country: null })).toBeNull()
    expect(await reading({ phone: '+966501112277' })).toBe('+966501112277')
  })
})
