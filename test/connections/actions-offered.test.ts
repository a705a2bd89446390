/** Which actions the assistant may decide to use, and which it may not. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ACTION_LIMITS, CALL_LIMITS } from '../../src/limits/calls.ts'
import { DAY_MS } from '../../src/limits/units.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../src/vocabulary/channels.ts'
import { createShop } from '../support/shop.ts'
import { createActionWorld, ORDER, type ActionWorld, type Talk } from './action-world.ts'
import { systemTest } from '../support/system-tests.ts'

let w: ActionWorld
beforeAll(async () => {
  w = await createActionWorld()
})
afterAll(() => w.close())
beforeEach(() => w.clear())

const names = async (talk: Talk, replyId?: string) =>
  (await talk.offered(replyId)).map(({ name }) => name)

const aboutCustomer = { identity: 'phone', ownershipPath: 'order.phone' } as const

/** As if the conversation were held on another channel; the widget knows no contact. */
async function moveTo(talk: Talk, channelType: ChannelType): Promise<void> {
  await w.deps.db.kysely
    .updateTable('conversation')
    .set({ channelType, ...(channelType === 'web_widget' ? { contactId: null } : {}) })
    .where('id', '=', talk.conversationId)
    .execute()
}

const setConnection = (columns: { isOn: boolean }) =>
  w.deps.db.kysely
    .updateTable('apiConnection')
    .set(columns)
    .where('id', '=', w.connectionId)
    .execute()

describe('An action that the assistant is offered', () => {
  test('is known with an action_ prefix, by its description and its parameters', async () => {
    await w.make({
      toolName: 'order_status',
      parameters: [
        ORDER,
        { type: 'number', name: 'lines', description: 'How many', isRequired: false },
        { type: 'yes_no', name: 'urgent', description: 'Whether now', isRequired: false },
        {
          type: 'one_of',
          name: 'size',
          description: 'S or L',
          isRequired: true,
          values: ['S', 'L'],
        },
      ],
      request: {
        path: '/orders/{{args.order}}/{{args.lines}}/{{args.urgent}}/{{args.size}}',
      },
    })
    const talk = await w.customer()
    expect(await talk.offered()).toEqual([
      {
        name: 'action_order_status',
        description: 'Looks an order up.',
        parameters: {
          type: 'object',
          properties: {
            order: { type: 'string', maxLength: 500, description: 'The number of the order' },
            lines: { type: 'number', description: 'How many' },
            urgent: { type: 'boolean', description: 'Whether now' },
            size: { type: 'string', enum: ['S', 'L'], description: 'S or L' },
          },
          required: ['order', 'size'],
          additionalProperties: false,
        },
      },
    ])
  })

  test('with confirmation says that it only proposes; no tool confirms', async () => {
    await w.make({ toolName: 'cancel', needsConfirmation: true })
    const talk = await w.customer()
    const offered = await talk.offered()
    expect(offered.map(({ name }) => name)).toEqual(['action_cancel'])
    expect(offered[0]!.description).toContain('This only proposes')
  })

  test('is on, and so is its connection', async () => {
    const { id, name } = await w.make()
    await w.make({ isOn: false })
    const talk = await w.customer()
    expect(await names(talk)).toEqual([name])
    await setConnection({ isOn: false })
    expect(await names(talk)).toEqual([])
    await setConnection({ isOn: true })
    await w.owner.ask('PATCH', `${w.actions}/${id}`, { isOn: false })
    expect(await names(talk)).toEqual([])
  })

  test('is part of the Business plan', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    const setPlan = (plan: string) =>
      w.deps.db.kysely
        .updateTable('account')
        .set({ plan })
        .where('id', '=', w.shop.accountId)
        .execute()
    await setPlan('pro')
    expect(await names(talk)).toEqual([])
    await setPlan('business')
    expect(await names(talk)).toEqual([name])
  })

  test('is offered while the assistant answers, not while staff does', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    await w.deps.db.kysely
      .updateTable('conversation')
      .set({ handledBy: 'staff' })
      .where('id', '=', talk.conversationId)
      .execute()
    expect(await names(talk)).toEqual([])
    expect(await talk.use(name, { order: '7' })).toMatchObject({ kind: 'refused' })
    expect(w.api.requests).toHaveLength(0)
  })

  test.each(CHANNEL_TYPES.map((type) => [type, type === 'whatsapp' || type === 'whatsapp_qr']))(
    'about the customer: on %s %s',
    async (channelType, isOffered) => {
      const about = await w.make(aboutCustomer)
      const other = await w.make()
      const talk = await w.customer()
      await moveTo(talk, channelType)
      expect(await names(talk)).toEqual(isOffered ? [about.name, other.name] : [other.name])
      if (isOffered) return
      expect(await talk.use(about.name, { order: '7' })).toMatchObject({ kind: 'refused' })
      expect(w.api.requests).toHaveLength(0)
    },
  )

  test('about the customer is offered where the customer’s value is known', async () => {
    const about = await w.make({ ...aboutCustomer, identity: 'email' })
    const talk = await w.customer()
    expect(await names(talk)).toEqual([])
    await w.deps.db.kysely
      .updateTable('contact')
      .set({ email: 'sara@example.com' })
      .where('id', '=', talk.contactId)
      .execute()
    expect(await names(talk)).toEqual([about.name])
  })

  test.each(['enquiry', 'booking_page'])(
    'about the customer knows no e-mail that only a form has told (%s): it may be anybody’s',
    async (source) => {
      const about = await w.make({ ...aboutCustomer, identity: 'email' })
      const talk = await w.customer()
      await w.deps.db.kysely
        .updateTable('contact')
        .set({ email: 'sara@example.com', source })
        .where('id', '=', talk.contactId)
        .execute()
      expect(await names(talk)).toEqual([])
      expect(await talk.use(about.name, { order: '7' })).toMatchObject({ kind: 'refused' })
      expect(w.api.requests).toEqual([])
    },
  )

  systemTest('about the customer knows none either that came from there by a merge', async () => {
    const about = await w.make({ ...aboutCustomer, identity: 'email' })
    const talk = await w.customer()
    const contacts = `/companies/${w.shop.companyId}/contacts`
    const member = await w.member()
    const merge = async (email: string, source: string) => {
      const made = await member.ask<{ id: string }>('POST', contacts, { name: 'Sara', email })
      const fromId = made.body.id
      await w.deps.db.kysely
        .updateTable('contact')
        .set({ source })
        .where('id', '=', fromId)
        .execute()
      return member.ask('POST', `${contacts}/${talk.contactId}/merge`, { fromId })
    }
    expect((await merge('somebody@example.com', 'enquiry')).body).toMatchObject({
      email: 'somebody@example.com',
    })
    expect(await names(talk)).toEqual([])
    await member.ask('PATCH', `${contacts}/${talk.contactId}`, { email: null })
    await merge('sara@example.com', 'member')
    expect(await names(talk)).toEqual([about.name])
  })

  test('is not offered when calls are used up: in the reply, of the customer, of the account', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    const { kysely } = w.deps.db
    const day = w.deps.clock.now().toISOString().slice(0, 10) as unknown as Date
    const replyId = 'one reply'
    const { companyId, accountId } = w.shop
    await kysely
      .insertInto('actionReply')
      .values({ companyId, replyId, calls: ACTION_LIMITS.callsPerReply, startedAt: new Date(0) })
      .execute()
    expect(await names(talk, replyId)).toEqual([])
    expect(await names(talk)).toEqual([name])

    const calls = ACTION_LIMITS.callsPerCustomerPerDay
    await kysely
      .insertInto('actionDay')
      .values({ companyId, customer: talk.contactId, day, calls })
      .execute()
    expect(await names(talk)).toEqual([])
    const another = await w.customer()
    expect(await names(another)).toEqual([name])

    const made = CALL_LIMITS.perAccountPerDay
    const yesterday = new Date(w.deps.clock.now().getTime() - DAY_MS)
    await kysely.insertInto('callDay').values({ accountId, day: yesterday, made }).execute()
    expect(await names(another)).toEqual([name])
    await kysely.insertInto('callDay').values({ accountId, day, made }).execute()
    expect(await names(another)).toEqual([])
    await kysely.deleteFrom('callDay').execute()
  })

  test('is not tried out with a customer of another company', async () => {
    const { id } = await w.make({ ...aboutCustomer, isOn: true })
    const theirs = await createShop(w.world, { phoneNumberId: 'other', businessAccountId: 'other' })
    const now = w.deps.clock.now()
    const contactId = w.deps.ids.uuid()
    await w.deps.db.kysely
      .insertInto('contact')
      .values({
        id: contactId,
        companyId: theirs.companyId,
        phone: '+966501239876',
        source: 'message',
        createdAt: now,
        updatedAt: now,
      })
      .execute()
    const input = { args: { order: '7' }, contactId }
    const tried = await (await w.member()).ask('POST', `${w.actions}/${id}/test`, input)
    expect(tried).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'contactId', code: 'unknown_contact' }] },
    })
    expect(w.api.requests).toEqual([])
  })

  test('of another company is neither offered nor called', async () => {
    const { name } = await w.make()
    const other = await createActionWorld()
    try {
      const talk = await other.customer()
      expect(await names(talk)).toEqual([])
      expect((await talk.use(name, { order: '7' })).kind).toBe('refused')
    } finally {
      await other.close()
    }
  })
})
