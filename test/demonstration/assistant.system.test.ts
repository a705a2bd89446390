/** The shop of the first start answers by its script, end to end: words, knowledge, the shop's API, agreement, booking. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeBanner } from '../../src/banner.ts'
import { readConfig, type Config } from '../../src/config.ts'
import { start, type Started } from '../../src/start.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { connectionUrl } from '../support/service.ts'
import { waitUntil } from '../support/wait.ts'
import { PATIENCE } from '../support/patience.ts'

const WITHIN = { timeout: 30_000 * PATIENCE }

let folder: string
let database: TestDatabase
let config: Config
let started: Started
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'wasla-scripted-'))
  database = await createTestDatabase()
  const settings = {
    DATABASE_URL: connectionUrl(database.connection),
    PORT: '0',
    SIMULATOR_PORT: '0',
    RECEIVER_PORT: '0',
    LOG_LEVEL: 'silent',
  }
  config = readConfig(settings, [], folder)
  started = await start(config, () => {})
  // Nobody here writes a second thing within the moment that is given for it.
  await database.db.pool.query('update assistant set gather_ms = 0')
})
afterAll(async () => {
  await started.stop()
  await database.drop()
  rmSync(folder, { recursive: true, force: true })
})

/** A customer who writes by hand, and what they were told last. */
function customer(from: string) {
  const { simulator } = started.demonstration!
  simulator.answerByHand({ from, isByHand: true })
  const told = () => simulator.messages().filter(({ to }) => to === from)
  return {
    say: (text: string) => void simulator.sendText({ from, text }),
    hears: async (words: RegExp) => {
      await expect
        .poll(
          () =>
            told()
              .map(({ text }) => text)
              .join('\n'),
          WITHIN,
        )
        .toMatch(words)
      // Phones tell times in seconds: what is written within the same one counts as written before.
      const heardAt = performance.now()
      await waitUntil('the next second', () => performance.now() - heardAt > 1_500)
    },
    told,
  }
}

test('what the shop has written down is read beside the start', async () => {
  const unread = async () => {
    const { rows } = await database.db.pool.query(
      `select title, state, error from knowledge_source where state <> 'ready'`,
    )
    return rows
  }
  await expect.poll(unread, WITHIN).toEqual([])
})

test('the banner says that a script answers', () => {
  expect(writeBanner(config, started)).toContain('no language model')
})

test('a question in Arabic is answered from what the shop has written down', async () => {
  const sara = customer('12025550181')
  sara.say('كم سعر التوصيل داخل الرياض؟')
  await sara.hears(/35 ريالًا/)
  expect(sara.told().at(-1)!.text).not.toContain('[')
})

test('how an order stands is asked of the shop’s API', async () => {
  const omar = customer('12025550182')
  omar.say('Where is my order 1043?')
  await omar.hears(/Status: shipped/)
  expect(omar.told()).toHaveLength(1)
})

test('an order is cancelled once the customer agreed to what code stated', async () => {
  const noura = customer('12025550183')
  noura.say('أبغى ألغي الطلب 1044')
  await noura.hears(/هل نلغي الطلب/)
  noura.say('نعم')
  await noura.hears(/تمت معالجة طلبك/)
  noura.say('وين طلبي 1044؟')
  await noura.hears(/ملغى/)
  expect(noura.told().at(-1)!.text).toContain('1044')
})

test('a visit is booked at a time that was offered', async () => {
  const lina = customer('12025550184')
  lina.say('Can I book a visit to the showroom?')
  await lina.hears(/these times are free/)
  const [time] = /\d{2}:\d{2}/.exec(lina.told().at(-1)!.text ?? '')!
  lina.say(time)
  await lina.hears(/look forward to seeing you/)
  const { rows } = await database.db.pool.query(
    `select 1 from appointment where status = 'confirmed' and created_at > now() - interval '1 minute'`,
  )
  expect(rows).toHaveLength(1)
})

test('what the shop does not know goes to staff', async () => {
  const yousef = customer('12025550185')
  yousef.say('Do you sell flying carpets to Mars?')
  await yousef.hears(/colleague/)
  const { rows } = await database.db.pool.query<{ reason: string }>(
    'select reason from handover order by opened_at desc limit 1',
  )
  expect(rows[0]!.reason).toBe('missing_information')
})
