import Stripe from 'stripe'
import { beforeEach, describe, expect, test } from 'vitest'
import type { EndpointView, NewEndpoint } from '../../src/contract/dashboard/endpoint.ts'
import { DELIVERY_LIMITS } from '../../src/core/limits/deliveries.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import { signedIn, type Member } from '../support/dashboard.ts'
import { raisePings } from '../support/deliveries.ts'
import { openWorld } from '../support/open-world.ts'
import { auditLog } from '../support/records/audit.ts'
import { attemptsOf, deliveriesOf } from '../support/records/deliveries.ts'
import { loseSecrets, storedSecretsOf } from '../support/records/endpoints.ts'
import { createOwnShop, type Shop } from '../support/shop.ts'

let shop: Shop
let owner: Member
const world = await openWorld()

beforeEach(async () => {
  shop = await createOwnShop(world)
  owner = await signedIn(world, { accountId: shop.accountId })
  world.receiver.answerWith(204)
})

const path = (suffix = '') =>
  `/companies/${shop.companyId}/endpoints/${shop.endpointId}/secret${suffix}`

async function rotate(member = owner): Promise<string> {
  const rotated = await member.ask<NewEndpoint>('POST', path('/rotate'))
  expect(rotated.status).toBe(200)
  expect(rotated.headers.get('cache-control')).toBe('no-store')
  return rotated.body.secret
}

/** Returns the positions of the secrets that signed the newest delivery; each signature must be valid. */
async function signersOf(secrets: readonly string[]): Promise<number[]> {
  const { headers, body } = world.receiver.received.at(-1)!
  const [t, ...values] = headers['x-service-signature']!.split(',')
  return Promise.all(
    values.map(async (value) => {
      for (const [at, secret] of secrets.entries()) {
        const now = world.clock.now().getTime()
        const isGood = await Stripe.webhooks
          .constructEventAsync(body, `${t},${value}`, secret, 300, undefined, now)
          .then(
            () => true,
            () => false,
          )
        if (isGood) return at
      }
      return -1
    }),
  )
}

async function deliver(secrets: readonly string[]): Promise<number[]> {
  const before = world.receiver.received.length
  await raisePings(world, shop, 1, { message: 'مرحبا' })
  await world.service.processAll()
  expect(world.receiver.received).toHaveLength(before + 1)
  return signersOf(secrets)
}

const storedSecrets = () => storedSecretsOf(world, shop)
const show = () => owner.ask<EndpointView>('GET', path().replace('/secret', ''))

describe('Secret rotation', () => {
  test('shows the new secret once and stores it encrypted; for 24 hours both secrets sign', async () => {
    const secrets = [shop.secret, await rotate()]
    expect(secrets[1]).toMatch(/^whsec_[A-Za-z0-9_-]{43}$/)
    expect(secrets[1]).not.toBe(secrets[0])
    expect(await deliver(secrets)).toEqual([0, 1])
    const view = await show()
    expect(view.body.secrets).toMatchObject([
      { lastFour: secrets[1]!.slice(-4), signsUntil: null },
      {
        lastFour: secrets[0]!.slice(-4),
        signsUntil: new Date(
          world.clock.now().getTime() + DELIVERY_LIMITS.secretOverlapMs,
        ).toISOString(),
      },
    ])
    const written = JSON.stringify([
      await storedSecrets(),
      await auditLog(world, { accountId: shop.accountId }),
      world.logged,
    ])
    for (const secret of secrets) expect(written).not.toContain(secret)
    world.clock.advance(DELIVERY_LIMITS.secretOverlapMs - 1)
    expect(await deliver(secrets)).toEqual([0, 1])
    world.clock.advance(1)
    expect(await deliver(secrets)).toEqual([1])
    owner = await signedIn(world, { accountId: shop.accountId })
    const after = await show()
    expect(after.body.secrets).toHaveLength(1)
    // The hourly sweep wipes a secret that no longer signs.
    world.clock.advance(HOUR_MS)
    await world.service.sweep()
    expect(await storedSecrets()).toHaveLength(1)
  })

  test('twice stops the oldest secret immediately: only the two most recent ever sign', async () => {
    const secrets = [shop.secret, await rotate()]
    world.clock.advance(MINUTE_MS)
    secrets.push(await rotate())
    expect(await deliver(secrets)).toEqual([1, 2])
    expect(await storedSecrets()).toHaveLength(2)
    secrets.push(await rotate(), await rotate())
    expect(await deliver(secrets)).toEqual([3, 4])
  })

  test('can end its overlap early: the old secret stops immediately', async () => {
    const secrets = [shop.secret, await rotate()]
    const retired = await owner.ask<EndpointView>('POST', path('/retire-old'))
    expect(retired.body.secrets).toMatchObject([{ lastFour: secrets[1]!.slice(-4) }])
    expect(await deliver(secrets)).toEqual([1])
    expect(await storedSecrets()).toHaveLength(1)
    const again = await owner.ask<EndpointView>('POST', path('/retire-old'))
    expect(again.body.secrets).toEqual(retired.body.secrets)
  })

  test('between two attempts of a delivery signs the later one with the new secrets', async () => {
    world.receiver.answerWith(500)
    const secrets = [shop.secret]
    expect(await deliver(secrets)).toEqual([0])
    secrets.push(await rotate())
    world.clock.advance(MINUTE_MS)
    await world.service.processAll()
    expect(await signersOf(secrets)).toEqual([0, 1])
    secrets.push(await rotate())
    world.clock.advance(5 * MINUTE_MS)
    await world.service.processAll()
    expect(await signersOf(secrets)).toEqual([1, 2])
    const [first, second, third] = world.receiver.received.slice(-3)
    expect(third!.body).toEqual(first!.body)
    expect(third!.headers['x-service-delivery']).toBe(second!.headers['x-service-delivery'])
    const [delivery] = await deliveriesOf(world, shop)
    const attempts = await attemptsOf(world, delivery!.id)
    const four = secrets.map((secret) => secret.slice(-4))
    expect(attempts.map(({ signedWith }) => signedWith)).toEqual([
      four[0],
      `${four[0]},${four[1]}`,
      `${four[1]},${four[2]}`,
    ])
  })

  test('by two members at one moment leaves one current secret and at most one old one', async () => {
    const admin = await signedIn(world, { accountId: shop.accountId, role: 'admin' })
    const made = await Promise.all([rotate(), rotate(admin), rotate(), rotate(admin)])
    const stored = await storedSecrets()
    expect(stored).toHaveLength(2)
    expect(stored.filter(({ signsUntil }) => signsUntil === null)).toHaveLength(1)
    expect(new Set(await deliver(made)).size).toBe(2)
  })

  test('breaks no page if a secret cannot be decrypted, which then has no fingerprint', async () => {
    await loseSecrets(world, shop)
    const view = await show()
    expect(view.body.secrets).toMatchObject([
      { lastFour: shop.secret.slice(-4), fingerprint: null },
    ])
  })
})
