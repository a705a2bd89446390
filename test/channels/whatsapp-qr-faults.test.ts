/** Failures while the bridge of a linked number is polled: invalid answers, lost ones, wrong order. */
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { POLL_LIMITS } from '../../src/core/limits/messaging.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'
import { textsOf } from '../support/records/messages.ts'
import { refuseWrites } from '../support/records/faults.ts'
import { only } from '../support/records/records.ts'
import { filesOf } from '../support/records/files.ts'
import { startFaultLine, type Answer } from '../support/fault-line.ts'
import {
  linkNewNumber,
  openLinkedWorld,
  SARA,
  type LinkedNumber,
} from '../support/linked-number.ts'
import { PNG } from '../support/upload-file.ts'
import { systemTest } from '../support/system-tests.ts'

const linked = await openLinkedWorld()
const { world, passTime } = linked
const atFirst = world.baseUrls.qrBridge!
const line = await startFaultLine(atFirst.url, /\/events$/)
world.baseUrls.qrBridge = { ...atFirst, url: line.url }
afterAll(() => line.close())
let number: LinkedNumber
let serial = 0
beforeEach(async () => {
  serial += 1
  number = await linkNewNumber(linked)
})

const textsIn = () => textsOf(world, { channelId: number.channel.id })
/** Reports a message of Sara's from the phone. */
function tell(type: 'notify' | 'append', id: string, at: number, message: object): void {
  const session = linked.qr.bridge.sessionOf(number.channel.credentials['reference']!)
  const key = { id: `${serial}-${id}`, remoteJid: `${SARA}@s.whatsapp.net`, fromMe: false }
  session.tell(
    'messages.upsert',
    { type, messages: [{ key, messageTimestamp: at, message }] },
    SARA,
  )
}
const nowS = () => Math.floor(world.clock.now().getTime() / SECOND_MS)

const NO_EVENTS = `{"cursor":9,"link":{"status":"linked"},"events":[${'0,'.repeat(2_000_000)}0]}`

describe('A poll', () => {
  test.each<[string, Answer]>([
    ['nothing', { status: 200, body: '{}' }],
    ['a list', { status: 200, body: '[]' }],
    ['no JSON', { status: 200, body: '<html>Hello</html>' }],
    ['4 MB of rubbish', { status: 200, body: 'x'.repeat(4 * 1_048_576) }],
    ['4 MB of events that are none', { status: 200, body: NO_EVENTS }],
    ['a failure of a proxy', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a requested wait', { status: 429, headers: { 'retry-after': '30' }, body: '{}' }],
  ])(
    'answered with %s changes nothing of the link, and is not repeated immediately',
    async (_, answer) => {
      line.always({ kind: 'answer', answer })
      number.act('sendText', SARA, 'hello')
      await passTime(POLL_LIMITS.idleMs)
      const before = line.sends()
      await world.service.processAll()
      expect(line.sends()).toBe(before)
      expect(await number.view()).toMatchObject({ isConnected: true })
      expect((await number.view()).problem).not.toBeNull()
      expect(await number.link()).toMatchObject({ status: 'linked' })
      line.always(null)
      await passTime(2 * MINUTE_MS)
      await passTime()
      expect(await textsIn()).toEqual(['hello'])
      expect((await number.view()).problem).toBeNull()
    },
  )

  /** Makes the database refuse messages with this text for now, as if it were overloaded or broken. */
  const refuse = (text: string, code = 'P0001') =>
    refuseWrites(world, 'a new message', { text, code })

  systemTest('with the end of the link reports that once all other events are stored', async () => {
    const end = await refuse('heavy')
    number.act('sendText', SARA, 'heavy')
    number.act('logOut')
    await passTime()
    expect(await number.view()).toMatchObject({ isConnected: true })
    await end()
    await passTime(MINUTE_MS)
    expect(await textsIn()).toEqual(['heavy'])
    expect((await number.view()).disconnectedReason?.code).toBe('qr_logged_out')
  })

  systemTest(
    'with the end of the link reports that even if some events can never be stored',
    async () => {
      const end = await refuse('poison')
      number.act('sendText', SARA, 'poison')
      number.act('replace')
      for (let n = 0; n <= POLL_LIMITS.maxTries; n += 1) await passTime(MINUTE_MS)
      expect((await number.view()).disconnectedReason?.code).toBe('qr_replaced')
      await end()
    },
  )

  systemTest('skips events that can never be stored, and no others', async () => {
    const end = await refuse('poison')
    const endCrowd = await refuse('crowded', '55P03')
    for (const text of ['poison', 'crowded', 'healthy']) number.act('sendText', SARA, text)
    for (let n = 0; n <= POLL_LIMITS.maxTries; n += 1) await passTime(2 * MINUTE_MS)
    await endCrowd()
    for (let n = 0; n <= POLL_LIMITS.maxTries; n += 1) await passTime(2 * MINUTE_MS)
    expect((await textsIn()).toSorted()).toEqual(['crowded', 'healthy'])
    number.act('sendText', SARA, 'what follows')
    await passTime()
    expect(await textsIn()).toContain('what follows')
    await end()
  })

  test('with a wrong secret of the bridge is refused, and shown as a problem', async () => {
    const { baseUrls } = linked.world
    const { qrBridge } = baseUrls
    baseUrls.qrBridge = { ...qrBridge!, secret: 'another' }
    await passTime()
    expect(await number.view()).toMatchObject({
      isConnected: true,
      problem: { code: 'qr_bridge_wrong_secret' },
    })
    baseUrls.qrBridge = qrBridge
    await passTime(2 * MINUTE_MS)
    expect((await number.view()).problem).toBeNull()
  })

  systemTest('returns missed messages with their pictures', async () => {
    const mediaKey = Buffer.alloc(32, serial).toString('base64')
    linked.qr.bridge.media.set(mediaKey, PNG)
    const picture = { caption: 'Missed', mimetype: 'image/png', mediaKey, directPath: '/v/1' }
    tell('append', 'missed', nowS() + 1, { imageMessage: picture })
    await passTime()
    await passTime()
    expect(await textsIn()).toEqual(['Missed'])
    const file = only(await filesOf(world, { channelId: number.channel.id }))
    expect(file).toMatchObject({ state: 'kept', mediaType: 'image/png' })
  })
})
