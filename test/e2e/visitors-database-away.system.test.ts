/**
 * The database is unavailable for the node that holds a visitor's streams, while another node works. The streams
 * stay open, and messages from that time are sent once it is back, each once and in order. A message of the visitor
 * is refused in that time, and stored once when the page repeats it.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { createDatabaseProxy } from '../support/database-proxy.ts'
import { createTestDatabase } from '../support/database.ts'
import { createWebsite, openWidget, staffAnswers } from '../support/visitors.ts'
import { waitUntil } from '../support/wait.ts'
import { createWorldOn } from '../support/world.ts'

const encryptionKeys = `k1:${randomBytes(32).toString('base64')}`
const database = await createTestDatabase()
const proxy = await createDatabaseProxy(database.connection)
const other = await createWorldOn(database, { encryptionKeys })
/** The node under test, which reaches its database through a proxy. */
const world = await createWorldOn(
  { ...database, connection: proxy.connection, drop: () => Promise.resolve() },
  { encryptionKeys, clock: other.clock },
)
const website = await createWebsite(other, 'web_widget')
afterAll(async () => {
  await world.close()
  await proxy.close()
  await other.close()
})

/** Lets a member reply through the other node, and sends the reply. */
async function reply(text: string): Promise<void> {
  await staffAnswers(other, website, text)
  await other.service.processAll()
}

test('streams outlive an unavailable database, and then send what they missed once', async () => {
  const visitor = await openWidget(world.url, website.key)
  await visitor.say('Hello')
  const tabs = [await visitor.listen(visitor.session.position), await visitor.listen()]
  await reply('Before')
  for (const tab of tabs) await tab.hears('Before')
  const said: string[] = ['Hello', 'Before']

  for (let time = 0; time < 3; time += 1) {
    proxy.shut()
    const mine = { clientMessageId: `mine-${time}`, text: `Do you hear me, ${time}?` }
    expect((await visitor.ask('POST', '/messages', mine)).status).toBe(503)
    for (const text of [`Away ${time}, first`, `Away ${time}, second`]) {
      await reply(text)
      said.push(text)
    }
    expect(tabs.map((tab) => tab.isEnded())).toEqual([false, false])
    expect(tabs[0]!.texts()).not.toContain(`Away ${time}, first`)
    proxy.open()
    for (const tab of tabs) await tab.hears(`Away ${time}, second`)
    // The page repeats the message until it is accepted.
    await waitUntil('it is taken', async () => {
      const { status } = await visitor.ask('POST', '/messages', mine)
      return status === 202
    })
    said.push(mine.text)
    for (const tab of tabs) await tab.hears(mine.text)
  }

  const all = await waitFor(() => tabs[0]!.texts(), said.length)
  expect(all.toSorted()).toEqual(said.toSorted())
  for (let time = 0; time < 3; time += 1) {
    const place = (text: string) => all.indexOf(`Away ${time}, ${text}`)
    expect(place('first')).toBeLessThan(place('second'))
  }
  expect(await visitor.messages().then((lines) => lines.map(({ text }) => text))).toEqual(said)
  for (const tab of tabs) await tab.close()
})

async function waitFor(texts: () => (string | null)[], count: number) {
  await waitUntil('all messages to arrive', () => texts().length >= count)
  return texts()
}
