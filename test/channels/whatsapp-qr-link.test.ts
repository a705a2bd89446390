/** Whatever may happen to the link of a number: at the phone, at WhatsApp, at the bridge and at our nodes. */
import { describe, expect, test } from 'vitest'
import { createChannelCache } from '../../src/modules/channels/channel-cache.ts'
import { createChannelAdapters } from '../../src/modules/channels/registry.ts'
import { createPollChannelsWorker } from '../../src/workers/poll-channels.ts'
import { createIngestBatcher } from '../../src/modules/inbound/ingest-batcher.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { bridgeStateOf, loseChannelSecrets } from '../support/records/credentials.ts'
import {
  linkNewNumber,
  linkNumber,
  openLinkedWorld,
  SARA,
  type LinkedNumber,
} from '../support/linked-number.ts'
import { systemTest } from '../support/system-tests.ts'

const linked = await openLinkedWorld()
const { world, passTime } = linked
const aNumber = () => linkNewNumber(linked)
const again = async ({ path }: LinkedNumber) =>
  (await linked.owner()).ask('POST', `${path}/connect`)

const stateOf = ({ channel }: LinkedNumber) => bridgeStateOf(world, { channelId: channel.id })

const atBridge = ({ channel }: LinkedNumber) =>
  linked.qr.bridge.sessions.get(channel.credentials['reference']!)?.link().status

describe('The link', () => {
  test('is kept encrypted, and brings a bridge that forgot all back to where it was', async () => {
    const number = await aNumber()
    number.act('sendText', SARA, 'one')
    await passTime()
    const kept = await stateOf(number)
    expect(kept.length).toBeGreaterThan(30)
    for (const { value } of kept) expect(value).toMatch(/^v1\./)
    // The bridge's process died.
    linked.qr.bridge.sessions.clear()
    await passTime()
    await passTime()
    expect(await number.link()).toMatchObject({ status: 'linked' })
    number.act('sendText', SARA, 'two')
    await passTime()
    expect((await number.messages()).map(({ text }) => text)).toEqual(['one', 'two'])
  })

  test('that WhatsApp closed says so', async () => {
    const number = await aNumber()
    number.act('ban')
    await passTime()
    expect((await number.view()).disconnectedReason?.code).toBe('qr_banned')
  })

  test('that the phone removes is forgotten, and waits for a new code', async () => {
    const number = await aNumber()
    number.act('logOut')
    await passTime()
    expect(await number.view()).toMatchObject({ isConnected: false })
    expect((await number.view()).disconnectedReason?.code).toBe('qr_logged_out')
    const names = (await stateOf(number)).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('state.'))).toEqual([])
    await again(number)
    await passTime()
    await passTime()
    expect(await number.link()).toMatchObject({ status: 'pairing' })
  })

  systemTest('with unreadable keys begins again once its channel is saved', async () => {
    const number = await aNumber()
    // What was written for another row is none of this one's, as after a restore without the key.
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

  systemTest('that is used elsewhere is left alone, with its keys', async () => {
    const number = await aNumber()
    number.act('replace')
    await passTime()
    expect((await number.view()).disconnectedReason?.code).toBe('qr_replaced')
    expect((await stateOf(number)).length).toBeGreaterThan(30)
    await again(number)
    await passTime()
    await passTime()
    expect(await number.link()).toMatchObject({ status: 'linked' })
  })

  systemTest('to a number of another channel takes this one out of use', async () => {
    const first = await aNumber()
    const second = await linkNumber(linked, (await first.view()).credentials['displayNumber']!)
    await passTime()
    const taken = (await first.view()).credentials['displayNumber']!
    for (let n = 0; n < 2; n += 1) {
      expect(await second.view()).toMatchObject({
        isConnected: false,
        disconnectedReason: { code: 'qr_number_taken', params: { number: `+${taken}` } },
      })
      // It is given up with the keys: another phone may scan.
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

  test('that a member gives up with the channel is removed at WhatsApp', async () => {
    const number = await aNumber()
    expect((await (await linked.owner()).ask('DELETE', number.path)).status).toBe(204)
    expect(atBridge(number)).toBe('logged_out')
    await passTime()
    expect(await stateOf(number)).toEqual([])
  })

  systemTest('that a member takes out of use comes back by a new code', async () => {
    const number = await aNumber()
    const off = await (await linked.owner()).ask('POST', `${number.path}/disconnect`)
    expect(off).toMatchObject({ status: 200, body: { isConnected: false } })
    expect(atBridge(number)).toBe('logged_out')
    await passTime()
    expect((await stateOf(number)).map(({ name }) => name)).toEqual(['number'])
    expect((await number.view()).disconnectedReason?.code).toBe('channel_off_by_member')
    await again(number)
    await passTime()
    await passTime()
    expect(await number.link()).toMatchObject({ status: 'pairing' })
    const own = (await number.view()).credentials['displayNumber']!
    number.act('scan', SARA, own)
    await passTime()
    expect(await number.view()).toMatchObject({ isConnected: true, problem: null })
  })

  test('is given up here though the bridge answers nobody', async () => {
    const number = await aNumber()
    linked.qr.setAway(true)
    const answer = await (await linked.owner()).ask('DELETE', number.path)
    linked.qr.setAway(false)
    expect(answer.status).toBe(204)
    expect(world.logged.join('')).toContain('deregistration at the provider failed')
    expect(atBridge(number)).toBe('linked')
  })

  systemTest('by another phone sends nothing of what waits', async () => {
    const number = await aNumber()
    number.act('sendText', SARA, 'hello')
    await passTime()
    // The phone of another number has scanned, and nobody here knows it yet.
    const session = linked.qr.bridge.sessions.get(number.channel.credentials['reference']!)!
    session.setLink({ status: 'linked', number: '12025556790' })
    await number.reply('from another phone')
    await world.service.processAll()
    expect(linked.qr.bridge.sent.map(({ text }) => text)).not.toContain('from another phone')
  })

  systemTest('that is lost for a while holds messages back, and tells why', async () => {
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

  systemTest('survives a bridge that answers nobody', async () => {
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
