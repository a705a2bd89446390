import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { NUMBER } from './business.ts'
import type { Simulated } from './simulated.ts'
import { CUSTOMER as SARA, orderReadyTo, startSimulated, temporaryJournal } from './simulated.ts'
import { systemTest } from '../../test/support/system-tests.ts'

const chatOf = (customer: string) =>
  `chat?phoneNumberId=${NUMBER.phoneNumberId}&customer=${customer}`

/** Returns the status of a request whose Host header names another host. */
function statusFor(url: string, host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { headers: { host } }, (response) => {
      response.resume()
      resolve(response.statusCode)
    })
    asked.on('error', reject).end()
  })
}

describe('the phone page', () => {
  test('it says that it is a simulation and runs only its own files', async () => {
    const { simulator } = await startSimulated()
    const page = await fetch(simulator.pageUrl)
    const html = await page.text()
    expect(html).toContain('SIMULATION: nothing is sent to WhatsApp')
    const policy = page.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain('unsafe')
    // A content security policy would block these.
    expect(html).not.toMatch(/\son\w+=|\sstyle=|<style|<script(?![^>]*src=)/)
    const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1])
    expect(files).toEqual([
      '/simulator/page.css',
      '/simulator/chat.css',
      '/simulator/tabs.js',
      '/simulator/page.js',
    ])
    for (const file of files) {
      const answer = await fetch(simulator.url + file)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
      expect(await answer.text()).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|eval\(/)
    }
  })

  test('it lists the phones, and adds those that the business writes to', async () => {
    const simulated = await startSimulated()
    await simulated.send(orderReadyTo('+44 7700 900123'))
    await simulated.simulator.idle()
    const view = await simulated.view('phones')
    expect(view.chosen).toBe(NUMBER.phoneNumberId)
    expect(view.waitingWebhooks).toBe(0)
    expect(view.people[0]).toMatchObject({
      number: '447700900123',
      name: 'Customer 0123',
      unread: 1,
    })
    expect(view.people.map(({ number }) => number)).toContain(SARA)
    const chat = await simulated.view(chatOf('447700900123'))
    expect(chat.isWindowOpen).toBe(false)
    expect(chat.messages).toMatchObject([
      { status: 'delivered', content: { text: 'Hello Sara, order A-17 is ready.' } },
    ])
  })

  systemTest('everything on it can be done through its API', async () => {
    const simulated = await startSimulated()
    const { simulator, receiver, send } = simulated
    const chat = { from: SARA, phoneNumberId: NUMBER.phoneNumberId }
    const sent = await send(orderReadyTo(SARA))
    const messageId = sent.json.messages[0].id
    await simulator.idle()
    const actions = [
      { action: 'readChat', ...chat },
      { action: 'addPerson', number: '+966 50 123 4567', name: 'نورة' },
      { action: 'sendText', ...chat, text: 'STOP' },
      { action: 'tapButton', messageId, buttonIndex: 1 },
      ...['image', 'voice', 'location', 'unsupported'].map((kind) => {
        return { action: 'sendSample', ...chat, kind }
      }),
      { action: 'ownerAnswers', ...chat, text: 'Yes' },
      { action: 'hideNumber', from: SARA, isHidden: true },
      { action: 'advanceWindow', ...chat, hours: 25 },
    ]
    for (const action of actions) {
      expect([action, (await simulated.act(action)).status]).toEqual([action, 200])
    }
    await simulator.idle()
    expect(receiver.statuses().at(-1)).toMatchObject({ id: messageId, status: 'read' })
    expect(receiver.messages().map(({ type }) => type)).toEqual([
      'text',
      'button',
      'image',
      'audio',
      'location',
      'unsupported',
    ])
    expect(await simulated.view(chatOf(SARA))).toMatchObject({
      hidesNumber: true,
      isWindowOpen: false,
    })
    expect((await simulated.view('phones')).people).toContainEqual(
      expect.objectContaining({ number: '966501234567', name: 'نورة' }),
    )
  })

  test('it explains why an action is refused', async () => {
    const simulated = await startSimulated()
    const refused = async (action: object, headers = {}) => {
      const response = await simulated.act(action, headers)
      const { error } = (await response.json()) as { error: unknown }
      return [response.status, typeof error]
    }
    expect(await refused({ action: 'fly' })).toEqual([400, 'string'])
    expect(await refused({ action: 'sendText', from: SARA, text: ' ' })).toEqual([400, 'string'])
    expect(await refused({ action: 'addPerson', number: 'Sara' })).toEqual([409, 'string'])
    // Without automatic answers there is nothing to switch.
    expect(await simulated.view('phones')).toMatchObject({ canAnswerAlone: false })
    const byHand = { action: 'answerByHand', from: 'Sara', isByHand: true }
    expect(await refused(byHand)).toEqual([409, 'string'])
    const tap = { action: 'tapButton', messageId: 'wamid.none', buttonIndex: 0 }
    expect(await refused(tap)).toEqual([409, 'string'])
    expect(await refused(tap, { 'content-type': 'text/plain' })).toEqual([415, 'string'])
  })

  test('no other page can use it, nor a name that points to this machine', async () => {
    const simulated = await startSimulated()
    const { pageUrl, url } = simulated.simulator
    const action = { action: 'sendText', from: SARA, text: 'Hi' }
    expect((await simulated.act(action, { origin: 'https://example.com' })).status).toBe(403)
    expect((await simulated.act(action, { origin: 'null' })).status).toBe(403)
    expect((await simulated.act(action, { origin: url })).status).toBe(200)
    expect(await statusFor(`${pageUrl}/api/phones`, 'rebound.example.com')).toBe(403)
    expect(await statusFor(`${pageUrl}/api/phones`, 'localhost')).toBe(200)
  })

  test('it gets an event as soon as something changes', async () => {
    const { simulator } = await startSimulated()
    const response = await fetch(`${simulator.pageUrl}/api/changes`)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toContain('event: change')
    simulator.sendText({ from: SARA, text: 'Hi' })
    expect((await reader.read()).value).toContain('event: change')
    await reader.cancel()
  })
})

// Customers that answer automatically, and the switch for manual answers.
const OMAR = '12025550102'
const ALONE = { autoReply: true }
const tapped = ({ receiver }: Simulated) => receiver.messages().map(({ from }) => from)

test('a phone with manual answers neither reads nor taps automatically; the others do', async () => {
  const simulated = await startSimulated(ALONE)
  const byHand = { action: 'answerByHand', from: SARA, isByHand: true }
  expect((await simulated.act(byHand)).status).toBe(200)
  await simulated.send(orderReadyTo(SARA))
  await simulated.send(orderReadyTo(OMAR))
  await simulated.simulator.idle()
  expect(tapped(simulated)).toEqual([OMAR])
  expect(simulated.simulator.messages().map(({ to, status }) => [to, status])).toEqual([
    [SARA, 'delivered'],
    [OMAR, 'read'],
  ])
  expect(await simulated.view(chatOf(SARA))).toMatchObject({ isByHand: true })
  expect(await simulated.view(chatOf(OMAR))).toMatchObject({ isByHand: false })
  // Once a person taps a button, no automatic answer follows.
  const { simulator, receiver } = simulated
  receiver.received.splice(0)
  simulator.readChat({ from: SARA, phoneNumberId: NUMBER.phoneNumberId })
  await simulator.idle()
  expect(receiver.messages()).toEqual([])
  simulator.tapButton({ from: SARA, buttonIndex: 1 })
  simulator.answerByHand({ from: SARA, isByHand: false })
  await simulator.idle()
  expect(receiver.messages()).toMatchObject([{ button: { text: 'Later' } }])
})

test('one switch is for every phone, also those that are not known yet; back again, they answer', async () => {
  const simulated = await startSimulated(ALONE)
  const { simulator } = simulated
  const before = await simulated.view('phones')
  expect(before).toMatchObject({ canAnswerAlone: true, isEverybodyByHand: false })
  await simulated.act({ action: 'answerByHand', from: null, isByHand: true })
  expect(await simulated.view('phones')).toMatchObject({ isEverybodyByHand: true })
  await simulated.send(orderReadyTo(SARA))
  await simulated.send(orderReadyTo('+44 7700 900123'))
  await simulator.idle()
  expect(tapped(simulated)).toEqual([])
  await simulated.act({ action: 'answerByHand', from: null, isByHand: false })
  await simulated.send(orderReadyTo(OMAR))
  await simulator.idle()
  expect(tapped(simulated)).toEqual([OMAR])
})

test('nothing is tapped for a phone that a person takes while the customer still looks at the message', async () => {
  const simulated = await startSimulated({ autoReply: { afterMs: 100 } })
  const { simulator } = simulated
  await simulated.send(orderReadyTo(SARA))
  await expect.poll(() => simulator.messages()[0]?.status, { interval: 5 }).toBe('read')
  simulator.answerByHand({ from: SARA, isByHand: true })
  await simulator.idle()
  expect(tapped(simulated)).toEqual([])
})

systemTest('the switches are there again after a restart', async () => {
  const options = { ...ALONE, journalFile: temporaryJournal() }
  const first = await startSimulated(options)
  first.simulator.answerByHand({ from: SARA, isByHand: true })
  first.simulator.answerByHand({ from: null, isByHand: true })
  first.simulator.answerByHand({ from: OMAR, isByHand: true })
  first.simulator.answerByHand({ from: OMAR, isByHand: false })
  await first.simulator.close()
  const second = await startSimulated(options)
  expect(await second.view('phones')).toMatchObject({ isEverybodyByHand: true })
  // The third start reads the file that the second has rewritten.
  await second.simulator.close()
  const third = await startSimulated(options)
  third.simulator.answerByHand({ from: null, isByHand: false })
  await third.send(orderReadyTo(SARA))
  await third.send(orderReadyTo(OMAR))
  await third.simulator.idle()
  expect(tapped(third)).toEqual([OMAR])
})

test('a phone that was known by its number alone has its name from the start on at which it got one', async () => {
  const journalFile = temporaryJournal()
  const first = await startSimulated({ journalFile })
  await first.send(orderReadyTo('12025550143'))
  first.simulator.addPerson({ number: '12025550144', name: 'Renamed' })
  await first.simulator.close()
  const customers = [
    { number: '12025550143', name: 'Sara' },
    { number: '12025550144', name: 'Omar' },
  ]
  const second = await startSimulated({ journalFile, customers })
  expect(await second.view(chatOf('12025550143'))).toMatchObject({ name: 'Sara' })
  expect(await second.view(chatOf('12025550144'))).toMatchObject({ name: 'Renamed' })
})
