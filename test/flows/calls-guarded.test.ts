/** A merchant's system that gives credentials back, or whose name moves: what a run sees of it. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { authColumns } from '../../src/connections/create-connection.ts'
import type { ConnectionAuth } from '../../src/contract/dashboard/connection.ts'
import type { RunDetail } from '../../src/contract/dashboard/run.ts'
import { signedIn } from '../support/dashboard.ts'
import { createHostileResolver } from '../support/hostile-receiver.ts'
import { createWorld, type World } from '../support/service.ts'
import { callStep, connectApi, json, startShopApi, type ShopApi } from '../support/shop-api.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let api: ShopApi
beforeAll(async () => {
  world = await createWorld({
    resolve: createHostileResolver({ moves: [['127.0.0.1'], ['10.0.0.5']] }),
  })
  whatsApp = await simulateWhatsApp(world)
  api = await startShopApi(world)
})
afterAll(async () => {
  await api.close()
  await whatsApp.close()
  await world.close()
})
afterEach(() => {
  api.requests.length = 0
})

const tell = (text: string) => ({
  kind: 'send_template',
  template: 'order_ready',
  language: 'en',
  header: null,
  body: [
    { name: '1', text },
    { name: '2', text: '{{vars.order}}' },
  ],
  next: null,
})

/** A call, then a template that tells `text` or that the call failed. */
async function openShop(
  text: string,
  { keep = [], baseUrl = api.baseUrl }: { keep?: object[]; baseUrl?: string } = {},
): Promise<ConnectedShop & { connectionId: string }> {
  const connectionId = world.service.context.ids.uuid()
  const steps = {
    call: callStep(connectionId, {}, { next: 'success', onFailure: 'failed', keep }),
    success: tell(text),
    failed: tell('failed {{vars.http_status}}.'),
  }
  const shop = await whatsApp.openShop({ steps, start: 'call' })
  await connectApi(world, { id: connectionId, companyId: shop.companyId, baseUrl })
  return { ...shop, connectionId }
}

async function run(shop: ConnectedShop): Promise<string> {
  const runId = await shop.order(newPhone())
  await whatsApp.settle()
  return runId
}

const db = () => world.database.db.kysely
const runOf = (id: string) =>
  db().selectFrom('flowRun').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const textsOf = async (runId: string) => {
  const query = db().selectFrom('message').select('text').where('runId', '=', runId)
  return (await query.orderBy('id').execute()).map(({ text }) => text)
}

const SECRET = 's3cr3t/+kéy "x"'
const base64 = (text: string) => Buffer.from(text).toString('base64')
const html = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('/', '&#x2F;')
const FORMS: Record<string, (secret: string) => string> = {
  plain: (secret) => secret,
  spaced: (secret) => secret.replaceAll(' ', '\n'),
  capitals: (secret) => secret.replaceAll(/[a-z]/g, (letter) => letter.toUpperCase()),
  base64,
  unpadded: (secret) => base64(secret).replace(/=+$/, ''),
  html,
  hex: (secret) => Buffer.from(secret).toString('hex'),
  percent: encodeURIComponent,
  json: (secret) => JSON.stringify(secret).slice(1, -1),
}

describe('The credential is removed from any answer before a flow reads it', () => {
  test.each<[string, ConnectionAuth, string]>([
    ['a bearer token', { kind: 'bearer', token: SECRET }, SECRET],
    ['a key in the query', { kind: 'query', name: 'key', key: SECRET }, SECRET],
    ['a password', { kind: 'basic', username: 'sara', password: SECRET }, SECRET],
    [
      'user name and password',
      { kind: 'basic', username: 'sara', password: SECRET },
      `sara:${SECRET}`,
    ],
    ['a number', { kind: 'bearer', token: '12345678' }, '12345678'],
  ])('%s, whatever form it comes back in', async (_, auth, secret) => {
    const names = Object.keys(FORMS)
    const keep = [...names, 'number'].map((name) => ({ name, path: `echo.${name}` }))
    const shop = await openShop('got {{vars.spaced}}', { keep })
    const { companyId, connectionId: id } = shop
    await db()
      .updateTable('apiConnection')
      .set(authColumns(world.service.keyRing, { id, companyId }, auth))
      .where('id', '=', id)
      .execute()
    const echo = Object.fromEntries(names.map((name) => [name, `a ${FORMS[name]!(secret)} z`]))
    const number = Number(secret) || 0
    api.reply(json(200, { echo: { ...echo, number }, [secret]: 1 }))
    const runId = await run(shop)

    const { variables } = await runOf(runId)
    const seen = JSON.parse(variables) as Record<string, string>
    expect(seen).toMatchObject({
      ...Object.fromEntries(names.map((name) => [name, 'a [removed] z'])),
      number: number === 0 ? '0' : '[removed]',
    })
    expect(await textsOf(runId)).toEqual(['Hello got a [removed] z, your order 1043 is ready.'])

    const owner = await signedIn(world, { accountId: shop.accountId })
    const shown = await owner.ask<RunDetail>('GET', `/companies/${companyId}/runs/${runId}`)
    const [event] = shop.events('flow.completed')
    expect(event).toMatchObject({ data: { run: { variables: { plain: seen.plain } } } })
    const everything = JSON.stringify([shown.body, event, variables, world.logged])
    for (const form of Object.values(FORMS)) {
      expect(everything).not.toContain(JSON.stringify(form(secret)).slice(1, -1))
      expect(everything).not.toContain(form(secret))
    }
  })
})

test('A step’s call to a name that has moved to a private address is not sent: Failed path, http_status empty', async () => {
  api.reply((_, response) => response.writeHead(200, { connection: 'close' }).end('{}'))
  const { port } = new URL(api.baseUrl)
  const shop = await openShop('success', {
    baseUrl: `https://moves.merchant.example:${port}/api`,
  })
  expect(await textsOf(await run(shop))).toEqual(['Hello success, your order 1043 is ready.'])
  const runId = await run(shop)
  expect(await textsOf(runId)).toEqual(['Hello failed ., your order 1043 is ready.'])
  expect(JSON.parse((await runOf(runId)).variables)).toMatchObject({ http_status: null })
  const logged = db().selectFrom('callLog').select(['status', 'error']).where('runId', '=', runId)
  expect(await logged.execute()).toEqual([{ status: null, error: 'address_refused' }])
  expect(api.requests).toHaveLength(1)
})
