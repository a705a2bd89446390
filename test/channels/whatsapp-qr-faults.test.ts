/** What can go wrong while the bridge of a linked number is asked for news: strange answers, lost ones, wrong order. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { POLL_LIMITS } from '../../src/limits/messaging.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { startFaultLine, type Answer, type FaultLine } from '../support/fault-line.ts'
import {
  createLinkedWorld,
  linkNumber,
  SARA,
  type LinkedNumber,
  type LinkedWorld,
} from '../support/linked-number.ts'
import { PNG } from '../support/upload-file.ts'

let linked: LinkedWorld
let line: FaultLine
let number: LinkedNumber
let serial = 0
beforeAll(async () => {
  linked = await createLinkedWorld()
  const { baseUrls } = linked.world
  line = await startFaultLine(baseUrls.qrBridge!.url, /\/events$/)
  baseUrls.qrBridge = { ...baseUrls.qrBridge!, url: line.url }
})
afterAll(async () => {
  await line.close()
  await linked.close()
})
beforeEach(async () => {
  number = await linkNumber(linked, `1202557${String((serial += 1)).padStart(4, '0')}`)
})

async function passTime(ms = SECOND_MS + 1): Promise<void> {
  linked.world.clock.advance(ms)
  await linked.world.service.processAll()
}

const textsIn = async () => {
  const rows = await linked.world.database.db.kysely
    .selectFrom('message')
    .select('text')
    .where('channelId', '=', number.channel.id)
    .orderBy('occurredAt')
    .orderBy('id')
    .execute()
  return rows.map(({ text }) => text)
}

describe('A round of asking for news', () => {
  test.each<[string, Answer]>([
    ['nothing', { status: 200, body: '{}' }],
    ['a list', { status: 200, body: '[]' }],
    ['no JSON', { status: 200, body: '<html>Hello</html>' }],
    ['4 MB of rubbish', { status: 200, body: 'x'.repeat(4 * 1_048_576) }],
    [
      '4 MB of events that are none',
      {
        status: 200,
        body: `{"cursor":9,"link":{"status":"linked"},"events":[${'0,'.repeat(2_000_000)}0]}`,
      },
    ],
    ['a fault of a machine in between', { status: 502, body: '<html>Bad gateway</html>' }],
    ['a wait that is asked for', { status: 429, headers: { 'retry-after': '30' }, body: '{}' }],
  ])(
    'answered with %s changes nothing of the link, and is not asked for at once again',
    async (_, answer) => {
      line.always({ kind: 'answer', answer })
      number.act('sendText', SARA, 'hello')
      await passTime(POLL_LIMITS.idleMs)
      const before = line.sends()
      await linked.world.service.processAll()
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

  test('whose answer is lost is told again, and what was told is known', async () => {
    number.act('sendText', SARA, 'one')
    line.next({ kind: 'cut' })
    await passTime()
    number.act('sendText', SARA, 'two')
    await passTime(2 * MINUTE_MS)
    await passTime()
    expect((await textsIn()).toSorted()).toEqual(['one', 'two'])
  })

  /** Messages of these texts cannot be written for the moment, with the database's word for why. */
  async function letFail(codes: Record<string, string>): Promise<() => Promise<unknown>> {
    const { pool } = linked.world.database.db
    const cases = Object.entries(codes).map(
      ([text, code]) =>
        `if new.text = '${text}' then raise exception 'not now' using errcode = '${code}'; end if;`,
    )
    await pool.query(`
      create or replace function stand_in_the_way() returns trigger language plpgsql as $$
      begin ${cases.join(' ')} return new; end $$;
      create or replace trigger in_the_way before insert on message
        for each row execute function stand_in_the_way()`)
    return () => pool.query('drop trigger in_the_way on message')
  }
  const [FAULT, CROWDED] = ['P0001', '55P03']

  test('that ends the link tells that last: what cannot be taken in at first is tried again', async () => {
    const end = await letFail({ heavy: FAULT })
    number.act('sendText', SARA, 'heavy')
    number.act('logOut')
    await passTime()
    expect(await number.view()).toMatchObject({ isConnected: true })
    await end()
    await passTime(MINUTE_MS)
    expect(await textsIn()).toEqual(['heavy'])
    expect((await number.view()).disconnectedReason?.code).toBe('qr_logged_out')
  })

  test('that ends the link tells it though something of it can never be taken in', async () => {
    const end = await letFail({ poison: FAULT })
    number.act('sendText', SARA, 'poison')
    number.act('replace')
    for (let n = 0; n <= POLL_LIMITS.mostTries; n += 1) await passTime(MINUTE_MS)
    expect((await number.view()).disconnectedReason?.code).toBe('qr_replaced')
    await end()
  })

  test('leaves nothing out that others were in the way of, whatever else of it cannot be taken in', async () => {
    await letFail({ poison: FAULT, crowded: CROWDED })
    for (const text of ['poison', 'crowded', 'healthy']) number.act('sendText', SARA, text)
    for (let n = 0; n <= POLL_LIMITS.mostTries; n += 1) await passTime(2 * MINUTE_MS)
    const end = await letFail({ poison: FAULT })
    for (let n = 0; n <= POLL_LIMITS.mostTries; n += 1) await passTime(2 * MINUTE_MS)
    expect((await textsIn()).toSorted()).toEqual(['crowded', 'healthy'])
    number.act('sendText', SARA, 'what follows')
    await passTime()
    expect(await textsIn()).toContain('what follows')
    await end()
  })

  test('in the wrong order tells all of it, and the newest word counts', async () => {
    const session = linked.qr.bridge.sessionOf(number.channel.credentials['reference']!)
    const newest = Math.floor(linked.world.clock.now().getTime() / SECOND_MS)
    for (const [text, ageS] of [
      ['three', 0],
      ['one', 60],
      ['two', 30],
      ['one', 60],
    ] as const) {
      const message = {
        key: {
          id: `OUT-OF-ORDER-${serial}-${text}`,
          remoteJid: `${SARA}@s.whatsapp.net`,
          fromMe: false,
        },
        messageTimestamp: newest - ageS,
        message: { conversation: text },
      }
      session.tell('messages.upsert', { type: 'notify', messages: [message] }, SARA)
    }
    await passTime()
    expect(await textsIn()).toEqual(['one', 'two', 'three'])
    const { lastCustomerAt } = await linked.world.database.db.kysely
      .selectFrom('conversation')
      .select('lastCustomerAt')
      .where('channelId', '=', number.channel.id)
      .executeTakeFirstOrThrow()
    expect(lastCustomerAt).toEqual(new Date(newest * SECOND_MS))
  })

  test('by somebody who does not know the secret of the bridge is refused, and says so', async () => {
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

  test('tells what was missed while nobody asked, with its pictures', async () => {
    const { bridge } = linked.qr
    const session = bridge.sessionOf(number.channel.credentials['reference']!)
    const mediaKey = Buffer.alloc(32, serial).toString('base64')
    bridge.media.set(mediaKey, PNG)
    const message = {
      key: { id: `MISSED-${serial}`, remoteJid: `${SARA}@s.whatsapp.net`, fromMe: false },
      messageTimestamp: Math.floor(linked.world.clock.now().getTime() / SECOND_MS) + 1,
      message: {
        imageMessage: { caption: 'Missed', mimetype: 'image/png', mediaKey, directPath: '/v/1' },
      },
    }
    session.tell('messages.upsert', { type: 'append', messages: [message] }, SARA)
    await passTime()
    await passTime()
    expect(await textsIn()).toEqual(['Missed'])
    const file = await linked.world.database.db.kysely
      .selectFrom('file')
      .select(['state', 'mediaType'])
      .where('channelId', '=', number.channel.id)
      .executeTakeFirstOrThrow()
    expect(file).toEqual({ state: 'kept', mediaType: 'image/png' })
  })
})
