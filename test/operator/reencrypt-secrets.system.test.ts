import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { countKeyUse, ENCRYPTED_COLUMNS } from '../../src/infra/secrets/encrypted-columns.ts'
import { createKeyRing, readKeys, type KeyRing } from '../../src/infra/secrets/key-ring.ts'
import { credentialsContext } from '../../src/modules/channels/load-channel.ts'
import { readConfig } from '../../src/app/config.ts'
import type { ConnectionView } from '../../src/contract/dashboard/connection.ts'
import { systemRandom } from '../../src/core/ids.ts'
import { KEY_CHECK, REENCRYPT } from '../../src/core/limits/accounts.ts'
import { createService } from '../../src/app/create-service.ts'
import { encryptionContext } from '../../src/modules/endpoints/create-endpoint.ts'
import { signedIn } from '../support/dashboard.ts'
import { runOperator, startOperator } from '../support/operator.ts'
import { connectionUrl, createWorld, type World } from '../support/test-service.ts'
import { connectionOf } from '../support/records/calls.ts'
import { channelOf } from '../support/records/channels.ts'
import { addSecrets, putSecret, storedSecretsOf } from '../support/records/endpoints.ts'
import { countWaiting } from '../support/records/locks.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { TIMEOUT_FACTOR } from '../support/timeout-multiplier.ts'

const key = (id: string) => `${id}:${randomBytes(32).toString('base64')}`
const ring = (...keys: string[]) => createKeyRing(readKeys(keys.join(',')), systemRandom)

let world: World
let shop: Shop
let oldKey: string
let newKey: string
let both: KeyRing

beforeEach(async () => {
  oldKey = key('old')
  newKey = key('new')
  both = ring(newKey, oldKey)
  world = await createWorld({ encryptionKeys: oldKey })
  shop = await createShop(world)
})
afterEach(() => world.close())

const environment = (keys: string) => ({
  DATABASE_URL: connectionUrl(world.database.connection),
  ENCRYPTION_KEYS: keys,
})

const reencrypt = (keys: string) => runOperator(environment(keys), ['reencrypt-secrets'])

const keysInUse = async () =>
  Object.fromEntries(
    (await countKeyUse(world.database.db.kysely)).map(({ table, keyId, values }) => [
      `${table} ${keyId}`,
      values,
    ]),
  )

const endpointSecrets = () => storedSecretsOf(world, shop)
const placeOf = (id: string) => encryptionContext(id, shop.companyId)
const plain = (rows: Awaited<ReturnType<typeof endpointSecrets>>, keys: KeyRing) =>
  rows.map(({ id, secret }) => keys.decrypt(secret, placeOf(id)))

/** Adds secrets to the endpoint: two and a half batches of the command. */
const addManySecrets = () =>
  addSecrets(
    world,
    shop,
    Array.from({ length: REENCRYPT.rowsPerStatement * 2.5 }, (_, at) => `whsec_${at}`),
  )

const connectionPlace = (rowId: string) => ({
  table: 'api_connection',
  column: 'credential',
  rowId,
  companyId: shop.companyId,
})

async function addConnection(credential: string): Promise<string> {
  const owner = await signedIn(world, shop)
  const connections = `/companies/${shop.companyId}/connections`
  const { body } = await owner.ask<ConnectionView>('POST', connections, {
    name: 'Orders',
    baseUrl: new URL(world.receiver.url).origin,
    auth: { kind: 'bearer', token: credential },
  })
  return body.id
}

const NOT_READ = /^endpoint_secret\.secret: 0 re-encrypted, 1 unreadable and left unchanged$/m

describe('reencrypt-secrets', () => {
  test('encrypts every secret with the first key, and changes none', async () => {
    const connectionId = await addConnection('token-of-the-shop')
    const { stdout } = await reencrypt(`${newKey},${oldKey}`)
    expect(stdout).toMatch(/^endpoint_secret\.secret: 1 re-encrypted$/m)
    expect(stdout).toMatch(/^channel\.credentials: 1 re-encrypted$/m)
    expect(stdout).toMatch(/^api_connection\.credential: 1 re-encrypted$/m)
    expect(stdout).toMatch(/^new +1 in endpoint_secret\.secret$/m)
    expect(stdout).not.toContain('old')
    const onlyNew = ring(newKey)
    expect(plain(await endpointSecrets(), onlyNew)).toEqual([shop.secret])
    const { credentials } = await channelOf(world, shop)
    const place = credentialsContext(shop.channelId, shop.companyId)
    expect(onlyNew.decrypt(credentials, place)).toContain('test-access-token')
    const { credential } = await connectionOf(world, { connectionId })
    const opened = onlyNew.decrypt(credential!, connectionPlace(connectionId))
    expect(opened).toContain('token-of-the-shop')
    const again = await reencrypt(newKey)
    expect(again.stdout).toMatch(/^endpoint_secret\.secret: 0 re-encrypted$/m)
  })

  test('killed half-way, leaves every secret readable, and continues when it is started again', async () => {
    await addManySecrets()
    const before = await endpointSecrets()
    const held = before[REENCRYPT.rowsPerStatement + 10]!
    const { pool } = world.database.db
    const client = await pool.connect()
    try {
      // The second batch waits for this row, so that the process is killed in the middle.
      await client.query('begin')
      await client.query('select from endpoint_secret where id = $1 for update', [held.id])
      const child = startOperator(environment(`${newKey},${oldKey}`), ['reencrypt-secrets'])
      const ended = once(child, 'exit')
      const waiting = () => countWaiting(world)
      await expect.poll(waiting, { timeout: 40_000 * TIMEOUT_FACTOR }).toBe(1)
      child.kill('SIGKILL')
      await ended
      await pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`)
    } finally {
      await client.query('rollback')
      client.release()
    }
    expect(await keysInUse()).toMatchObject({
      'endpoint_secret new': REENCRYPT.rowsPerStatement,
      'endpoint_secret old': before.length - REENCRYPT.rowsPerStatement,
    })
    expect(plain(await endpointSecrets(), both)).toEqual(plain(before, both))
    await reencrypt(`${newKey},${oldKey}`)
    expect(plain(await endpointSecrets(), ring(newKey))).toEqual(plain(before, both))
    expect(await keysInUse()).toEqual({ 'endpoint_secret new': before.length, 'channel new': 1 })
  })

  test('leaves what it cannot decrypt as it is, counts it and ends as failed', async () => {
    const lost = ring(key('lost'))
    const [{ id } = { id: '' }] = await endpointSecrets()
    const value = lost.encrypt('gone', placeOf(id))
    await putSecret(world, id, { secret: value })
    const failed = await reencrypt(`${newKey},${oldKey}`)
    expect(failed).toMatchObject({ code: 1 })
    expect(failed.stdout).toMatch(NOT_READ)
    expect(failed.stdout).toMatch(/^channel\.credentials: 1 re-encrypted$/m)
    expect((await endpointSecrets())[0]!.secret).toBe(value)
  })

  test('given another key under the id of the one in use changes nothing, counts all and ends as failed', async () => {
    const before = await endpointSecrets()
    const failed = await reencrypt(key('old'))
    expect(failed).toMatchObject({ code: 1 })
    expect(failed.stdout).toMatch(NOT_READ)
    expect(await endpointSecrets()).toEqual(before)
  })

  test('knows every column that holds something encrypted', async () => {
    const { rows } = await sql<{ table: string; column: string }>`
      select c.relname as table, a.attname as column
      from pg_description d join pg_class c on c.oid = d.objoid
        join pg_attribute a on a.attrelid = c.oid and a.attnum = d.objsubid
      where d.description ilike 'encrypted%'
    `.execute(world.database.db.kysely)
    const names = (columns: readonly { table: string; column: string }[]) =>
      columns.map(({ table, column }) => `${table}.${column}`).toSorted()
    expect(names(rows)).toEqual(names(ENCRYPTED_COLUMNS))
  })
})

describe('A start', () => {
  const start = (keys: string, folder = tmpdir()) => {
    const settings = { ...environment(keys), DEMONSTRATION: 'off', LOG_LEVEL: 'silent' }
    const config = readConfig({ ...settings, DATA_FOLDER: folder }, [], folder)
    return createService(config, { clock: world.clock })
  }

  test('with a ring that lacks a key in use is refused, and says which key and what needs it', async () => {
    await expect(start(newKey)).rejects.toThrow(
      /ENCRYPTION_KEYS lacks keys[^]*key "old": 1 in endpoint_secret\.secret[^]*key "old": 1 in channel\.credentials/,
    )
  })

  test('with another key under the id of the one in use is refused, and says which and what to do', async () => {
    await expect(start(`${newKey},${key('old')}`)).rejects.toThrow(
      /ENCRYPTION_KEYS has keys that do not open[^]*key "old": 1 in endpoint_secret\.secret[^]*key "old": 1 in channel\.credentials[^]*Put the right one in its place/,
    )
  })

  test('with another key under an old id is refused also when the first key decrypts the rest', async () => {
    const { secret, id } = (await endpointSecrets())[0]!
    await addSecrets(world, shop, ['whsec_2'])
    const anew = both.encrypt(both.decrypt(secret, placeOf(id)), placeOf(id))
    await putSecret(world, id, { secret: anew })
    await expect(start(`${newKey},${key('old')}`)).rejects.toThrow(
      /ENCRYPTION_KEYS has keys that do not open[^]*key "old": 1 in endpoint_secret\.secret/,
    )
  })

  test('is not stopped by single values that were damaged or moved, while the key opens others', async () => {
    await addManySecrets()
    for (const { id, secret } of (await endpointSecrets()).slice(0, KEY_CHECK.valuesTried - 1)) {
      await putSecret(world, id, { secret: `${secret}x` })
    }
    await expect(start(oldKey).then((service) => service.stop())).resolves.toBeUndefined()
  })

  test('without ENCRYPTION_KEYS names the file that its keys are in', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wasla-keys-'))
    writeFileSync(path.join(folder, 'encryption-keys'), key('old'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await expect(start('', folder)).rejects.toThrow(
      `${path.join(folder, 'encryption-keys')} has keys that do not open`,
    )
  })
})
