/**
 * Replies of members: when they may be sent, that they are sent once and before those of flows, and how they
 * are cancelled.
 */
import { beforeEach, describe, expect, test } from 'vitest'
import type { SentReply } from '../../src/contract/dashboard/conversation.ts'
import { SEND_LIMITS } from '../../src/core/limits/messaging.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { claimSends } from '../../src/modules/messaging/claim-sends.sql.ts'
import { setConnected } from '../support/records/channels.ts'
import { countedTemplates } from '../support/records/templates.ts'
import { deleteMessage } from '../support/records/messages.ts'
import { addQueuedMessage } from '../support/records/outbox.ts'
import { addContact } from '../support/records/contacts.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { refusalsOf, signedIn, type Member } from '../support/dashboard.ts'
import { act, inboxOf, reply, type Talk } from '../support/inbox.ts'
import { uploadFile } from '../support/upload-file.ts'
import { newPhone } from '../support/simulator.ts'
import { systemTest } from '../support/system-tests.ts'

let owner: Member
let sara: Member
let talk: Talk
const { world, whatsApp } = await openWhatsApp()
const shop = await whatsApp.openShop()
const inbox = inboxOf({ world, whatsApp }, shop)
beforeEach(async () => {
  owner = await inbox.member('owner')
  sara = await inbox.member()
  talk = await inbox.talk(newPhone())
})

/** A moment before or after the window of the customer's last message closes. */
const toWindowEnd = async (ms: number) => {
  const { windowEndsAt } = await talk.seen()
  world.clock.advance(new Date(windowEndsAt!).getTime() - world.clock.now().getTime() + ms)
  // Unused sessions have ended.
  sara = await inbox.member()
}
const refused = (code: string) => ({ status: 409, body: { code } })
const body = ['1', '2'].map((name) => ({ name, text: 'A-1' }))
const template = (more: object = {}) => ({ name: 'order_ready', body, ...more })

describe('a reply', () => {
  test('goes out in the name of its author, takes over and assigns no member', async () => {
    const answer = await reply(sara, talk, '  It is on its way  ')
    expect(answer.status).toBe(201)
    expect(answer.body.message).toMatchObject({
      direction: 'out',
      sender: 'staff',
      author: { id: sara.personId },
      text: 'It is on its way',
      status: 'queued',
    })
    expect(answer.body.conversation).toMatchObject({ handledBy: 'staff', assignee: null })
    await whatsApp.settle()
    expect(whatsApp.sentTo(talk.phone)).toHaveLength(1)
    const [message] = await talk.messages()
    expect(['accepted', 'sent', 'delivered', 'read']).toContain(message!.status)
    expect(await talk.eventTypes()).toEqual([])
    expect(await talk.seen()).toMatchObject({
      lastMessage: { text: 'It is on its way', sender: 'staff' },
      waitingSince: null,
    })
  })

  systemTest('becomes one message for two concurrent requests with one key', async () => {
    const once = () => reply(sara, talk, 'once', 'k')
    const answers = await Promise.all([once(), once()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 201])
    expect(answers[0].body.message.id).toBe(answers[1].body.message.id)
    await whatsApp.settle()
    expect(whatsApp.sentTo(talk.phone)).toHaveLength(1)
    const other = await inbox.talk(newPhone())
    expect((await reply(sara, other, 'once', 'k')).status).toBe(201)
  })

  systemTest('ends the waiting, and a note does not', async () => {
    await act(sara, talk, 'take-over', { turn: (await talk.seen()).turn })
    await talk.writes()
    expect((await talk.seen()).waitingSince).not.toBeNull()
    await owner.ask('POST', `${talk.path}/notes`, { text: 'who knows this one?' })
    expect((await talk.seen()).waitingSince).not.toBeNull()
    await reply(sara, talk, 'I do')
    expect((await talk.seen()).waitingSince).toBeNull()
  })

  systemTest('may be sent until the last millisecond of the window, and not after it', async () => {
    await toWindowEnd(-1)
    expect((await reply(sara, talk, 'in time')).status).toBe(201)
    await whatsApp.settle()
    world.clock.advance(1)
    const late = await reply(sara, talk, 'too late')
    expect(late).toMatchObject({
      status: 409,
      body: { code: 'outside_service_window', reason: 'reply_window_closed' },
    })
    expect(whatsApp.sentTo(talk.phone)).toHaveLength(1)
  })

  systemTest('fails when its window closes while it waits, and staff is needed', async () => {
    await toWindowEnd(-1)
    const { message } = (await reply(sara, talk, 'in time')).body
    world.clock.advance(1)
    await whatsApp.settle()
    expect(whatsApp.sentTo(talk.phone)).toEqual([])
    const [failed] = await talk.messages()
    expect(failed).toMatchObject({
      id: message.id,
      status: 'failed',
      errorCode: 'outside_service_window',
      errorDetail: { code: 'reply_window_closed' },
    })
    expect(await talk.seen()).toMatchObject({ needsStaff: true })
  })

  test('the composer opens when the customer writes', async () => {
    await toWindowEnd(0)
    expect((await talk.seen()).composer).toMatchObject({
      mayText: false,
      mayTemplate: true,
      whyNot: { code: 'reply_window_closed' },
      until: null,
    })
    await talk.writes()
    const { composer, windowEndsAt } = await talk.seen()
    expect(composer).toMatchObject({ mayText: true, until: windowEndsAt, longest: 4_096 })
    expect((await reply(sara, talk, 'here')).status).toBe(201)
  })

  test('is refused with its length when it is too long, and refused when it has a placeholder', async () => {
    const long = await reply(sara, talk, 'ب'.repeat(4_097))
    expect(long).toMatchObject({
      status: 422,
      body: {
        errors: [{ field: 'text', code: 'text_too_long', params: { length: 4_097, max: 4_096 } }],
      },
    })
    for (const unfilled of ['Dear {{contact.name}}', 'Dear {{name}}', 'عزيزي {{ اسم العميل }}']) {
      const open = await reply(sara, talk, unfilled)
      expect([open.status, refusalsOf(open)]).toEqual([422, ['text: placeholder_left']])
    }
    const both = { key: 'x', text: 'a', template: template() }
    for (const wrong of [both, { key: 'x' }, { text: 'a' }, { key: 'x', text: ' ' }]) {
      expect((await sara.ask('POST', `${talk.path}/messages`, wrong)).status).toBe(422)
    }
    await whatsApp.settle()
    expect(whatsApp.sentTo(talk.phone)).toEqual([])
    expect((await talk.seen()).handledBy).toBe('assistant')
  })

  test('is refused on a channel that is not connected', async () => {
    const off = await whatsApp.openShop()
    const boss = await signedIn(world, { accountId: off.accountId })
    const one = await inboxOf({ world, whatsApp }, off).talk(newPhone())
    await setConnected(world, off, false)
    expect(await reply(boss, one, 'hello')).toMatchObject(refused('channel_unavailable'))
  })

  test.each(['free', 'starter'] as const)('goes out on the plan %s too', async (plan) => {
    const small = await whatsApp.openShop({ plan })
    const boss = await signedIn(world, { accountId: small.accountId })
    const one = await inboxOf({ world, whatsApp }, small).talk(newPhone())
    expect((await reply(boss, one, 'hello')).status).toBe(201)
    await whatsApp.settle()
    expect(whatsApp.sentTo(one.phone)).toHaveLength(1)
  })
})

describe('a file', () => {
  test('is sent with what is written below it, and shown with its message', async () => {
    const fileId = await uploadFile(world, sara, shop.companyId)
    const said = { key: 'f', fileId, caption: 'Your receipt' }
    const sent = await sara.ask<SentReply>('POST', `${talk.path}/messages`, said)
    const message = { text: 'Your receipt', file: { id: fileId } }
    expect(sent).toMatchObject({ status: 201, body: { message } })
    await whatsApp.settle()
    expect(whatsApp.sentTo(talk.phone)).toHaveLength(1)
    expect((await talk.messages())[0]).toMatchObject({ file: { id: fileId } })
  })

  test('is refused when it is not the company’s, and so is a caption without one', async () => {
    const other = await whatsApp.openShop()
    const boss = await signedIn(world, { accountId: other.accountId })
    const fileId = await uploadFile(world, boss, other.companyId)
    const ask = (said: object) => sara.ask('POST', `${talk.path}/messages`, { key: 'f', ...said })
    expect(refusalsOf(await ask({ fileId }))).toEqual(['fileId: no_such_file'])
    const alone = await ask({ text: 'a', caption: 'b' })
    expect(refusalsOf(alone)).toEqual(['caption: caption_without_file'])
  })
})

describe('a customer who opted out', () => {
  test('is answered for a day once they ask something, and gets no template', async () => {
    world.clock.advance(1_000)
    await talk.writes('STOP')
    expect(await reply(sara, talk, 'why?')).toMatchObject(refused('opted_out'))
    world.clock.advance(2_000)
    await talk.writes('where is my order?')
    expect((await reply(sara, talk, 'on its way')).status).toBe(201)
    const unasked = { key: 't', template: template() }
    const answer = await sara.ask('POST', `${talk.path}/messages`, unasked)
    expect(answer).toMatchObject(refused('opted_out'))
    await whatsApp.settle()
    expect(whatsApp.sentTo(talk.phone)).toHaveLength(1)
    world.clock.advance(DAY_MS)
    expect((await talk.seen()).composer.mayText).toBe(false)
  })
})

describe('a template of staff', () => {
  test('goes out after the window and is not counted as automated', async () => {
    world.clock.advance(48 * HOUR_MS)
    sara = await inbox.member()
    const sent = await sara.ask<SentReply>('POST', `${talk.path}/messages`, {
      key: 't',
      template: template({ language: 'en' }),
    })
    expect(sent).toMatchObject({
      status: 201,
      body: {
        message: { templateName: 'order_ready', sender: 'staff' },
        conversation: { handledBy: 'staff' },
      },
    })
    await whatsApp.settle()
    expect(whatsApp.sentTo(talk.phone)).toHaveLength(1)
    expect(await countedTemplates(world, sent.body.message.id)).toEqual([])
  })

  test('is refused when it does not exist or is not filled in', async () => {
    const ask = (asked: object) =>
      sara.ask('POST', `${talk.path}/messages`, { key: 'x', template: asked })
    // A name, or a language, that PostgreSQL cannot hold counts as one that does not exist.
    for (const asked of [{ name: 'nothing' }, { name: '\0' }]) {
      expect(refusalsOf(await ask(asked))).toEqual(['template: template_missing'])
    }
    expect((await ask(template({ language: 'a\0' }))).status).toBe(422)
    const [empty, french] = [template({ body: [] }), template({ language: 'fr' })]
    expect(refusalsOf(await ask(empty))).toEqual(['template: template_value_empty'])
    expect(refusalsOf(await ask(french))).toEqual(['template: template_not_approved'])
  })

  systemTest('begins a conversation, which raises its event once the customer writes', async () => {
    const { contact } = await talk.seen()
    const phone = newPhone()
    const other = { id: await addContact(world, shop, { phone, name: 'Laila' }), phone }
    const begin = (contactId: string, key: string) =>
      sara.ask<SentReply>('POST', `/companies/${shop.companyId}/conversations`, {
        contactId,
        channelId: shop.channelId,
        key,
        template: template(),
      })
    const first = await begin(other.id, 'k')
    const conversation = { handledBy: 'assistant', status: 'open' }
    expect(first).toMatchObject({ status: 201, body: { conversation } })
    const again = await begin(other.id, 'k')
    expect(again).toMatchObject({ status: 200, body: { message: { id: first.body.message.id } } })
    await whatsApp.settle()
    expect(whatsApp.sentTo(other.phone)).toHaveLength(1)
    const startedOf = () =>
      shop.events('conversation.started').filter(({ data }) => {
        const begun = data as { conversation: { id: string } }
        return begun.conversation.id === first.body.conversation.id
      })
    expect(startedOf()).toEqual([])
    await inbox.talk(other.phone)
    await whatsApp.settle()
    expect(startedOf()).toHaveLength(1)
    // Staff takes over a conversation that exists already.
    const known = await begin(contact!.id, 'k')
    expect(known.body.conversation).toMatchObject({ id: talk.id, handledBy: 'staff' })
  })
})

describe('a queued message', () => {
  const cancel = (who: Member, { message }: SentReply) =>
    who.ask('DELETE', `${talk.path}/messages/${message.id}`)

  test('is cancelled by its author, and then not sent', async () => {
    const sent = (await reply(sara, talk, 'wrong customer')).body
    expect((await cancel(owner, sent)).body).toMatchObject({ code: 'forbidden' })
    expect((await cancel(sara, sent)).status).toBe(204)
    expect((await cancel(sara, sent)).status).toBe(204)
    await whatsApp.settle()
    expect(whatsApp.sentTo(talk.phone)).toEqual([])
    expect((await talk.messages())[0]).toMatchObject({ status: 'cancelled' })
  })

  test('cannot be cancelled once it has been sent', async () => {
    const sent = (await reply(sara, talk, 'hello')).body
    await whatsApp.settle()
    expect(await cancel(sara, sent)).toMatchObject(refused('conflict'))
    const unknown = await sara.ask('DELETE', `${talk.path}/messages/o_none`)
    expect(unknown.status).toBe(404)
  })

  systemTest('is claimed before earlier messages of flows when staff wrote it', async () => {
    const { db, ids } = world.service.context
    const now = world.clock.now()
    const where = { ...shop, conversationId: talk.id }
    const dueAt = new Date(now.getTime() - MINUTE_MS)
    const flow = { sender: 'flow', priority: 3, dueAt }
    const flows = await Promise.all(
      Array.from({ length: SEND_LIMITS.claimedPerChannel }, () =>
        addQueuedMessage(world, where, flow),
      ),
    )
    const ofStaff = await addQueuedMessage(world, where)
    const { messages } = await claimSends(db.kysely, {
      claimId: ids.uuid(),
      now,
      limit: 1_000,
      without: [],
    })
    const ours = messages.filter(({ channel }) => channel.id === shop.channelId)
    expect(ours).toHaveLength(SEND_LIMITS.claimedPerChannel)
    expect(ours.map(({ id }) => id)).toContain(ofStaff)
    for (const id of [...flows, ofStaff]) await deleteMessage(world, id)
  })
})
