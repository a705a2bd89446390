/**
 * A number linked by QR code, from the consent to the first answer. Its link may fail at the phone, at WhatsApp, at the
 * bridge and at the nodes of the service.
 */
import { describe, expect, test } from 'vitest'
import { createChannelCache } from '../../src/modules/channels/channel-cache.ts'
import { createChannelAdapters } from '../../src/modules/channels/registry.ts'
import { createPollChannelsWorker } from '../../src/workers/poll-channels.ts'
import { createIngestBatcher } from '../../src/modules/inbound/ingest-batcher.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { bridgeStateOf, loseChannelSecrets } from '../support/records/credentials.ts'
import {
  connectNumber,
  type LinkedNumber,
  linkNewNumber,
  linkNumber,
  openLinkedWorld,
  SARA,
} from '../support/linked-number.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { channelOf } from '../support/records/channels.ts'
import { signedIn } from '../support/dashboard.ts'
import { createShop } from '../support/shop.ts'

const linked = await openLinkedWorld()
const { world, passTime } = linked
const aNumber = () => linkNewNumber(linked)
const again = async ({ path }: LinkedNumber) =>
  (await linked.owner()).ask('POST', `${path}/connect`)
/** Connects the number again as a member. Returns the state of its link. */
async function linkedAgain(number: LinkedNumber): Promise<string> {
  await again(number)
  await passTime()
  await passTime()
  return (await number.link()).status
}

const stateOf = ({ channel }: LinkedNumber) => bridgeStateOf(world, { channelId: channel.id })

const atBridge = ({ channel }: LinkedNumber) =>
  linked.qr.bridge.sessions.get(channel.credentials['reference']!)?.link().status

describe('The link', () => {
  test('is stored encrypted, and restores a bridge that lost all state', async () => {
    const number = await aNumber()
    number.act('sendText', SARA, 'one')
    await passTime()
    const kept = await stateOf(number)
    expect(kept.length).toBeGreaterThan(30)
    for (const { value } of kept) expect(value).toMatch(/^v1\./)
    // The bridge's process has died.
    linked.qr.bridge.sessions.clear()
    await passTime()
    await passTime()
    expect(await number.link()).toMatchObject({ status: 'linked' })
    number.act('sendText', SARA, 'two')
    await passTime()
    expect((await number.messages()).map(({ text }) => text)).toEqual(['one', 'two'])
  })

  test('shows when WhatsApp closed it', async () => {
    const number = await aNumber()
    number.act('ban')
    await passTime()
    expect((await number.view()).disconnectedReason?.code).toBe('qr_banned')
  })

  test('is deleted when the phone removes it, and waits for a new code', async () => {
    const number = await aNumber()
    number.act('logOut')
    await passTime()
    expect(await number.view()).toMatchObject({ isConnected: false })
    expect((await number.view()).disconnectedReason?.code).toBe('qr_logged_out')
    const names = (await stateOf(number)).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('state.'))).toEqual([])
    expect(await linkedAgain(number)).toBe('pairing')
  })

  systemTest('with unreadable keys is paired again once its channel is saved', async () => {
    const number = await aNumber()
    // Keys of another row cannot be decrypted, as after a restore without the encryption key.
    await aNumber()
    await loseChannelSecrets(world, { channelId: number.channel.id })
    await passTime(MINUTE_MS)
    const { problem } = await number.view()
    expect(problem?.text).toContain('Save the channel again')
    const edit = { name: 'The shop' }
    expect((await (await linked.owner()).ask('PATCH', number.path, edit)).status).toBe(200)
    await passTime(MINUTE_MS)
    await passTime()
    expect(await number.view()).toMatchObject({ problem: { code: 'qr_scan_needed' } })
    expect(await number.link()).toMatchObject({ status: 'pairing' })
  })

  systemTest('is kept with its keys when it is used elsewhere', async () => {
    const number = await aNumber()
    number.act('replace')
    await passTime()
    expect((await number.view()).disconnectedReason?.code).toBe('qr_replaced')
    expect((await stateOf(number)).length).toBeGreaterThan(30)
    expect(await linkedAgain(number)).toBe('linked')
  })

  systemTest('to a number of another channel disconnects this channel', async () => {
    const first = await aNumber()
    const second = await linkNumber(linked, (await first.view()).credentials['displayNumber']!)
    await passTime()
    const taken = (await first.view()).credentials['displayNumber']!
    for (let n = 0; n < 2; n += 1) {
      expect(await second.view()).toMatchObject({
        isConnected: false,
        disconnectedReason: { code: 'qr_number_taken', params: { number: `+${taken}` } },
      })
      // The link is removed with its keys, so another phone may scan.
      expect(atBridge(second)).toBe('logged_out')
      expect(await stateOf(second)).toEqual([])
      await again(second)
      for (const ms of [SECOND_MS + 1, SECOND_MS + 1]) await passTime(ms)
      expect(await second.link()).toMatchObject({ status: 'pairing' })
      second.act('scan', SARA, n === 0 ? taken : '12025556789')
      for (const ms of [SECOND_MS + 1, MINUTE_MS, SECOND_MS + 1]) await passTime(ms)
    }
    expect(await second.view()).toMatchObject({
      isConnected: true,
      credentials: { displayNumber: '12025556789' },
    })
    expect(await first.view()).toMatchObject({ isConnected: true })
    expect(await second.messages()).toEqual([])
  })

  test('is removed at WhatsApp when a member deletes the channel', async () => {
    const number = await aNumber()
    expect((await (await linked.owner()).ask('DELETE', number.path)).status).toBe(204)
    expect(atBridge(number)).toBe('logged_out')
    await passTime()
    expect(await stateOf(number)).toEqual([])
  })

  systemTest('is paired by a new code after a member disconnected the channel', async () => {
    const number = await aNumber()
    const off = await (await linked.owner()).ask('POST', `${number.path}/disconnect`)
    expect(off).toMatchObject({ status: 200, body: { isConnected: false } })
    expect(atBridge(number)).toBe('logged_out')
    await passTime()
    expect((await stateOf(number)).map(({ name }) => name)).toEqual(['number'])
    expect((await number.view()).disconnectedReason?.code).toBe('channel_off_by_member')
    expect(await linkedAgain(number)).toBe('pairing')
    const own = (await number.view()).credentials['displayNumber']!
    number.act('scan', SARA, own)
    await passTime()
    expect(await number.view()).toMatchObject({ isConnected: true, problem: null })
  })

  test('is deleted here even if the bridge does not answer', async () => {
    const number = await aNumber()
    linked.qr.setAway(true)
    const answer = await (await linked.owner()).ask('DELETE', number.path)
    linked.qr.setAway(false)
    expect(answer.status).toBe(204)
    expect(world.logged.join('')).toContain('deregistration at the provider failed')
    expect(atBridge(number)).toBe('linked')
  })

  systemTest('to another phone sends no waiting message', async () => {
    const number = await aNumber()
    number.act('sendText', SARA, 'hello')
    await passTime()
    // The phone of another number has scanned, and the service does not know it yet.
    const session = linked.qr.bridge.sessions.get(number.channel.credentials['reference']!)!
    session.setLink({ status: 'linked', number: '12025556790' })
    await number.reply('from another phone')
    await world.service.processAll()
    expect(linked.qr.bridge.sent.map(({ text }) => text)).not.toContain('from another phone')
  })

  systemTest('delays messages with the reason while it is lost', async () => {
    const number = await aNumber()
    number.act('sendText', SARA, 'hello')
    await passTime()
    number.act('lose')
    await passTime()
    expect(await number.view()).toMatchObject({
      isConnected: true,
      problem: { code: 'qr_connecting' },
    })
    await number.reply('when it is back')
    await passTime()
    number.act('find')
    for (let minute = 0; minute < 3; minute += 1) await passTime(MINUTE_MS)
    expect((await number.view()).problem).toBeNull()
    expect(linked.qr.bridge.sent.filter(({ text }) => text === 'when it is back')).toHaveLength(1)
  })

  systemTest('survives a bridge that does not answer', async () => {
    const number = await aNumber()
    linked.qr.setAway(true)
    await passTime()
    expect(await number.view()).toMatchObject({
      isConnected: true,
      problem: { code: 'qr_bridge_away' },
    })
    linked.qr.setAway(false)
    number.act('sendText', SARA, 'still here?')
    await passTime(2 * MINUTE_MS)
    expect((await number.view()).problem).toBeNull()
    expect(await number.messages()).toHaveLength(1)
  })

  systemTest('is written by one of two nodes at a time', async () => {
    const number = await aNumber()
    const { db, clock, ids, log } = world.service.context
    const adapters = createChannelAdapters({
      ids,
      clock,
      baseUrls: world.baseUrls,
      graphApiVersion: 'v25.0',
    })
    const knownChannels = createChannelCache(
      { db, log },
      { keyRing: world.service.keyRing, connection: world.database.connection },
    )
    const deps = {
      keyRing: world.service.keyRing,
      adapters,
      knownChannels,
      ingestBatched: createIngestBatcher({ db, clock, ids, log }),
      publicUrl: () => world.url,
      claimId: () => ids.uuid(),
      mayWait: () => false,
      onProgress: () => {},
    }
    const nodes = [1, 2].map(() => createPollChannelsWorker({ db, clock, ids, log }, deps))
    for (let round = 0; round < 8; round += 1) {
      number.act('sendText', SARA, `round ${round}`)
      world.clock.advance(SECOND_MS + 1)
      await Promise.all(nodes.map((node) => node.work()))
      await Promise.all(nodes.map((node) => node.drain()))
    }
    await passTime()
    await knownChannels.close()
    expect(await number.messages()).toHaveLength(8)
    expect(await number.link()).toMatchObject({ status: 'linked' })
  })
})

const toldOf = (channelId: string) =>
  world.receiver.received
    .map(({ event }) => event)
    .filter((event) => {
      const { conversation } = event.data as { conversation?: { channelId?: string } }
      return conversation?.channelId === channelId
    })
    // Events are sorted in the order in which they were raised, because deliveries may overtake
    // each other.
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))

describe('Linking a number', () => {
  test('needs a person who accepts the risk, and records who and when', async () => {
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
})

systemDescribe('An answer of a member', () => {
  test('is sent once, under an id that the service chose, and its echo shows that it was sent', async () => {
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

  systemTest('fails for a number that is not on WhatsApp, and is not tried again', async () => {
    const number = await aNumber()
    const customer = '12027770404'
    linked.qr.phones.act({ action: 'addPerson', number: customer, name: 'N' })
    number.act('sendText', customer, 'hello')
    await passTime()
    await number.reply('Are you there?')
    for (let minute = 0; minute < 12; minute += 1) await passTime(MINUTE_MS)
    expect(linked.qr.bridge.sent.map(({ text }) => text)).not.toContain('Are you there?')
    const message = (await number.messages()).find(({ sender }) => sender === 'staff')
    expect(message).toMatchObject({ status: 'failed', attempt: 1 })
  })
})

test('Another account sees nothing of a link', async () => {
  const number = await aNumber()
  const other = await createShop(world, { phoneNumberId: '106540352242333' })
  const stranger = await signedIn(world, { accountId: other.accountId })
  expect((await stranger.ask('GET', `${number.path}/link`)).status).toBe(404)
})
