/** A channel's credentials that the provider no longer accepts, or that this service cannot decrypt. */
import { describe, expect, test } from 'vitest'
import { createKeyRing } from '../../src/infra/secrets/key-ring.ts'
import { credentialsContext } from '../../src/modules/channels/load-channel.ts'
import { systemRandom } from '../../src/core/ids.ts'
import { RUN_LIMITS } from '../../src/core/limits/flows.ts'
import { MINUTE_MS } from '../../src/core/limits/units.ts'
import { signedIn } from '../support/dashboard.ts'
import { putChannel } from '../support/records/channels.ts'
import { ACCESS_TOKEN, APP_SECRET } from '../support/shop.ts'
import { newPhone } from '../support/simulator.ts'
import type { RunDetail } from '../../src/contract/dashboard/run.ts'
import { fact } from '../../src/core/facts/fact.ts'
import { openWhatsApp } from '../support/open-world.ts'

const { world, whatsApp } = await openWhatsApp({
  encryptionKeys: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
})

const shop = await whatsApp.openShop()

describe("A channel's credentials that cannot be read here", () => {
  const path = `/companies/${shop.companyId}/channels/${shop.channelId}`
  const signIn = () => signedIn(world, { accountId: shop.accountId })
  const toldUnreadable = () =>
    world.logged
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => String(msg).startsWith('stored secret could not be decrypted'))

  test('fail its runs as not sent, never as refused by the provider, and the log names the channel', async () => {
    // Another key with the same id encrypted these.
    const another = createKeyRing([{ id: 'k1', key: Buffer.alloc(32, 2) }], systemRandom)
    const secrets = JSON.stringify({ accessToken: 'a', appSecret: 'b', verifyToken: 'c' })
    const place = credentialsContext(shop.channelId, shop.companyId)
    await putChannel(world, shop.channelId, { credentials: another.encrypt(secrets, place) })
    const runId = await shop.order(newPhone())
    await whatsApp.settle()
    for (const delayMs of RUN_LIMITS.sendRetryDelaysMs) {
      world.clock.advance(delayMs)
      await whatsApp.settle()
    }
    const owner = await signIn()
    const run = await owner.ask<RunDetail>('GET', `/companies/${shop.companyId}/runs/${runId}`)
    expect(run.body.endDetail).toMatchObject(fact('not_sent_credentials_unreadable'))
    expect(JSON.stringify(run.body)).not.toContain('provider_refused')
    expect(toldUnreadable()[0]).toMatchObject({
      table: 'channel',
      column: 'credentials',
      rowId: shop.channelId,
      companyId: shop.companyId,
      suppressed: 0,
    })
  })

  test('are logged at most once a minute, with the number of suppressed lines', async () => {
    world.clock.advance(MINUTE_MS)
    const before = toldUnreadable().length
    const owner = await signIn()
    const check = () => owner.ask('POST', `${path}/check`)
    for (let time = 0; time < 3; time++) await check()
    expect(toldUnreadable()).toHaveLength(before + 1)
    world.clock.advance(MINUTE_MS)
    await check()
    expect(toldUnreadable().at(-1)).toMatchObject({ suppressed: 2 })
    const told = toldUnreadable().length
    // The clock is set back, which ends the pause of the log.
    world.clock.advance(-2 * MINUTE_MS)
    await check()
    expect(toldUnreadable()).toHaveLength(told + 1)
  })

  test('are a conflict to a member who uses them, until all three are entered again', async () => {
    const owner = await signIn()
    expect(await owner.ask('POST', `${path}/check`)).toMatchObject({
      status: 409,
      body: { code: 'conflict', detail: expect.stringContaining('couldn’t be read') },
    })
    expect(await owner.ask('PATCH', path, { name: 'Renamed' })).toMatchObject({ status: 409 })
    const verifyToken = 'a-token-of-my-own-to-verify'
    const credentials = { accessToken: ACCESS_TOKEN, appSecret: APP_SECRET, verifyToken }
    expect(await owner.ask('PATCH', path, { credentials })).toMatchObject({ status: 200 })
    expect(await owner.ask('POST', `${path}/check`)).toMatchObject({ status: 200 })
  })
})
