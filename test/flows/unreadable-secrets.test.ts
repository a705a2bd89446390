/** What a stored secret that no key of this service opens means: said as that, and told the operator. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyRing } from '../../src/secrets/key-ring.ts'
import { credentialsPlace } from '../../src/channels/load-channel.ts'
import { systemRandom } from '../../src/ids.ts'
import { RUN_LIMITS } from '../../src/limits/flows.ts'
import { MINUTE_MS } from '../../src/limits/units.ts'
import { signedIn } from '../support/dashboard.ts'
import { createWorld, type World } from '../support/service.ts'
import {
  newPhone,
  simulateWhatsApp,
  type ConnectedShop,
  type SimulatedWhatsApp,
} from '../support/simulator.ts'
import type { RunDetail } from '../../src/contract/dashboard/run.ts'
import { fact } from '../../src/facts/fact.ts'

let world: World
let whatsApp: SimulatedWhatsApp
let shop: ConnectedShop
beforeAll(async () => {
  world = await createWorld({ encryptionKeys: `k1:${Buffer.alloc(32, 1).toString('base64')}` })
  whatsApp = await simulateWhatsApp(world)
  shop = await whatsApp.openShop()
})
afterAll(async () => {
  await whatsApp.close()
  await world.close()
})

/** The credentials as another key with the same id would have encrypted them. */
async function sealWithAnotherKey(): Promise<void> {
  const another = createKeyRing([{ id: 'k1', key: Buffer.alloc(32, 2) }], systemRandom)
  const credentials = another.encrypt(
    JSON.stringify({ accessToken: 'a', appSecret: 'b', verifyToken: 'c' }),
    credentialsPlace(shop.channelId, shop.companyId),
  )
  await world.database.db.kysely
    .updateTable('channel')
    .set({ credentials })
    .where('id', '=', shop.channelId)
    .execute()
}

const toldUnreadable = () =>
  world.logged
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => String(msg).startsWith('a stored secret could not be read here'))

describe("A channel's credentials that cannot be read here", () => {
  test('fail its runs as not sent, never as refused by the provider, and the log says whose they are', async () => {
    await sealWithAnotherKey()
    const runId = await shop.order(newPhone())
    await whatsApp.settle()
    for (const delayMs of RUN_LIMITS.sendRetryDelaysMs) {
      world.clock.advance(delayMs)
      await whatsApp.settle()
    }
    const owner = await signedIn(world, { accountId: shop.accountId })
    const run = await owner.ask<RunDetail>('GET', `/companies/${shop.companyId}/runs/${runId}`)
    expect(run.body.endDetail).toMatchObject(fact('not_sent_credentials_unreadable'))
    expect(JSON.stringify(run.body)).not.toContain('provider_refused')
    expect(toldUnreadable()[0]).toMatchObject({
      table: 'channel',
      column: 'credentials',
      rowId: shop.channelId,
      companyId: shop.companyId,
      untold: 0,
    })
  })

  test('are told the log once a minute at most, with how many were passed over', async () => {
    world.clock.advance(MINUTE_MS)
    const before = toldUnreadable().length
    const owner = await signedIn(world, { accountId: shop.accountId })
    const check = () =>
      owner.ask('POST', `/companies/${shop.companyId}/channels/${shop.channelId}/check`)
    for (let time = 0; time < 3; time++) await check()
    expect(toldUnreadable()).toHaveLength(before + 1)
    world.clock.advance(MINUTE_MS)
    await check()
    expect(toldUnreadable().at(-1)).toMatchObject({ untold: 2 })
    const told = toldUnreadable().length
    // The clock is put back: what was told is told from before.
    world.clock.advance(-2 * MINUTE_MS)
    await check()
    expect(toldUnreadable()).toHaveLength(told + 1)
  })

  test('are a conflict to who asks for them, and mended by entering all three again', async () => {
    const owner = await signedIn(world, { accountId: shop.accountId })
    const path = `/companies/${shop.companyId}/channels/${shop.channelId}`
    expect(await owner.ask('POST', `${path}/check`)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('could not be read here') },
    })
    expect(await owner.ask('PATCH', path, { name: 'Renamed' })).toMatchObject({ status: 409 })
    const entered = {
      accessToken: 'test-access-token',
      appSecret: 'test_app_secret',
      verifyToken: 'a-token-of-my-own-to-verify',
    }
    expect(await owner.ask('PATCH', path, { credentials: entered })).toMatchObject({ status: 200 })
    expect(await owner.ask('POST', `${path}/check`)).toMatchObject({ status: 200 })
  })
})
