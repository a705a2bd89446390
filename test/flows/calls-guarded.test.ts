/** What a run shows of its calls: no credential, neither one that comes back nor one in the path. And where no call goes. */
import { describe, expect, test } from 'vitest'
import type { ConnectionAuth } from '../../src/contract/dashboard/connection.ts'
import type { RunDetail } from '../../src/contract/dashboard/run.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { signedIn } from '../support/dashboard.ts'
import { createHostileResolver } from '../support/hostile-receiver.ts'
import { callsOf, setAuth } from '../support/records/calls.ts'
import { API_TOKEN, json } from '../support/shop-api.ts'
import { callThenTell, openCalls, told, type CallingShop } from './calling-shops.ts'
import { systemTest } from '../support/system-tests.ts'

const { world, api, openShop, run, stepsOf, textsOf, variablesOf } = await openCalls({
  resolve: createHostileResolver({ moves: [['127.0.0.1'], ['10.0.0.5']] }),
})

/** The run as a member sees it. */
async function shownOf(shop: CallingShop, runId: string): Promise<RunDetail> {
  const owner = await signedIn(world, { accountId: shop.accountId })
  return (await owner.ask<RunDetail>('GET', `/companies/${shop.companyId}/runs/${runId}`)).body
}

const SECRET = 's3cr3t/+kéy "x"'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const FORMS: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  spaced: (secret) => secret.replaceAll(' ', '\n'),
  capitals: (secret) => secret.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  base64,
  unpadded: (secret) => base64(secret).replace(/=+$/, ''),
  html: (secret) =>
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('/', '&#x2F;'),
  hex: (secret) => Buffer.from(secret).toString('hex'),
  percent: encodeURIComponent,
  json: (secret) => JSON.stringify(secret).slice(1, -1),
}

describe('The credential is removed from any answer before a flow reads it', () => {
  const basic = { kind: 'basic', username: 'sara', password: SECRET } as const
  test.each<[string, ConnectionAuth, string]>([
    ['a bearer token', { kind: 'bearer', token: SECRET }, SECRET],
    ['a key in the query', { kind: 'query', name: 'key', key: SECRET }, SECRET],
    ['a password', basic, SECRET],
    ['user name and password', basic, `sara:${SECRET}`],
    ['a number', { kind: 'bearer', token: '12345678' }, '12345678'],
  ])('%s, whatever form it comes back in', async (_, auth, secret) => {
    const names = Object.keys(FORMS)
    const keep = [...names, 'number'].map((name) => ({ name, path: `echo.${name}` }))
    const shop = await openShop(callThenTell({}, keep, { success: 'got {{vars.spaced}}' }))
    await setAuth(world, shop, auth)
    const echo = Object.fromEntries(names.map((name) => [name, `x ${FORMS[name]!(secret)} z`]))
    const number = Number(secret) || 0
    api.reply(json(200, { echo: { ...echo, number }, [secret]: 1 }))
    const runId = await run(shop)

    const seen = await variablesOf(runId)
    expect(seen).toMatchObject({
      ...Object.fromEntries(names.map((name) => [name, 'x [removed] z'])),
      number: number === 0 ? '0' : '[removed]',
    })
    expect(await textsOf(runId)).toEqual(told('got x [removed] z'))
    const [event] = shop.events('flow.completed')
    expect(event).toMatchObject({ data: { run: { variables: { plain: seen.plain } } } })
    const everything = JSON.stringify([await shownOf(shop, runId), event, seen, world.logged])
    for (const form of Object.values(FORMS)) {
      expect(everything).not.toContain(JSON.stringify(form(secret)).slice(1, -1))
      expect(everything).not.toContain(form(secret))
    }
  })
})

test('A step’s call to a name that has moved to a private address is not sent: Failed path, http_status empty', async () => {
  api.reply((_, response) => response.writeHead(200, { connection: 'close' }).end('{}'))
  const { port } = new URL(api.baseUrl)
  const texts = { success: 'success', failed: 'failed {{vars.http_status}}.' }
  const shop = await openShop(callThenTell({}, [], texts), {
    baseUrl: `https://moves.merchant.example:${port}/api`,
  })
  expect(await textsOf(await run(shop))).toEqual(told('success'))
  const runId = await run(shop)
  expect(await textsOf(runId)).toEqual(told('failed .'))
  expect(await variablesOf(runId)).toMatchObject({ http_status: null })
  const logged = (await callsOf(world, shop)).filter((call) => call.runId === runId)
  expect(logged).toMatchObject([{ status: null, error: 'address_refused' }])
  expect(api.requests).toHaveLength(1)
})

describe('A run’s history', () => {
  const KEPT = [{ name: 'status', path: 'status' }]

  systemTest('shows each call without query, body and credential', async () => {
    const request = {
      method: 'POST',
      path: '/orders/{{vars.order}}/notes',
      query: [{ name: 'secret', value: 'q-{{vars.order}}' }],
      headers: [{ name: 'X-Note', value: 'header-value' }],
      body: '{"note":"body-value"}',
    }
    const shop = await openShop(callThenTell(request, KEPT))
    api.reply(json(200, { status: 'ready', echoed: API_TOKEN }))
    const runId = await run(shop)
    const shown = await shownOf(shop, runId)
    expect(shown.steps[0]).toMatchObject({
      stepId: 'call',
      kind: 'http_request',
      status: 'done',
      message: null,
      call: {
        method: 'POST',
        host: new URL(api.baseUrl).host,
        path: '/api/orders/1043/notes',
        httpStatus: 200,
        attempts: 1,
        failure: null,
        kept: ['status'],
      },
    })
    const everything = JSON.stringify([shown, await stepsOf(runId), world.logged])
    for (const secret of [API_TOKEN, 'q-1043', 'header-value', 'body-value']) {
      expect(everything).not.toContain(secret)
    }
  })

  test('has no credential that a path repeats', async () => {
    const path = `/${API_TOKEN}/{{vars.order}}`
    const shop = await openShop(callThenTell({ method: 'POST', path }))
    const [step] = await stepsOf(await run(shop))
    const kept = { path: '/api/[removed]/1043', httpStatus: 200 }
    expect(JSON.parse(step!.call!)).toMatchObject(kept)
  })

  test('says of what its step keeps what a good answer did not have', async () => {
    const shop = await openShop(callThenTell({}, KEPT))
    api.reply(json(200, { state: 'ready' }))
    const { steps } = await shownOf(shop, await run(shop))
    const detail = fact('call_kept_nothing', { paths: ['status'] })
    expect(steps[0]).toMatchObject({ status: 'done', detail })
  })
})
