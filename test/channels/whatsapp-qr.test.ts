/** A number linked by QR code, from the consent to the first answer. */
import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { fileOf } from '../support/records/files.ts'
import { conversationsOf } from '../support/records/conversations.ts'
import { channelOf } from '../support/records/channels.ts'
import { signedIn } from '../support/dashboard.ts'
import {
  connectNumber,
  LINA,
  linkNewNumber,
  openLinkedWorld,
  SARA,
} from '../support/linked-number.ts'
import { createShop } from '../support/shop.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'

const linked = await openLinkedWorld()
const { world, passTime } = linked
const aNumber = () => linkNewNumber(linked)

const toldOf = (channelId: string) =>
  world.receiver.received
    .map(({ event }) => event)
    .filter((event) => {
      const { conversation } = event.data as { conversation?: { channelId?: string } }
      return conversation?.channelId === channelId
    })
    // In the order they were raised: what is told together may arrive in any.
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

describe('Linking a number', () => {
  test('needs someone to accept the risk, and keeps who did and when', async () => {
    for (const more of [{}, { acceptsRisk: false }]) {
      const refused = await connectNumber(linked, more)
      expect(refused.status).toBe(422)
      expect(JSON.stringify(refused.body)).toContain('acceptsRisk')
    }
    const owner = await linked.owner()
    const connecting = { ...linked, owner: () => Promise.resolve(owner) }
    const { status, body } = await connectNumber(connecting)
    expect(status).toBe(201)
    expect(body.channel.riskAcceptedAt).toBe(world.clock.now().toISOString())
    const row = await channelOf(world, { channelId: body.channel.id })
    expect(row.riskAcceptedAt).toEqual(world.clock.now())
    expect(row.riskAcceptedBy).toBe(owner.personId)
  })

  systemTest('shows a code, and then the number, to which customers write', async () => {
    const { body } = await connectNumber(linked)
    const path = `/companies/${linked.shop.companyId}/channels/${body.channel.id}`
    await world.service.processAll()
    await passTime()
    const shown = await (await linked.owner()).ask<{ qr: string }>('GET', `${path}/link`)
    expect(shown.body).toMatchObject({ status: 'pairing', number: null })
    expect(shown.body.qr).toMatch(/^2@/)
    const agent = await signedIn(world, { accountId: linked.shop.accountId, role: 'agent' })
    expect((await agent.ask('GET', `${path}/link`)).status).toBe(403)

    const number = await aNumber()
    expect(await number.link()).toMatchObject({ status: 'linked', qr: null })
    expect(await number.view()).toMatchObject({ isConnected: true, problem: null })
    number.act('sendText', SARA, 'Is it still there?')
    await passTime()
    expect(toldOf(number.channel.id).map(({ type }) => type)).toEqual([
      'conversation.started',
      'message.received',
    ])
    expect(toldOf(number.channel.id)[1]!.data).toMatchObject({
      contact: { whatsAppId: SARA, phone: `+${SARA}`, name: 'Sara Haddad' },
      message: { type: 'text', text: 'Is it still there?' },
    })
  })

  systemTest('a customer without a number is known by their lid until it shows', async () => {
    const number = await aNumber()
    number.act('sendText', LINA, 'hello')
    await passTime()
    const [, first] = toldOf(number.channel.id)
    expect(first!.data).toMatchObject({
      contact: { whatsAppId: expect.stringMatching(/@lid$/), phone: null },
    })
    number.act('showNumber', LINA)
    number.act('sendText', LINA, 'again')
    await passTime()
    // The conversation stays filed as it was.
    expect(toldOf(number.channel.id).map(({ type }) => type)).toEqual([
      'conversation.started',
      'message.received',
      'message.received',
    ])
    expect(await conversationsOf(world, { channelId: number.channel.id })).toHaveLength(1)
  })
})

describe('What is told of a linked number', () => {
  test('once, however often the bridge tells it', async () => {
    const number = await aNumber()
    number.act('twice', SARA, 'Once')
    await passTime()
    const told = toldOf(number.channel.id).filter(({ type }) => type === 'message.received')
    expect(told).toHaveLength(1)
  })

  systemTest('never of groups, reactions and what the owner answers', async () => {
    const number = await aNumber()
    number.act('group')
    number.act('reaction')
    await passTime()
    expect(toldOf(number.channel.id)).toEqual([])
    number.act('sendText', SARA, 'hello')
    await passTime()
    number.act('owner', SARA, 'I answer from the phone')
    await passTime()
    const [conversation] = await conversationsOf(world, { channelId: number.channel.id })
    expect(conversation).toMatchObject({ handledBy: 'staff' })
    const senders = (await number.messages()).map(({ sender }) => sender)
    expect(senders).toEqual(['customer', 'owner_app'])
  })

  test('STOP opts out', async () => {
    const number = await aNumber()
    linked.qr.phones.act({ action: 'addPerson', number: '12025550188', name: 'Nour' })
    number.act('sendText', '12025550188', 'stop')
    await passTime()
    const told = world.receiver.received.map(({ event }) => event.type)
    expect(told).toContain('contact.opted_out')
  })

  test('a picture is fetched by the bridge', async () => {
    const number = await aNumber()
    number.act('picture', SARA, 'Look')
    await passTime()
    const [message] = await number.messages()
    expect(message).toMatchObject({ type: 'image', text: 'Look' })
    const file = await fileOf(world, message!.fileId!)
    expect(file).toMatchObject({ mediaType: 'image/png' })
  })
})

systemDescribe('What a member answers', () => {
  test('is sent once, under an id that Wasla chose, and its echo shows that it was sent', async () => {
    const number = await aNumber()
    number.act('sendText', SARA, 'hello')
    await passTime()
    await number.reply('Yes, it is')
    await passTime()
    const sent = linked.qr.bridge.sent.filter(({ text }) => text === 'Yes, it is')
    expect(sent).toHaveLength(1)
    await passTime()
    const messages = await number.messages()
    expect(messages.map(({ sender, status }) => [sender, status])).toEqual([
      ['customer', null],
      ['staff', 'sent'],
    ])
    expect(messages[1]!.providerMessageId).toBe(sent[0]!.id)
  })

  systemTest.each([
    ['0000', 'goes out though nobody answers', 'sent', 1],
    ['0001', 'is unknown where it may have gone out, and never sent again', 'unknown', 0],
    ['0404', 'fails for a number that is not on WhatsApp', 'failed', 0],
  ])('to …%s %s', async (end, _, status, count) => {
    const number = await aNumber()
    const customer = `1202777${end}`
    linked.qr.phones.act({ action: 'addPerson', number: customer, name: 'N' })
    number.act('sendText', customer, 'hello')
    await passTime()
    await number.reply(`to ${end}`)
    for (let minute = 0; minute < 12; minute += 1) await passTime(MINUTE_MS)
    expect(linked.qr.bridge.sent.filter(({ text }) => text === `to ${end}`)).toHaveLength(count)
    const message = (await number.messages()).find(({ sender }) => sender === 'staff')
    expect(message).toMatchObject({ status, attempt: 1 })
  })
})

test('Another account sees nothing of a link', async () => {
  const number = await aNumber()
  const other = await createShop(world, { phoneNumberId: '106540352242333' })
  const stranger = await signedIn(world, { accountId: other.accountId })
  expect((await stranger.ask('GET', `${number.path}/link`)).status).toBe(404)
})
