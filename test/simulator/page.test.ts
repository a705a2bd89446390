import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { NUMBER } from './business.ts'
import { orderReadyTo, startSimulated } from './simulated.ts'
import type { Simulated } from './simulated.ts'

const CUSTOMER = '12025550101'

type PageJson = {
  chosen: string
  waitingWebhooks: number
  people: { number: string }[]
  isWindowOpen: boolean
  messages: unknown[]
}

function api({ simulator }: Simulated, path: string) {
  return fetch(`${simulator.pageUrl}/api/${path}`).then(
    (response) => response.json() as Promise<PageJson>,
  )
}

function act({ simulator }: Simulated, action: object, headers: Record<string, string> = {}) {
  return fetch(`${simulator.pageUrl}/api/actions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(action),
  })
}

/** The status of a request that says it was made to another host. */
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
    // Such a policy would stop them.
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
      expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([
        200,
        'nosniff',
      ])
      expect(await answer.text()).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|eval\(/)
    }
  })

  test('it lists the phones, and whoever is written to appears by itself', async () => {
    const simulated = await startSimulated()
    await simulated.send(orderReadyTo('+44 7700 900123'))
    await simulated.simulator.idle()
    const view = await api(simulated, 'phones')
    expect(view.chosen).toBe(NUMBER.phoneNumberId)
    expect(view.waitingWebhooks).toBe(0)
    expect(view.people[0]).toMatchObject({
      number: '447700900123',
      name: 'Customer 0123',
      unread: 1,
    })
    expect(view.people.map(({ number }) => number)).toContain(CUSTOMER)
    const query = `phoneNumberId=${NUMBER.phoneNumberId}&customer=447700900123`
    const chat = await api(simulated, `chat?${query}`)
    expect(chat.isWindowOpen).toBe(false)
    expect(chat.messages).toMatchObject([
      { status: 'delivered', content: { text: 'Hello Sara, order A-17 is ready.' } },
    ])
  })

  test('everything on it can be done through its API', async () => {
    const simulated = await startSimulated()
    const { simulator, receiver, send } = simulated
    const chat = { from: CUSTOMER, phoneNumberId: NUMBER.phoneNumberId }
    const sent = await send(orderReadyTo(CUSTOMER))
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
      { action: 'hideNumber', from: CUSTOMER, isHidden: true },
      { action: 'advanceWindow', ...chat, hours: 25 },
    ]
    for (const action of actions) {
      expect([action, (await act(simulated, action)).status]).toEqual([action, 200])
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
    const query = `phoneNumberId=${NUMBER.phoneNumberId}&customer=${CUSTOMER}`
    const view = await api(simulated, `chat?${query}`)
    expect(view).toMatchObject({ hidesNumber: true, isWindowOpen: false })
    expect((await api(simulated, 'phones')).people).toContainEqual(
      expect.objectContaining({ number: '966501234567', name: 'نورة' }),
    )
  })

  test('what cannot be done is said', async () => {
    const simulated = await startSimulated()
    const refused = async (action: object, headers = {}) => {
      const response = await act(simulated, action, headers)
      const { error } = (await response.json()) as { error: unknown }
      return [response.status, typeof error]
    }
    expect(await refused({ action: 'fly' })).toEqual([400, 'string'])
    expect(await refused({ action: 'sendText', from: CUSTOMER, text: ' ' })).toEqual([
      400,
      'string',
    ])
    expect(await refused({ action: 'addPerson', number: 'Sara' })).toEqual([409, 'string'])
    const tap = { action: 'tapButton', messageId: 'wamid.none', buttonIndex: 0 }
    expect(await refused(tap)).toEqual([409, 'string'])
    expect(await refused(tap, { 'content-type': 'text/plain' })).toEqual([415, 'string'])
  })

  test('no other page can use it, nor a name that points to this machine', async () => {
    const simulated = await startSimulated()
    const { pageUrl, url } = simulated.simulator
    const action = { action: 'sendText', from: CUSTOMER, text: 'Hi' }
    expect((await act(simulated, action, { origin: 'https://example.com' })).status).toBe(403)
    expect((await act(simulated, action, { origin: 'null' })).status).toBe(403)
    expect((await act(simulated, action, { origin: url })).status).toBe(200)
    expect(await statusFor(`${pageUrl}/api/phones`, 'rebound.example.com')).toBe(403)
    expect(await statusFor(`${pageUrl}/api/phones`, 'localhost')).toBe(200)
  })

  test('it is told at once when something changes', async () => {
    const { simulator } = await startSimulated()
    const response = await fetch(`${simulator.pageUrl}/api/changes`)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toContain('event: change')
    simulator.sendText({ from: CUSTOMER, text: 'Hi' })
    expect((await reader.read()).value).toContain('event: change')
    await reader.cancel()
  })
})
