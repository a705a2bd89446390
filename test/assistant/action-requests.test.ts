/** What is sent where a model uses an action, as of a step of a flow, and what it is told where that fails. */
import { describe, expect, test } from 'vitest'
import { ACTION_LIMITS, CALL_LIMITS } from '../../src/core/limits/calls.ts'
import { COULD_NOT_CHECK, REFUSED_THERE } from '../../src/rules/calls/action-answer.ts'
import { ORDER, type ActionInput } from '../connections/action-world.ts'
import { holdTimers } from '../support/held-timers.ts'
import { say } from '../support/model-turns.ts'
import { putConnection } from '../support/records/calls.ts'
import { describeContact } from '../support/records/contacts.ts'
import { conversationOf } from '../support/records/conversations.ts'
import { API_TOKEN, hang, json, type ShopApi } from '../support/shop-api.ts'
import { systemDescribe, systemTest } from '../support/system-tests.ts'
import { ANSWER, lookUp, openTooledShop } from './tooled-shop.ts'

const { assisted, shop, api, connectionId, urls, make, told, wires } = await openTooledShop()
const { world } = assisted

const IN_EVERY_PLACE: ActionInput['request'] = {
  method: 'POST',
  path: '/orders/{{args.order}}/notes',
  query: [{ name: 'q', value: '{{args.order}}' }],
  body: '{"order":"{{args.order}}"}',
}

describe('what is sent', () => {
  test('holds the arguments in path, query, headers and body, and the connection’s credential', async () => {
    const headers = [{ name: 'X-Order', value: '{{args.order}}' }]
    await make({ request: { ...IN_EVERY_PLACE, headers } })
    await shop.asked('Note order A"7', lookUp({ order: 'A"7' }), ANSWER)
    const [request] = api.requests
    expect(request!.url).toBe('/api/orders/A%227/notes?q=A%227')
    expect(JSON.parse(request!.body)).toEqual({ order: 'A"7' })
    expect(request!.headers).toMatchObject({
      'x-order': 'A"7',
      authorization: `Bearer ${API_TOKEN}`,
    })
  })

  test.each([
    ['a b', 'a%20b'],
    ['a?b=1&c', 'a%3Fb%3D1%26c'],
    ['%2e%2e', '%252e%252e'],
    ['%2f', '%252f'],
    ['سارة', '%D8%B3%D8%A7%D8%B1%D8%A9'],
    ['a+b', 'a%2Bb'],
    ['say "hi"', 'say%20%22hi%22'],
  ])('keeps %j in its place in path, query and body', async (order, encoded) => {
    await make({ request: IN_EVERY_PLACE })
    await shop.asked('Note it', lookUp({ order }), ANSWER)
    expect(urls()).toEqual([`/api/orders/${encoded}/notes?q=${encoded}`])
    expect(JSON.parse(api.requests[0]!.body)).toEqual({ order })
  })

  test.each(['a/b', String.raw`a\b`, 'a..b', '..', '.'])(
    'is nothing where %j would leave its place in the path',
    async (order) => {
      await make({ request: IN_EVERY_PLACE })
      await shop.asked('Note it', lookUp({ order }), ANSWER)
      expect(urls()).toEqual([])
      expect(told()[0]).toContain('Nothing was called. Correct this')
    },
  )

  test('is nothing where what was left out stands in the path', async () => {
    await make({ request: IN_EVERY_PLACE, parameters: [{ ...ORDER, isRequired: false }] })
    await shop.asked('Note it', lookUp({}), ANSWER)
    expect(urls()).toEqual([])
    expect(told()[0]).toContain(COULD_NOT_CHECK)
  })

  systemTest('has no header that a value made, and the credential last of all', async () => {
    await make({
      request: {
        path: '/orders',
        headers: [
          { name: 'X-Order', value: '{{args.order}}' },
          { name: 'x-shop', value: 'of the action' },
        ],
      },
    })
    const set = (...names: string[]) => {
      const headers = names.map((name) => ({ name, value: 'of the connection' }))
      return putConnection(world, { connectionId }, { headers: JSON.stringify(headers) })
    }
    await set('X-Shop', 'X-Kind')
    await shop.asked('Note it', lookUp({ order: '7\r\nX-Admin: 1' }), lookUp(), ANSWER)
    await set()
    expect(told()[0]).toContain('Nothing was called. Correct this')
    const [request, ...more] = api.requests
    expect(more).toEqual([])
    expect(request!.headers).toMatchObject({
      'x-order': '7',
      'x-shop': 'of the action',
      'x-kind': 'of the connection',
      authorization: `Bearer ${API_TOKEN}`,
      accept: 'application/json',
      'user-agent': 'Service-Automations/1.0',
    })
    expect(request!.headers).not.toHaveProperty('x-admin')
  })

  systemTest.each([
    ['phone', (phone: string) => phone],
    ['email', () => 'sara@example.com'],
    ['contact_id', (_: string, contactId: string) => contactId],
  ] as const)('is about the customer’s own %s, whatever they say', async (identity, valueOf) => {
    await make({ identity, request: { query: [{ name: 'who', value: '{{identity}}' }] } })
    const sara = await shop.asked('hello', ANSWER)
    const { contactId } = await conversationOf(world, (await sara.conversation()).id)
    await describeContact(world, contactId!, { email: 'sara@example.com', emailFrom: 'member' })
    const thiefs = lookUp({ order: '7', identity: '+966559999999' })
    await sara.asks('I am +966559999999, thief@example.com', thiefs, lookUp(), ANSWER)
    expect(told()[0]).toContain('"identity"')
    expect(api.requests).toHaveLength(1)
    const { searchParams } = new URL(urls()[0]!, api.baseUrl)
    expect(searchParams.get('who')).toBe(valueOf(sara.phone, contactId!))
  })

  systemDescribe('is nothing', () => {
    test('where values are refused: the model is told what to correct, and may', async () => {
      const optional = { description: 'As they like', isRequired: false }
      await make({
        parameters: [
          ORDER,
          { type: 'number', name: 'lines', description: 'How many', isRequired: true },
          { type: 'yes_no', name: 'fast', ...optional },
          { type: 'one_of', values: ['S', 'L'], name: 'size', ...optional },
        ],
        request: {
          query: ['lines', 'fast', 'size'].map((name) => ({ name, value: `{{args.${name}}}` })),
        },
      })
      const long = 'x'.repeat(ACTION_LIMITS.valueChars + 1)
      await shop.asked(
        'Five of order 7',
        lookUp({ order: long, lines: 'five', fast: 'maybe', size: 'XL' }),
        lookUp({ order: '7', lines: 5, fast: true, size: 'L' }),
        ANSWER,
      )
      for (const name of ['order', 'lines', 'fast', 'size']) expect(told()[0]).toContain(name)
      expect(urls()).toEqual(['/api/orders/7?lines=5&fast=true&size=L'])
    })

    test('before the customer was asked for what is missing', async () => {
      await make()
      const sara = await shop.asked('Where is my order?', lookUp({}), say('Which order is it?'))
      expect(told()[0]).toContain('ask the customer')
      expect(urls()).toEqual([])
      await sara.asks('Number 7', lookUp(), ANSWER)
      expect(urls()).toEqual(['/api/orders/7'])
    })
  })
})

const SECRET = { error: 'a secret of the shop' }
const CHANGING: ActionInput = { request: { method: 'POST', body: null } }

describe('what the model is told where a call fails', () => {
  systemTest.each<[string, Parameters<ShopApi['reply']>[0], ActionInput]>([
    ['is answered 500', json(500, SECRET), {}],
    ['is answered 404', json(404, SECRET), {}],
    ['is answered 302', json(302, SECRET), {}],
    ['is answered too much', json(200, { ...SECRET, rest: 'y'.repeat(300_000) }), {}],
    ['is hung up on', (_, response) => void response.destroy(), {}],
    ['is not answered in time', hang, {}],
    ['changes something, and is answered 500', json(500, SECRET), CHANGING],
    ['changes something, and is answered 408', json(408, SECRET), CHANGING],
    ['changes something, and is not answered in time', hang, CHANGING],
  ])('is that it could not check, where the call %s', async (_, reply, how) => {
    await make(how)
    const timers = holdTimers(CALL_LIMITS.timeoutDefaultMs)
    api.reply(reply === hang ? timers.elapse : reply)
    const asking = shop.asked('Where is order 7?', lookUp(), ANSWER)
    await asking.finally(timers.release)
    expect(api.requests.length).toBeGreaterThan(0)
    expect(told()[0]).toContain(COULD_NOT_CHECK)
    expect(wires()).not.toContain(SECRET.error)
  })

  test.each([400, 401, 404, 409, 422, 429])(
    'is that the shop refused it, where what changes something is answered %i',
    async (status) => {
      await make(CHANGING)
      api.reply(json(status, SECRET))
      await shop.asked('Cancel order 7', lookUp(), ANSWER)
      expect(told()[0]).toContain(REFUSED_THERE)
      expect(wires()).not.toContain(SECRET.error)
    },
  )
})
