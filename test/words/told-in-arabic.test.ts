/** What the API answers and what rows of a shop hold: facts, told in the language of who asks. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeliveryDetail } from '../../src/contract/dashboard/delivery.ts'
import type { EndpointView } from '../../src/contract/dashboard/endpoint.ts'
import type { RunDetail } from '../../src/contract/dashboard/run.ts'
import { transaction } from '../../src/database/transaction.ts'
import { createEndpoint } from '../../src/endpoints/create-endpoint.ts'
import { readFact } from '../../src/facts/stored-fact.ts'
import { SENTENCES } from '../../src/words/tell-fact.ts'
import { askApi, signedIn, type Answer, type Member } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'

const ARABIC = /[\u0621-\u064A]/

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
let owner: Member
let agent: Member
const made = { runId: '', endpointId: '', deliveryId: '' }

async function ask<Body = Problem>(
  method: string,
  path: string,
  { json, by = owner, language = 'ar-SA, en;q=0.5' }: Asked = {},
): Promise<Answer<Body>> {
  const headers = { authorization: `Bearer ${by.token}`, 'accept-language': language }
  return askApi<Body>(world.url, method, path, { json, headers })
}
type Asked = { json?: unknown; by?: Member; language?: string }

const company = () => `/companies/${shop.companyId}`

beforeAll(async () => {
  world = await createWorld({ resolve: () => Promise.resolve(['10.0.0.5']) })
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
  owner = await signedIn(world, { accountId: shop.accountId })
  agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
  const { kysely } = world.database.db
  const { db, ids, clock } = world.service.context
  const { endpointId } = await transaction(db, (tx) =>
    createEndpoint(
      tx,
      { ids, keyRing: world.service.keyRing, now: clock.now() },
      {
        companyId: shop.companyId,
        name: 'Of the shop',
        url: 'https://shop.example.com',
        eventTypes: ['flow.failed'],
      },
    ),
  )
  // A run that fails with its step, and the event of it, which is not delivered.
  await kysely.updateTable('template').set({ status: 'PAUSED' }).execute()
  made.runId = await shop.order(newPhone())
  await whatsApp.settle()
  await world.service.processAll()
  const delivery = await kysely
    .selectFrom('webhookDelivery')
    .select('id')
    .where('endpointId', '=', endpointId)
    .where('lastError', 'is not', null)
    .executeTakeFirstOrThrow()
  made.deliveryId = delivery.id
  made.endpointId = endpointId
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

describe('A refusal', () => {
  const NOBODY = '00000000-0000-4000-8000-000000000000'
  const refusals: [string, () => Promise<Answer<Problem>>][] = [
    ['of an address where nothing is', () => ask('GET', '/nothing')],
    ['of an id that is none', () => ask('GET', '/companies/x/runs')],
    ['of a company of nobody', () => ask('GET', `/companies/${NOBODY}/runs`)],
    ['of a run that is not there', () => ask('GET', `${company()}/runs/${NOBODY}`)],
    ['of a flow that is not there', () => ask('GET', `${company()}/flows/${NOBODY}`)],
    ['of an endpoint', () => ask('GET', `${company()}/endpoints/${NOBODY}`)],
    ['of a delivery', () => ask('GET', `${company()}/deliveries/${NOBODY}`)],
    ['of a connection', () => ask('GET', `${company()}/connections/${NOBODY}`)],
    ['of an action', () => ask('GET', `${company()}/actions/${NOBODY}`)],
    ['of a hook URL', () => ask('GET', `${company()}/hook-urls/${NOBODY}`)],
    ['of a page', () => ask('GET', `${company()}/runs?limit=0&cursor=x`)],
    ['of fields', () => ask('POST', '/companies', { json: { colour: 'red' } })],
    ['of a name', () => ask('POST', `${company()}/flows`, { json: { name: 'x'.repeat(81) } })],
    ['of a role', () => ask('GET', `${company()}/runs`, { by: agent })],
    [
      'of a private address',
      () =>
        ask('POST', `${company()}/endpoints`, {
          json: { name: 'x', url: 'https://shop.example.com', eventTypes: ['flow.failed'] },
        }),
    ],
    [
      'of a credential',
      () =>
        ask('POST', `${company()}/connections`, {
          json: {
            name: 'x',
            baseUrl: 'https://shop.example.com',
            auth: { kind: 'bearer', token: 'a\nb' },
          },
        }),
    ],
    ['of who is not signed in', () => ask('GET', '/session', { by: { ...owner, token: 'none' } })],
    [
      'of a password',
      () =>
        askApi(world.url, 'POST', '/session', {
          json: { email: 'a@example.com', password: 'wrong-password', client: 'program' },
          headers: { 'accept-language': 'ar' },
        }),
    ],
  ]

  test.each(refusals)('%s is told in Arabic to who asks for Arabic', async (_, refuse) => {
    const { status, headers, body } = await refuse()
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect([headers.get('content-language'), headers.get('vary')]).toEqual([
      'ar',
      'Accept-Language',
    ])
    expect([body.title, body.detail]).toEqual([
      expect.stringMatching(ARABIC),
      expect.stringMatching(ARABIC),
    ])
    expect(Object.keys(SENTENCES.ar)).toContain(body.reason)
    for (const error of body.errors ?? []) {
      expect(error.message).toMatch(ARABIC)
      expect(Object.keys(SENTENCES.ar)).toContain(error.code)
    }
  })

  test('is told in English to everybody else, by the same codes', async () => {
    const [inArabic, inEnglish] = await Promise.all(
      ['ar', 'fr'].map((language) => ask('GET', `${company()}/runs?limit=0`, { language })),
    )
    expect(inEnglish!.headers.get('content-language')).toBe('en')
    expect(inEnglish!.body).toMatchObject({
      detail: 'Some fields are not as they must be.',
      errors: [{ field: 'limit', message: 'must be at least 1' }],
    })
    const codesOf = ({ body }: Answer<Problem>) => [
      body.code,
      body.reason,
      body.params,
      body.errors!.map(({ field, code, params }) => [field, code, params]),
    ]
    expect(codesOf(inArabic!)).toEqual(codesOf(inEnglish!))
  })
})

describe('In the history', () => {
  test('a run and its steps say in Arabic why they ended', async () => {
    const { body } = await ask<RunDetail>('GET', `${company()}/runs/${made.runId}`)
    expect(body.endDetail).toMatchObject({
      code: 'template_not_approved',
      text: expect.stringMatching(ARABIC),
    })
    expect(body.steps[0]!.detail!.text).toMatch(ARABIC)
  })

  test('a delivery says in Arabic what happened and what to do, and nothing twice', async () => {
    const path = `${company()}/deliveries/${made.deliveryId}`
    const { body } = await ask<DeliveryDetail>('GET', path)
    expect(body.stateMessage.text).toMatch(ARABIC)
    const { message, hint, detail } = body.log[0]!.error!
    for (const told of [message, hint]) expect(told.text).toMatch(ARABIC)
    // That nobody listens there is what the message says.
    expect(detail).toBe(null)
    const inEnglish = await ask<DeliveryDetail>('GET', path, { language: 'en' })
    expect(inEnglish.body.log[0]!.error!.message).toEqual({
      ...message,
      text: expect.stringMatching(/^[A-Z].*\.$/),
    })
  })

  test('an endpoint says in Arabic why it is off', async () => {
    const path = `${company()}/endpoints/${made.endpointId}/switch-off`
    const { body } = await ask<EndpointView>('POST', path)
    expect(body.off!.message).toMatchObject({
      code: 'endpoint_off_by_member',
      text: expect.stringMatching(ARABIC),
    })
  })
})

describe('No sentence is stored in a row', () => {
  const columns = [
    ['flow_run', 'end_detail'],
    ['flow_run_step', 'detail'],
    ['delivery_attempt', 'error_detail'],
  ] as const

  test.each(columns)('%s.%s holds facts', async (table, column) => {
    const { rows } = await world.database.db.pool.query<{ stored: string }>(
      `select ${column} as stored from ${table} where ${column} is not null`,
    )
    expect(rows.length).toBeGreaterThan(0)
    for (const { stored } of rows) {
      const fact = readFact(stored)
      expect(Object.keys(fact).toSorted()).toEqual(['code', 'params'])
      expect(Object.keys(SENTENCES.en)).toContain(fact.code)
    }
  })

  test('a hook is answered in English, whatever its caller speaks', async () => {
    const response = await fetch(`${world.url}/hooks/none`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': 'ar' },
      body: '{}',
    })
    expect(await response.json()).toMatchObject({
      status: 'not_found',
      detail: 'No hook has this token. Copy the URL from the flow builder again.',
    })
  })
})
