/** Responses of the API and rows of a shop hold facts, which are formatted in the language of the reader. */
import { describe, expect, test } from 'vitest'
import type { DeliveryDetail } from '../../src/contract/dashboard/delivery.ts'
import type { EndpointView } from '../../src/contract/dashboard/endpoint.ts'
import type { Page } from '../../src/contract/dashboard/page.ts'
import type { RunDetail, RunStepView } from '../../src/contract/dashboard/run.ts'
import { transaction } from '../../src/infra/database/transaction.ts'
import { createEndpoint } from '../../src/modules/endpoints/create-endpoint.ts'
import { parseFact } from '../../src/core/facts/stored-fact.ts'
import { SENTENCES } from '../../src/i18n/format-fact.ts'
import { apiRequest, signedIn, type Answer, type Member } from '../support/dashboard.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { runOf, runStepsOf } from '../support/records/runs.ts'
import { putTemplates } from '../support/records/templates.ts'
import { newPhone } from '../support/simulator.ts'
import type { Problem } from '../../src/contract/dashboard/problem.ts'
import { openWhatsApp } from '../support/open-world.ts'
import { systemTest } from '../support/system-tests.ts'

const ARABIC = /[\u0621-\u064A]/

async function ask<Body = Problem>(
  method: string,
  path: string,
  { json, by = owner, language = 'ar-SA, en;q=0.5' }: Asked = {},
): Promise<Answer<Body>> {
  const headers = { authorization: `Bearer ${by.token}`, 'accept-language': language }
  return apiRequest<Body>(world.url, method, path, { json, headers })
}
type Asked = { json?: unknown; by?: Member; language?: string }

const { world, whatsApp } = await openWhatsApp({ resolve: () => Promise.resolve(['10.0.0.5']) })
const shop = await whatsApp.openShop()
const company = `/companies/${shop.companyId}`
const owner = await signedIn(world, { accountId: shop.accountId })
const agent = await signedIn(world, { accountId: shop.accountId, role: 'agent' })
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
await putTemplates(world, shop, { status: 'PAUSED' })
const runId = await shop.order(newPhone())
await whatsApp.settle()
await world.service.processAll()
const [delivery] = await deliveriesOf(world, shop, { endpointId })
const deliveryId = delivery!.id

describe('A refusal', () => {
  const NOBODY = '00000000-0000-4000-8000-000000000000'
  const url = 'https://shop.example.com'
  const endpoint = { name: 'x', url, eventTypes: ['flow.failed'] }
  const connection = { name: 'x', baseUrl: url, auth: { kind: 'bearer', token: 'a\nb' } }
  const wrongPassword = { email: 'a@example.com', password: 'wrong-password', client: 'program' }
  const refusals: [what: string, method: string, path: string, asked?: Asked][] = [
    ['of an address where nothing is', 'GET', '/nothing'],
    ['of an id that is none', 'GET', '/companies/x/runs'],
    ['of a company of nobody', 'GET', `/companies/${NOBODY}/runs`],
    ['of a run that is not there', 'GET', `${company}/runs/${NOBODY}`],
    ['of a flow that is not there', 'GET', `${company}/flows/${NOBODY}`],
    ['of an endpoint', 'GET', `${company}/endpoints/${NOBODY}`],
    ['of a delivery', 'GET', `${company}/deliveries/${NOBODY}`],
    ['of a connection', 'GET', `${company}/connections/${NOBODY}`],
    ['of an action', 'GET', `${company}/actions/${NOBODY}`],
    ['of a hook URL', 'GET', `${company}/hook-urls/${NOBODY}`],
    ['of a page', 'GET', `${company}/runs?limit=0&cursor=x`],
    ['of fields', 'POST', '/companies', { json: { colour: 'red' } }],
    ['of a name', 'POST', `${company}/flows`, { json: { name: 'x'.repeat(81) } }],
    ['of a role', 'GET', `${company}/runs`, { by: agent }],
    ['of a private address', 'POST', `${company}/endpoints`, { json: endpoint }],
    ['of a credential', 'POST', `${company}/connections`, { json: connection }],
    ['of who is not signed in', 'GET', '/session', { by: { ...owner, token: 'none' } }],
    ['of a password', 'POST', '/session', { json: wrongPassword }],
  ]

  systemTest.each(refusals)(
    '%s is answered in Arabic to a client that asks for Arabic',
    async (_, method, path, asked) => {
      const { status, headers, body } = await ask(method, path, asked)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
      expect(headers.get('content-language')).toBe('ar')
      expect(headers.get('vary')).toBe('Accept-Language')
      for (const told of [body.title, body.detail]) expect(told).toMatch(ARABIC)
      expect(Object.keys(SENTENCES.ar)).toContain(body.reason)
      for (const error of body.errors ?? []) {
        expect(error.message).toMatch(ARABIC)
        expect(Object.keys(SENTENCES.ar)).toContain(error.code)
      }
    },
  )

  test('is answered in English to every other client, with the same codes', async () => {
    const [inArabic, inEnglish] = await Promise.all(
      ['ar', 'fr'].map((language) => ask('GET', `${company}/runs?limit=0`, { language })),
    )
    expect(inEnglish!.headers.get('content-language')).toBe('en')
    expect(inEnglish!.body).toMatchObject({
      detail: 'Some fields are invalid.',
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
    const { body } = await ask<RunDetail>('GET', `${company}/runs/${runId}`)
    expect(body.endDetail).toMatchObject({
      code: 'template_not_approved',
      text: expect.stringMatching(ARABIC),
    })
    const steps = await ask<Page<RunStepView>>('GET', `${company}/runs/${runId}/steps`)
    expect(steps.body.items[0]!.detail!.text).toMatch(ARABIC)
  })

  test('a delivery says in Arabic what happened and what to do, each once', async () => {
    const path = `${company}/deliveries/${deliveryId}`
    const { body } = await ask<DeliveryDetail>('GET', path)
    expect(body.stateMessage.text).toMatch(ARABIC)
    const { message, hint, detail } = body.log[0]!.error!
    for (const told of [message, hint]) expect(told.text).toMatch(ARABIC)
    // The message itself says that no server listens there.
    expect(detail).toBe(null)
    const inEnglish = await ask<DeliveryDetail>('GET', path, { language: 'en' })
    expect(inEnglish.body.log[0]!.error!.message).toEqual({
      ...message,
      text: expect.stringMatching(/^[A-Z].*\.$/),
    })
  })

  test('an endpoint says in Arabic why it is off', async () => {
    const path = `${company}/endpoints/${endpointId}/switch-off`
    const { body } = await ask<EndpointView>('POST', path)
    expect(body.off!.message).toMatchObject({
      code: 'endpoint_off_by_member',
      text: expect.stringMatching(ARABIC),
    })
  })
})

describe('Stored rows hold no sentences, and programs are answered in English:', () => {
  test('a run, its steps and attempts of deliveries hold facts', async () => {
    const ends = [(await runOf(world, runId)).endDetail]
    const steps = (await runStepsOf(world, runId)).map(({ detail }) => detail)
    const attempts = (await attemptsOf(world, deliveryId)).map(({ errorDetail }) => errorDetail)
    for (const column of [ends, steps, attempts]) {
      const stored = column.flatMap((detail) => detail ?? [])
      expect(stored.length).toBeGreaterThan(0)
      for (const fact of stored.map(parseFact)) {
        expect(Object.keys(fact).toSorted()).toEqual(['code', 'params'])
        expect(Object.keys(SENTENCES.en)).toContain(fact.code)
      }
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
      detail: 'No hook has this token. Copy the current URL, or replace it in the flow builder.',
    })
  })
})
