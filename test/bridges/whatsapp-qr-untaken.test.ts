/** Events of a number that happen while Wasla does not poll: the bridge loses none of them. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { messageOf, playBridge } from './played-bridge.ts'
import { systemTest } from '../support/system-tests.ts'

/** The test moves the bridge's clock, so the minutes without a poll take no time. */
const MINUTE = 60_000

let played: Awaited<ReturnType<typeof playBridge>>
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
  played = await playBridge()
  await played.pair()
  // The second poll acknowledges the events that came with the pairing.
  await played.round()
  await played.round()
})
afterEach(async () => {
  await played.close()
  vi.useRealTimers()
})

test('an event waits however long Wasla is away, with WhatsApp closed so that it keeps later ones', async () => {
  played.tell('A1')
  await played.last().state.keys.set({ session: { c: 'three' } })
  vi.advanceTimersByTime(3 * MINUTE)
  expect(played.last().isEnded).toBe(true)
  const count = played.sockets.length
  vi.advanceTimersByTime(24 * 60 * MINUTE)
  expect(await played.reported()).toEqual(['A1'])
  // The next poll connects the number again, with its latest keys.
  await expect.poll(() => played.sockets.length).toBe(count + 1)
  expect(await played.last().state.keys.get('session', ['c'])).toEqual({ c: 'three' })
  played.open()
  await played.round()
  expect(played.link()).toMatchObject({ status: 'linked' })
  expect(played.sockets).toHaveLength(count + 1)
})

systemTest(
  'events come in pages that can be read within seconds, and a larger event comes alone',
  async () => {
    const media = 'x'.repeat(3 * 1_048_576)
    for (const id of ['A1', 'A2', 'A3']) {
      played.last().onEvent('messages.upsert', { ...messageOf(id), media })
    }
    played.last().onEvent('messages.upsert', { ...messageOf('A4'), media: media + media })
    for (const id of ['A1', 'A2', 'A3', 'A4']) {
      expect(await played.reported()).toEqual([id])
    }
    expect((await played.round()).events).toEqual([])
  },
)

test('events are reported before the end of the link, after which no poll follows', async () => {
  for (let at = 0; at < 501; at += 1) played.tell(`A${at}`)
  played.drop(440)
  expect((await played.round()).events).toHaveLength(500)
  expect((await played.round()).events).toMatchObject([
    { providerMessageId: 'A500' },
    { kind: 'channel_state', isConnected: false },
  ])
})

test('an event is reported again in the session of a process that opens the number again', async () => {
  played.tell('A1')
  played.kept.delete('session')
  await played.round()
  expect(played.last().isEnded).toBe(true)
  expect(await played.reported()).toEqual(['A1'])
})

test('an event is dropped when the number is linked again', async () => {
  played.tell('A1')
  played.kept = new Map()
  await played.round()
  expect((await played.round()).events).toEqual([])
})

test('a session without a poll keeps its events for a week, and ends sooner if it has none', async () => {
  const session = played.kept.get('session')
  vi.advanceTimersByTime(3 * MINUTE)
  await played.round()
  expect(played.kept.get('session')).not.toBe(session)
  await played.round()
  played.tell('A1')
  vi.advanceTimersByTime(8 * 24 * 60 * MINUTE)
  expect((await played.round()).events).toEqual([])
  expect((await played.round()).events).toEqual([])
})

systemTest('the bridge keeps 5,000 events and leaves the rest with WhatsApp', async () => {
  const socketsBefore = played.sockets.length
  for (let at = 0; at < 5_004; at += 1) played.tell(`A${at}`)
  const told = (await played.round()).events
  expect(played.last().isEnded).toBe(true)
  // While many events wait, nothing is opened: each connection brings more of them than a page
  // takes away.
  for (let page = 0; page < 9; page += 1) {
    told.push(...(await played.round()).events)
    expect(played.sockets).toHaveLength(socketsBefore)
  }
  told.push(...(await played.round()).events)
  expect(told).toHaveLength(5_004)
  expect(told.at(-1)).toMatchObject({ providerMessageId: 'A5003' })
  await expect.poll(() => played.sockets.length).toBe(socketsBefore + 1)
})

test('a new connection is opened once the one before has ended', async () => {
  const count = played.sockets.length
  const { promise, resolve } = Promise.withResolvers<void>()
  played.lingers = promise
  vi.advanceTimersByTime(2 * MINUTE + 15_000)
  expect(played.last().isEnded).toBe(true)
  for (let round = 0; round < 3; round += 1) await played.round()
  expect(played.sockets).toHaveLength(count)
  resolve()
  await expect.poll(() => played.sockets.length).toBe(count + 1)
})

systemTest(
  'the link says why the connection ended, even if the limit of events is reached then',
  async () => {
    for (let at = 0; at < 4_999; at += 1) played.tell(`A${at}`)
    // Baileys reports an event that it holds back when the socket closes.
    played.tell('A4999')
    played.drop(440)
    for (let page = 0; page < 10; page += 1) await played.round()
    expect(played.link()).toMatchObject({ status: 'replaced', code: '440' })
  },
)

test('each page, and the next session, says which number the events belong to', async () => {
  const own = { number: '12025550120', lid: '998877665544332@lid' }
  played.last().onUpdate({ connection: 'open', ...own })
  for (let at = 0; at < 501; at += 1) played.tell(`A${at}`)
  played.drop(440)
  await played.round()
  expect(played.link()).toEqual({ status: 'connecting', ...own })
  played.kept.delete('session')
  await played.round()
  await played.round()
  expect(played.link()).toMatchObject({ status: 'connecting', number: own.number })
})

test('a bridge that is stopping ends after Wasla has polled its events', async () => {
  played.tell('A1')
  const closing = played.bridge.close(20 * MINUTE)
  expect(played.last().isEnded).toBe(true)
  expect(await played.reported()).toEqual(['A1'])
  // The bridge sends no more messages, and Wasla may try again.
  expect(await played.send({ kind: 'text', text: 'hello' })).toMatchObject({
    outcome: 'refused',
    error: { code: 'not_connected', class: 'transient' },
  })
  // The next poll acknowledges the event.
  await played.round()
  await closing
})
