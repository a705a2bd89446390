/** Contacts as members make, change and read them. */
import { describe, expect, test } from 'vitest'
import type { AuditView } from '../../src/contract/dashboard/account.ts'
import type {
  ContactFieldView,
  ContactView,
  ListedContact,
  OptOutView,
  TimelineEntry,
} from '../../src/contract/dashboard/contact.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { addConversation } from '../support/records/conversations.ts'
import { holdLock } from '../support/records/locks.ts'
import { changeNumber, proveIdentifiers } from '../support/records/identifiers.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { refusalsOf, signedIn, itemsOf, auditOf } from '../support/dashboard.ts'
import { newPhone } from '../support/simulator.ts'
import { customerWrites } from '../support/whatsapp-webhook.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const owner = await signedIn(world, { accountId: shop.accountId })
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
/** Returns the types of the events about a contact, oldest first. */
async function raised(contactId: string) {
  await whatsApp.settle()
  return shop
    .events()
    .filter(({ data }) => (data.contact as { id: string } | null)?.id === contactId)
    .map(({ type }) => type)
    .toSorted()
}
const writeFrom = (phone: string, text = 'hello') =>
  customerWrites(world, shop, { from: phone, text })
const contactOf = async (phone: string) =>
  (await itemsOf<ListedContact>(agent, `${at}/contacts?q=${encodeURIComponent(phone)}`))[0]!

describe('A contact that a member makes', () => {
  test('has the values that they enter, and raises contact.created', async () => {
    const phone = newPhone()
    const made = await make({
      name: ' سارة ',
      phone: `00${phone.slice(1)}`,
      email: 'sara@example.com',
      language: 'ar',
      tags: ['vip', 'VIP', 'new'],
    })
    expect(made).toMatchObject({
      name: 'سارة',
      phone,
      rawPhone: null,
      tags: ['vip', 'new'],
      source: 'member',
    })
    expect(await raised(made.id)).toEqual(['contact.created'])
    expect(await show(made.id)).toEqual(made)
  })

  test('is the contact of the customer who writes from its number later', async () => {
    const phone = newPhone()
    const made = await make({ phone })
    await writeFrom(phone)
    expect(await raised(made.id)).toEqual([
      'contact.created',
      'contact.updated',
      'conversation.started',
      'message.received',
    ])
    expect(await show(made.id)).toMatchObject({ name: 'Sara' })
  })

  test('is listed with its channels and the time of its last message', async () => {
    const phone = newPhone()
    await make({ phone })
    expect(await contactOf(phone)).toMatchObject({ channels: [], lastSeenAt: null })
    await writeFrom(phone)
    const { channels, lastSeenAt } = await contactOf(phone)
    expect(channels).toEqual(['whatsapp'])
    expect(new Date(lastSeenAt!).getTime()).toBeLessThanOrEqual(world.clock.now().getTime())
  })

  test('needs a name, a phone or an e-mail address', async () => {
    const nobody = await agent.ask('POST', `${at}/contacts`, { tags: ['vip'] })
    expect([nobody.status, nobody.body.code]).toEqual([422, 'invalid'])
  })

  test('is made once by concurrent requests with one number, and the other request is refused', async () => {
    const phone = newPhone()
    await using gate = await holdLock(world, { companyId: shop.companyId, phone })
    const both = [phone, phone].map((same) => agent.ask('POST', `${at}/contacts`, { phone: same }))
    await gate.blocks('both wait', 2)
    await gate.release()
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([201, 409])
  })

  test('was last seen at its latest message in any conversation, and its history has only its own', async () => {
    const { id } = await make({ name: 'Huda Seen' })
    const other = await make({ name: 'Omar' })
    const ago = (ms: number) => new Date(world.clock.now().getTime() - ms)
    const talk = (talkId: string, contactId: string, lastCustomerAt: Date) =>
      addConversation(world, shop, { id: talkId, contactId, lastCustomerAt })
    await talk('c_early', id, ago(2 * HOUR_MS))
    await talk('c_late', id, ago(HOUR_MS))
    await talk('c_other', other.id, ago(0))
    const seen = { id, lastSeenAt: ago(HOUR_MS).toISOString() }
    expect(await contactOf('Huda Seen')).toMatchObject(seen)
    const path = `${at}/contacts/${id}/timeline`
    const { items } = (await owner.ask<Page<TimelineEntry>>('GET', path)).body
    const talks = items.filter(({ kind }) => kind === 'conversation')
    expect(talks.map((entry) => entry.id)).toEqual(['c_late', 'c_early'])
  })
})

describe('A change that a member makes', () => {
  test('is refused as a whole if it adds more tags than a contact may have', async () => {
    const made = await make({ name: 'Sara', tags: Array.from({ length: 50 }, (_, n) => `t${n}`) })
    const refused = await agent.ask('PATCH', `${at}/contacts/${made.id}`, {
      name: 'Omar',
      addTags: ['x'],
    })
    expect(refused.body).toMatchObject({ code: 'invalid', errors: [{ field: 'addTags' }] })
    expect(await show(made.id)).toMatchObject({ name: 'Sara' })
  })

  test('to another number ends the match of the old one, which was only typed', async () => {
    const [wrong, right] = [newPhone(), newPhone()]
    const made = await make({ phone: wrong })
    expect((await edit(made.id, { phone: right })).body.phone).toBe(right)
    await writeFrom(wrong)
    expect((await contactOf(wrong)).id).not.toBe(made.id)
    await writeFrom(right)
    expect((await contactOf(right)).id).toBe(made.id)
  })

  test('to two numbers by concurrent requests leaves only the last number matching', async () => {
    const [phone, first, second] = [newPhone(), newPhone(), newPhone()]
    const { id } = await make({ phone })
    await using gate = await holdLock(world, { companyId: shop.companyId, phone })
    const both = [edit(id, { phone: first })]
    await gate.blocks('the first to wait')
    both.push(edit(id, { phone: second }))
    await gate.blocks('the second to wait', 2)
    await gate.release()
    expect((await Promise.all(both)).map(({ status }) => status)).toEqual([200, 200])
    const { phone: stays } = await show(id)
    expect([first, second]).toContain(stays)
    await make({ phone: stays === first ? second : first })
  })

  test('to the current number undoes a concurrent change, and the other number stays free', async () => {
    const [phone, other] = [newPhone(), newPhone()]
    const { id } = await make({ phone })
    await using first = await holdLock(world, { companyId: shop.companyId, phone })
    await changeNumber(first.inside, id, other)
    const edited = edit(id, { name: 'Sara', phone })
    await first.blocks('the change to wait')
    await first.release()
    expect((await edited).status).toBe(200)
    expect(await show(id)).toMatchObject({ name: 'Sara', phone })
    await make({ phone: other })
  })

  test.each([
    ['a provider has shown', ({ phone }: ContactView) => writeFrom(phone!)],
    ['a provider has confirmed', ({ id }: ContactView) => proveIdentifiers(world, id, 'shown')],
    ['a conversation uses', ({ phone }: ContactView) => shop.order(phone!)],
  ])('to another number keeps the old one matching, which %s', async (_, begin) => {
    const made = await make({ phone: newPhone() })
    await begin(made)
    await whatsApp.settle()
    const after = newPhone()
    expect((await edit(made.id, { phone: after })).body.phone).toBe(after)
    await writeFrom(made.phone!)
    expect((await contactOf(made.phone!)).id).toBe(made.id)
  })

  test('to the number of another contact is refused', async () => {
    const phone = newPhone()
    const { id: contactId } = await make({ phone })
    const made = await make({ name: 'Omar' })
    const refused = { status: 409, body: { reason: 'contact_has_number', params: { contactId } } }
    expect(await edit(made.id, { phone })).toMatchObject(refused)
    expect(await agent.ask('POST', `${at}/contacts`, { phone })).toMatchObject(refused)
    expect(await show(made.id)).toMatchObject({ phone: null })
  })
})

describe('Opting out by a member', () => {
  systemTest(
    "raises one event, ends the customer's runs, and is recorded with its author and time",
    async () => {
      const phone = newPhone()
      const runId = await shop.runFor(phone)
      const { id } = await contactOf(phone)
      for (let time = 0; time < 2; time += 1) {
        const out = await agent.ask<ContactView>('POST', `${at}/contacts/${id}/opt-out`)
        expect(out.body.optedOut).toBe(true)
      }
      const told = (await raised(id)).filter((type) => /opted|completed/.test(type))
      expect(told).toEqual(['contact.opted_out', 'flow.completed'])
      const run = await owner.ask<{ endReason: string }>('GET', `${at}/runs/${runId}`)
      expect(run.body.endReason).toBe('customer_exited')
      const history = await itemsOf<OptOutView>(agent, `${at}/contacts/${id}/opt-outs`)
      expect(history).toMatchObject([
        { optedOut: true, how: 'member', person: { id: agent.personId }, reason: null },
      ])
    },
  )

  test('can be undone with a reason, which is stored and audited', async () => {
    const made = await make({ name: 'Sara' })
    await agent.ask('POST', `${at}/contacts/${made.id}/opt-out`)
    world.clock.advance(MINUTE_MS)
    const without = await agent.ask('POST', `${at}/contacts/${made.id}/opt-in`, {})
    expect([without.status, without.body.code]).toEqual([422, 'invalid'])
    const reason = 'asked at the till'
    await agent.ask('POST', `${at}/contacts/${made.id}/opt-in`, { reason })
    expect(await show(made.id)).toMatchObject({ optedOut: false, optedOutAt: null })
    const told = ['contact.created', 'contact.opted_out', 'contact.updated']
    expect(await raised(made.id)).toEqual(told)
    const audit = await auditOf(owner, shop)
    expect(audit.slice(0, 2)).toMatchObject([
      { action: 'contact.opted_in', subjectId: made.id, detail: { reason } },
      { action: 'contact.opted_out', subjectId: made.id },
    ])
  })

  test("is in one history with the customer's own messages, newest first", async () => {
    const phone = newPhone()
    await writeFrom(phone)
    world.clock.advance(MINUTE_MS)
    await writeFrom(phone, 'STOP')
    world.clock.advance(MINUTE_MS)
    await writeFrom(phone, 'START')
    const { id } = await contactOf(phone)
    const history = await itemsOf<OptOutView>(agent, `${at}/contacts/${id}/opt-outs`)
    const expected = [
      ['start', false],
      ['stop', true],
    ]
    expect(history.map(({ how, optedOut }) => [how, optedOut])).toEqual(expected)
    expect(history[0]!.conversationId).toMatch(/^c_/)
    const timeline = async (query: string) =>
      (await agent.ask<Page<TimelineEntry>>('GET', `${at}/contacts/${id}/timeline?${query}`)).body
    const first = await timeline('limit=3')
    const rest = await timeline(`cursor=${first.nextCursor}`)
    const kinds = [...first.items, ...rest.items].map(({ kind }) => kind)
    expect(kinds.slice(0, 2)).toEqual(['opted_in', 'opted_out'])
    expect(kinds.toSorted()).toEqual(['conversation', 'created', 'opted_in', 'opted_out'])
  })
})

test.each(['2026-13-01T00:00:00.000Z x', '0000-01-01T00:00:00.000Z x', 'x'])(
  'A cursor of the history that the service did not issue is refused: %s',
  async (place) => {
    const { id } = await make({ name: 'Sara' })
    const path = `${at}/contacts/${id}/timeline?cursor=${btoa(place)}`
    expect((await agent.ask('GET', path)).status).toBe(422)
  },
)

describe('Custom fields', () => {
  const makeField = (input: object) =>
    owner.ask<ContactFieldView>('POST', `${at}/contact-fields`, input)

  test('hold values of their kind, under the company’s keys', async () => {
    await makeField({ key: 'shoe_size', label: 'Shoe size', kind: 'number' })
    await makeField({ key: 'tier', label: 'Tier', kind: 'choice', choices: ['Gold', 'Silver'] })
    const made = await make({ name: 'Sara', fields: { shoe_size: '٤٢', tier: 'gold' } })
    expect(made.fields).toEqual({ shoe_size: '42', tier: 'Gold' })
    const refused = await agent.ask('PATCH', `${at}/contacts/${made.id}`, {
      fields: { shoe_size: 'big', nothing: 'x' },
    })
    expect(refused.body.errors?.map(({ field, code }) => [field, code])).toEqual([
      ['fields.shoe_size', 'field_not_number'],
      ['fields.nothing', 'unknown_contact_field'],
    ])
    await edit(made.id, { fields: { shoe_size: null } })
    expect((await show(made.id)).fields).toEqual({ tier: 'Gold' })
  })

  test('are hidden and raise nothing while archived, and come back with their values', async () => {
    const field = await makeField({ key: 'city', label: 'City', kind: 'text' })
    await makeField({ key: 'floor', label: 'Floor', kind: 'text' })
    const made = await make({ name: 'Sara', fields: { city: 'Jeddah', floor: '2' } })
    const archive = (isArchived: boolean) =>
      owner.ask('PATCH', `${at}/contact-fields/${field.body.id}`, { isArchived })
    await archive(true)
    expect((await show(made.id)).fields).toEqual({ floor: '2' })
    await edit(made.id, { addTags: ['x'] })
    expect(await raised(made.id)).toEqual(['contact.created', 'contact.updated'])
    const told = shop.events('contact.updated').map(({ data }) => data.contact as ContactView)
    expect(told.find(({ id }) => id === made.id)?.fields).toEqual({ floor: '2' })
    await archive(false)
    expect((await show(made.id)).fields).toEqual({ city: 'Jeddah', floor: '2' })
  })

  test('have keys of small letters, digits and _, each used once', async () => {
    const taken = await makeField({ key: 'city', label: 'City', kind: 'text' })
    expect(taken.status).toBe(422)
    for (const key of ['City', '1st', '_x', 'a-b', 'x'.repeat(41)]) {
      expect([key, (await makeField({ key, label: 'x', kind: 'text' })).status]).toEqual([key, 422])
    }
  })

  test('need at least one choice if their kind is choice, and have none otherwise', async () => {
    const choose = (id: string, choices: string[]) =>
      owner.ask('PATCH', `${at}/contact-fields/${id}`, { choices })
    const city = { key: 'branch', label: 'Branch', kind: 'choice', choices: ['Jeddah'] }
    const { id } = (await makeField(city)).body
    expect((await choose(id, [])).body.errors).toMatchObject([{ code: 'choices_needed' }])
    expect((await choose(id, ['Riyadh'])).body).toMatchObject({ choices: ['Riyadh'] })
    await choose(id, ['Riyadh,Dammam'])
    expect((await choose(id, ['Riyadh', 'Dammam'])).body).toMatchObject({
      choices: ['Riyadh', 'Dammam'],
    })
    const text = (await makeField({ key: 'notes', label: 'Notes', kind: 'text' })).body
    const refused = (await choose(text.id, ['Riyadh'])).body
    expect(refused.errors).toMatchObject([{ code: 'choices_not_wanted' }])
  })

  test('take no values while archived, and saving one unchanged is not audited', async () => {
    const field = await makeField({ key: 'district', label: 'District', kind: 'text' })
    const path = `${at}/contact-fields/${field.body.id}`
    const edited = async () => {
      const asked = `/audit?action=contact_field.edited&companyId=${shop.companyId}`
      const { items } = (await owner.ask<Page<AuditView>>('GET', asked)).body
      return items.filter(({ subjectId }) => subjectId === field.body.id).length
    }
    expect((await owner.ask('PATCH', path, { label: 'District' })).status).toBe(200)
    expect(await edited()).toBe(0)
    await owner.ask('PATCH', path, { isArchived: true })
    expect(await edited()).toBe(1)
    const refused = await agent.ask('POST', `${at}/contacts`, {
      name: 'Sara',
      fields: { district: 'North' },
    })
    expect(refusalsOf(refused)).toEqual(['fields.district: unknown_contact_field'])
  })

  test('are set up by Owners and Admins, and Agents can see them', async () => {
    const field = { key: 'agents', label: 'x', kind: 'text' }
    expect((await agent.ask('POST', `${at}/contact-fields`, field)).status).toBe(403)
    expect((await agent.ask('GET', `${at}/contact-fields`)).status).toBe(200)
  })
})
