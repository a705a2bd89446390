/** The actions that the assistant may use, and those that it may not. */
import { beforeEach, describe, expect, test } from 'vitest'
import { ACTION_LIMITS, CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { DAY_MS } from '../../src/core/limits/units.ts'
import { CHANNEL_TYPES, type ChannelType } from '../../src/core/vocabulary/channels.ts'
import { setPlan } from '../support/records/accounts.ts'
import {
  putActionsOfReply,
  putConnection,
  setActionsToday,
  setCallsToday,
} from '../support/records/calls.ts'
import { addContact, describeContact } from '../support/records/contacts.ts'
import { putConversation } from '../support/records/conversations.ts'
import { createOwnShop } from '../support/shop.ts'
import { openActionWorld, ORDER, type Talk } from './action-world.ts'
import { systemTest } from '../support/system-tests.ts'

const w = await openActionWorld()
const elsewhere = await openActionWorld()
beforeEach(() => w.clear())

const names = async (talk: Talk, replyId?: string) =>
  (await talk.offered(replyId)).map(({ name }) => name)

const aboutCustomer = { identity: 'phone', ownershipPath: 'order.phone' } as const

/** Moves a conversation to another channel. On the widget it has no contact. */
const moveTo = (talk: Talk, channelType: ChannelType) =>
  putConversation(w.world, talk.conversationId, {
    channelType,
    ...(channelType === 'web_widget' && { contactId: null }),
  })

const setConnection = (isOn: boolean) =>
  putConnection(w.world, { connectionId: w.connectionId }, { isOn })

describe('An action that the assistant is offered', () => {
  test('is known with an action_ prefix, by its description and its parameters', async () => {
    await w.make({
      toolName: 'order_status',
      parameters: [
        ORDER,
        { type: 'number', name: 'lines', description: 'How many', isRequired: false },
        { type: 'yes_no', name: 'urgent', description: 'Whether now', isRequired: false },
        { ...ORDER, type: 'one_of', name: 'size', description: 'S or L', values: ['S', 'L'] },
      ],
      request: { path: '/orders/{{args.order}}/{{args.lines}}/{{args.urgent}}/{{args.size}}' },
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

  test('with confirmation says that it only proposes, and no tool confirms', async () => {
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
    await setConnection(false)
    expect(await names(talk)).toEqual([])
    await setConnection(true)
    await w.owner.ask('PATCH', `${w.actions}/${id}`, { isOn: false })
    expect(await names(talk)).toEqual([])
  })

  test('is part of the Business plan', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    await setPlan(w.world, w.shop, 'pro')
    expect(await names(talk)).toEqual([])
    await setPlan(w.world, w.shop, 'business')
    expect(await names(talk)).toEqual([name])
  })

  test('is offered while the assistant answers, not while staff does', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    await putConversation(w.world, talk.conversationId, { handledBy: 'staff' })
    expect(await names(talk)).toEqual([])
    expect(await talk.use(name, { order: '7' })).toMatchObject({ kind: 'refused' })
    expect(w.api.requests).toHaveLength(0)
  })

  const VOUCHING = ['whatsapp', 'whatsapp_qr']
  test.each(CHANNEL_TYPES)(
    'about the customer: is offered on %s only if the channel confirms identities',
    async (on) => {
      const isOffered = VOUCHING.includes(on)
      const about = await w.make(aboutCustomer)
      const other = await w.make()
      const talk = await w.customer()
      await moveTo(talk, on)
      expect(await names(talk)).toEqual(isOffered ? [about.name, other.name] : [other.name])
      if (isOffered) return
      expect(await talk.use(about.name, { order: '7' })).toMatchObject({ kind: 'refused' })
      expect(w.api.requests).toHaveLength(0)
    },
  )

  test('about the customer is offered only if the customer’s value is known', async () => {
    const about = await w.make({ ...aboutCustomer, identity: 'email' })
    const talk = await w.customer()
    expect(await names(talk)).toEqual([])
    await describeContact(w.world, talk.contactId, {
      email: 'sara@example.com',
      emailFrom: 'member',
    })
    expect(await names(talk)).toEqual([about.name])
  })

  test.each(['enquiry', 'booking_page'])(
    'does not use an e-mail address from a form: %s',
    async (source) => {
      const about = await w.make({ ...aboutCustomer, identity: 'email' })
      const talk = await w.customer()
      await describeContact(w.world, talk.contactId, {
        email: 'sara@example.com',
        emailFrom: source,
      })
      expect(await names(talk)).toEqual([])
      expect(await talk.use(about.name, { order: '7' })).toMatchObject({ kind: 'refused' })
      expect(w.api.requests).toEqual([])
      // An edit of the address by the shop confirms it.
      const member = await w.member()
      const contact = `/companies/${w.shop.companyId}/contacts/${talk.contactId}`
      await member.ask('PATCH', contact, { name: 'Sara' })
      expect(await names(talk)).toEqual([])
      await member.ask('PATCH', contact, { email: 'sara@example.com' })
      expect(await names(talk)).toEqual([about.name])
    },
  )

  systemTest(
    'about the customer does not use such an e-mail address after a merge either',
    async () => {
      const about = await w.make({ ...aboutCustomer, identity: 'email' })
      const talk = await w.customer()
      const contacts = `/companies/${w.shop.companyId}/contacts`
      const member = await w.member()
      const merge = async (email: string, source: string) => {
        const made = await member.ask<{ id: string }>('POST', contacts, { name: 'Sara', email })
        const fromId = made.body.id
        await describeContact(w.world, fromId, { emailFrom: source })
        return member.ask('POST', `${contacts}/${talk.contactId}/merge`, { fromId })
      }
      expect((await merge('somebody@example.com', 'enquiry')).body).toMatchObject({
        email: 'somebody@example.com',
      })
      expect(await names(talk)).toEqual([])
      await member.ask('PATCH', `${contacts}/${talk.contactId}`, { email: null })
      await merge('sara@example.com', 'member')
      expect(await names(talk)).toEqual([about.name])
    },
  )

  test('is not offered when the calls of the reply, customer or account are used up', async () => {
    const { name } = await w.make()
    const talk = await w.customer()
    const { companyId } = w.shop
    const used = { companyId, replyId: 'one reply' }
    await putActionsOfReply(w.world, used, { calls: ACTION_LIMITS.callsPerReply })
    expect(await names(talk, used.replyId)).toEqual([])
    expect(await names(talk)).toEqual([name])

    await setActionsToday(w.world, w.shop, talk.contactId, ACTION_LIMITS.callsPerCustomerPerDay)
    expect(await names(talk)).toEqual([])
    const another = await w.customer()
    expect(await names(another)).toEqual([name])

    await setCallsToday(w.world, w.shop, CALL_LIMITS.perAccountPerDay)
    expect(await names(another)).toEqual([])
    // The limits are those of one day.
    w.world.clock.advance(DAY_MS)
    expect(await names(another)).toEqual([name])
  })

  test('cannot be tried with a customer of another company', async () => {
    const { id } = await w.make({ ...aboutCustomer, isOn: true })
    const theirs = await createOwnShop(w.world)
    const contactId = await addContact(w.world, theirs, { phone: '+966501239876' })
    const input = { args: { order: '7' }, contactId }
    const tried = await (await w.member()).ask('POST', `${w.actions}/${id}/test`, input)
    expect(tried).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'contactId', code: 'unknown_contact' }] },
    })
    expect(w.api.requests).toEqual([])
  })

  test('is neither offered nor called if it belongs to another company', async () => {
    const { name } = await w.make()
    const talk = await elsewhere.customer()
    expect(await names(talk)).toEqual([])
    expect((await talk.use(name, { order: '7' })).kind).toBe('refused')
  })
})
