/** The events of a poll that are used, and the state that is stored, with a bridge whose answers the test chooses. */
import { beforeEach, describe, expect, test } from 'vitest'
import type { ProviderExchange } from '../../src/modules/channels/provider/http-exchange.ts'
import type {
  BridgeClient,
  BridgeCall,
} from '../../src/modules/channels/whatsapp-qr/bridge-client.ts'
import { pollBridge } from '../../src/modules/channels/whatsapp-qr/poll.ts'
import { sendByBridge } from '../../src/modules/channels/whatsapp-qr/send.ts'
import { BRIDGE_LIMITS } from '../../src/core/limits/messaging.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/core/limits/units.ts'

const OWN = '12025550120'
const OWN_LID = '998877665544332'
const SARA = '12025550121'
const START_MS = Date.parse('2026-11-21T10:00:00.000Z')
const address = { url: 'http://bridge', secret: 's' }
const channel = { route: 'r', account: 'r', settings: {}, isSimulated: false, credentials: {} }
const linked = { status: 'linked', number: OWN }

const answered = (status: number, json: unknown): ProviderExchange => ({
  outcome: 'answered',
  status,
  retryAfter: undefined,
  location: undefined,
  bytes: Buffer.from(JSON.stringify(json)),
})

let nowMs: number
let kept: Map<string, string>
let asked: BridgeCall[]
beforeEach(() => {
  nowMs = START_MS
  kept = new Map([['session', 's']])
  asked = []
})

const bridgeThat = (answer: ProviderExchange): BridgeClient => ({
  call(_, call) {
    asked.push(call)
    const isOpen = call.path.at(-1) === 'open'
    return Promise.resolve(isOpen ? answered(200, { session: 'another' }) : answer)
  },
})
const noSession = answered(409, { error: { code: 'no_session', message: '' } })

let cursor = 0
/** Polls once at the current time with this answer, and stores the state that the poll returns. */
async function round(told: object, answer?: ProviderExchange) {
  cursor += 1
  const full = { cursor, events: [], keep: {}, link: linked, ...told }
  const bridge = bridgeThat(answer ?? answered(200, full))
  const polled = await pollBridge(
    { bridge, address, channel },
    {
      recall: (names) =>
        Promise.resolve(new Map([...kept].filter(([name]) => names.includes(name)))),
      waitMs: 0,
      signal: new AbortController().signal,
      webhookUrl: null,
      receivedAt: new Date(nowMs),
    },
  )
  if (polled.outcome !== 'polled') throw new Error(`refused: ${polled.error.code}`)
  for (const [name, value] of Object.entries(polled.keep ?? {})) {
    if (value === null) kept.delete(name)
    else kept.set(name, value)
  }
  return polled
}

const written = (type: 'append' | 'notify', atMs: number, key: object = {}) => ({
  event: 'messages.upsert',
  data: {
    type,
    messages: [
      {
        key: { id: `A${atMs}`, remoteJid: `${SARA}@s.whatsapp.net`, fromMe: false, ...key },
        messageTimestamp: Math.floor(atMs / SECOND_MS),
        message: { conversation: 'hi' },
      },
    ],
  },
})
const kindsOf = ({ events }: { events: readonly { kind: string }[] }) =>
  events.map((one) => one.kind)

/** Polls a number of times at an interval. */
async function rounds(times: number, everyMs: number, report: () => object = () => ({})) {
  for (let n = 0; n < times; n += 1) {
    nowMs += everyMs
    await round(report())
  }
}

/** Links the number for an hour, with a poll every half minute. */
async function linkForAnHour(): Promise<void> {
  await round({})
  await rounds(120, 30 * SECOND_MS)
}

/** Returns the kinds of provider events that result from events. */
const kindsFrom = async (...events: object[]) => kindsOf(await round({ events }))

describe('A message written while the number was away', () => {
  const away = { status: 'connecting', number: OWN, code: '428' }

  test('is new even if an earlier poll was linked again and had no events', async () => {
    await linkForAnHour()
    const brokenAtMs = nowMs
    await round({ link: away })
    nowMs += 20 * MINUTE_MS
    await round({})
    nowMs += SECOND_MS
    const missed = written('append', brokenAtMs + MINUTE_MS)
    expect(await kindsFrom(missed)).toEqual(['message'])
    // These events of the same break arrive still later.
    nowMs += 2 * MINUTE_MS
    await round({})
    const later = written('append', brokenAtMs + 2 * MINUTE_MS)
    expect(await kindsFrom(later)).toEqual(['message'])
  })

  test('is new however late it arrives', async () => {
    await linkForAnHour()
    const brokenAtMs = nowMs
    await round({ link: away })
    nowMs += HOUR_MS
    await round({})
    for (let minute = 1; minute <= 20; minute += 1) {
      nowMs += MINUTE_MS
      // Events without a customer, such as those of a group, belong to the backlog too.
      const remoteJid = minute % 2 === 0 ? `${SARA}@s.whatsapp.net` : '120363@g.us'
      const missed = written('append', brokenAtMs + minute * MINUTE_MS, { remoteJid })
      const kind = minute % 2 === 0 ? 'message' : 'ignored'
      expect(await kindsFrom(missed)).toEqual([kind])
    }
    // The service's own messages in an echo do not extend the backlog.
    const ours = { id: `3EB0${'A'.repeat(32)}5751`, fromMe: true }
    await rounds(10, MINUTE_MS, () => ({ events: [written('append', nowMs, ours)] }))
    expect(Date.parse(kept.get('seen')!)).toBe(nowMs - BRIDGE_LIMITS.seenLagMs)
  })

  test('is new if no poll happened meanwhile, and the bridge knows no session', async () => {
    await linkForAnHour()
    const brokenAtMs = nowMs
    nowMs += HOUR_MS
    await round({}, noSession)
    expect(kept.get('session')).toBe('another')
    await round({})
    nowMs += MINUTE_MS
    await round({})
    const missed = written('append', brokenAtMs + MINUTE_MS)
    expect(await kindsFrom(missed)).toEqual(['message'])
  })

  test('is history if it was written long before the break', async () => {
    await linkForAnHour()
    await round({ link: away })
    nowMs += 20 * MINUTE_MS
    await round({})
    const old = written('append', START_MS + 30 * MINUTE_MS)
    expect(await kindsFrom(old)).toEqual(['ignored'])
  })

  test('from before the first link is never used', async () => {
    await round({ link: { status: 'pairing', qr: '2@code' } })
    nowMs += MINUTE_MS
    const before = written('append', nowMs - 10 * SECOND_MS)
    expect(kindsOf(await round({}))).toEqual(['channel_state'])
    expect(await kindsFrom(before)).toEqual(['ignored'])
    nowMs += BRIDGE_LIMITS.seenLagMs
    await round({})
    nowMs += 10 * MINUTE_MS
    expect(await kindsFrom(before)).toEqual(['ignored'])
  })

  test('is recognised by a time that lags, and is stored once a minute at most', async () => {
    await round({})
    const moments = new Set<string | undefined>()
    for (let passedMs = 0; passedMs < 20 * MINUTE_MS; passedMs += 10 * SECOND_MS) {
      nowMs += 10 * SECOND_MS
      await round({})
      const seen = kept.get('seen')
      moments.add(seen)
      expect(Date.parse(seen!)).toBeLessThanOrEqual(
        Math.max(START_MS, nowMs - BRIDGE_LIMITS.seenLagMs),
      )
    }
    expect(Date.parse(kept.get('seen')!)).toBeGreaterThan(
      nowMs - BRIDGE_LIMITS.seenLagMs - BRIDGE_LIMITS.seenEveryMs,
    )
    expect(moments.size).toBe(16)
  })

  test('is recognised again immediately after the clock was set back', async () => {
    await linkForAnHour()
    nowMs = START_MS - HOUR_MS
    await round({})
    const missed = written('append', nowMs - MINUTE_MS)
    expect(await kindsFrom(missed)).toEqual(['message'])
    await rounds(10, MINUTE_MS)
    expect(Date.parse(kept.get('seen')!)).toBe(nowMs - BRIDGE_LIMITS.seenLagMs)
  })
})

test('A number that is linked again reports that alone, and its events only in the next poll', async () => {
  const live = written('notify', nowMs)
  const first = await round({ cursor: 7, events: [live] })
  expect(first.events).toMatchObject([{ kind: 'channel_state', isConnected: true }])
  const second = await round({ cursor: 7, events: [live] })
  expect(asked.at(-1)!.json).toMatchObject({ after: 0 })
  expect(kindsOf(second)).toEqual(['message'])
  await round({ cursor: 7 })
  expect(asked.at(-1)!.json).toMatchObject({ after: 7 })
})

describe("An event of a number not yet known to be this channel's", () => {
  const live = () => [written('notify', nowMs)]

  test.each(['connecting', 'linked', 'replaced', 'logged_out'])(
    'is dropped when another phone is %s',
    async (status) => {
      kept.set('number', '12025550999')
      const told = await round({ events: live(), link: { status, number: OWN } })
      expect(told.events).toMatchObject([{ kind: 'channel_state', isConnected: false }])
      if (['replaced', 'logged_out'].includes(status)) return
      expect(told.events).toMatchObject([{ why: { code: 'qr_other_number' } }])
      expect(asked.at(-1)!.path).toEqual(['numbers', 'r', 'logout'])
      expect(kept.has('session')).toBe(false)
    },
  )

  test('waits until the number is first linked, and is then reported again', async () => {
    const connecting = { status: 'connecting', code: '515' }
    expect(kindsOf(await round({ cursor: 7, events: live(), link: connecting }))).toEqual([])
    expect(kept.has('cursor')).toBe(false)
    expect(kindsOf(await round({ cursor: 7, events: live() }))).toEqual(['channel_state'])
    expect(kindsOf(await round({ cursor: 7, events: live() }))).toEqual(['message'])
  })

  test('belongs to the number even if its first link is lost before a poll', async () => {
    const link = { status: 'connecting', number: OWN, code: '428' }
    const first = await round({ cursor: 7, events: live(), link })
    expect(first.events).toMatchObject([{ kind: 'channel_state', displayNumber: OWN }])
    expect(kindsOf(await round({ cursor: 7, events: live(), link }))).toEqual(['message'])
    expect(kept.get('cursor')).toBe('7')
  })

  test('waits again after the link was removed, until the same number is back', async () => {
    await round({})
    await round({ link: { status: 'logged_out' } })
    kept.set('session', 's')
    const connecting = { status: 'connecting', code: '515' }
    expect(kindsOf(await round({ cursor: 7, events: live(), link: connecting }))).toEqual([])
    await round({})
    expect(kindsOf(await round({ cursor: 7, events: live() }))).toEqual(['message'])
  })
})

describe('A message of the owner to themselves', () => {
  test.each<[string, object]>([
    ['by the own number', { remoteJid: `${OWN}@s.whatsapp.net` }],
    ['by an own device', { remoteJid: `${OWN}:3@s.whatsapp.net` }],
    [
      'by the own lid and number',
      { remoteJid: `${OWN_LID}@lid`, remoteJidAlt: `${OWN}@s.whatsapp.net` },
    ],
    ['by the own lid', { remoteJid: `${OWN_LID}@lid` }],
    ['to a list', { remoteJid: '1749416383@broadcast', participant: '5@lid' }],
  ])('is ignored, %s', async (_, key) => {
    const link = { ...linked, lid: `${OWN_LID}@lid` }
    await round({ link })
    const note = written('notify', nowMs, { fromMe: true, ...key })
    expect(kindsOf(await round({ link, events: [note] }))).toEqual(['ignored'])
  })

  test('is recognised by the own lid, even if the link does not contain it any more', async () => {
    await round({ link: { ...linked, lid: `${OWN_LID}@lid` } })
    const note = () => written('notify', nowMs, { fromMe: true, remoteJid: `${OWN_LID}@lid` })
    for (const link of [{ status: 'connecting' }, { status: 'connecting' }, linked, linked]) {
      expect(kindsOf(await round({ link, events: [note()] }))).not.toContain('echo')
    }
  })

  test('is recognised by the own number next to a lid, unless that lid is another’s', async () => {
    await round({})
    const key = { fromMe: true, remoteJid: '5@lid', remoteJidAlt: `${OWN}@s.whatsapp.net` }
    const events = [written('notify', nowMs, key)]
    expect(kindsOf(await round({ events }))).toEqual(['ignored'])
    const { events: reported } = await round({ link: { ...linked, lid: `${OWN_LID}@lid` }, events })
    expect(reported).toMatchObject([{ kind: 'echo' }])
    expect(reported[0]).toHaveProperty('customer', { lid: '5@lid' })
  })

  test('is recognised by the stored number, if the link does not contain it', async () => {
    await round({})
    const note = written('notify', nowMs, { fromMe: true, remoteJid: `${OWN}@s.whatsapp.net` })
    expect(kindsOf(await round({ link: { status: 'connecting' }, events: [note] }))).toEqual([
      'ignored',
    ])
  })

  test('differs from one to a customer, which is an echo', async () => {
    await round({})
    const reply = written('notify', nowMs, { fromMe: true })
    expect(await kindsFrom(reply)).toEqual(['echo'])
  })
})

test('A send to a bridge without a session was not sent, and is tried again', async () => {
  const bridge = bridgeThat(noSession)
  const sent = await sendByBridge(
    { bridge, address, route: 'r', from: OWN },
    { number: SARA },
    { kind: 'text', text: 'hi' },
    { ourReference: `o_${'a'.repeat(32)}`, file: null },
  )
  expect(sent).toMatchObject({
    outcome: 'refused',
    error: { code: 'no_session', class: 'transient' },
  })
  expect(asked.at(-1)!.json).toMatchObject({ from: OWN, to: { number: SARA } })
})
