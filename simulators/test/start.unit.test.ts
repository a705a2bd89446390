/** The program that starts the simulators chooses which ones run. */
import { expect, onTestFinished, test } from 'vitest'
import { startSimulators } from '../index.ts'

const clock = { now: () => new Date(0) }

async function statusOf(url: string): Promise<number> {
  return (await fetch(url)).status
}

test('one that is started alone has the only page, and no other provider answers', async () => {
  const { telegram, url, pageUrl, close } = await startSimulators({ clock }, { telegram: {} })
  onTestFinished(close)
  expect(pageUrl).toBe(telegram.baseUrl)
  expect(await statusOf(pageUrl)).toBe(200)
  const tabs = await fetch(`${url}/simulator/api/tabs`)
  expect(await tabs.json()).toEqual({ tabs: [{ path: '/simulator/telegram', title: 'Telegram' }] })
  for (const path of ['/simulator', '/simulator/graph/v25.0/1', '/simulator/messenger']) {
    expect(await statusOf(url + path)).toBe(404)
  }
})

test('all of them share an address, with a tab for each', async () => {
  const all = await startSimulators(
    { clock },
    { voice: {}, whatsAppQr: {}, instagram: {}, messenger: {}, telegram: {}, whatsApp: {} },
  )
  onTestFinished(all.close)
  const tabs = await fetch(`${all.url}/simulator/api/tabs`)
  const titles = ['WhatsApp', 'Telegram', 'Messenger', 'Instagram'].concat([
    'WhatsApp via QR code',
    'Phone calls',
  ])
  const shown = titles.map((title) => expect.objectContaining({ title }) as object)
  expect(await tabs.json()).toEqual({ tabs: shown })
  expect(all.pageUrl).toBe(`${all.url}/simulator`)
  await all.idle()
})
