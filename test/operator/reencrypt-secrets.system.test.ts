import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { countKeyUse, ENCRYPTED_COLUMNS } from '../../src/secrets/encrypted-columns.ts'
import { createKeyRing, readKeys, type KeyRing } from '../../src/secrets/key-ring.ts'
import { credentialsPlace } from '../../src/channels/load-channel.ts'
import { readConfig } from '../../src/config.ts'
import { systemRandom } from '../../src/ids.ts'
import { KEY_CHECK, REENCRYPT } from '../../src/limits/accounts.ts'
import { createService } from '../../src/service.ts'
import { secretPlace } from '../../src/endpoints/create-endpoint.ts'
import { runOperator, startOperator } from '../support/operator.ts'
import { connectionUrl, createWorld, type World } from '../support/service.ts'
import { createShop, type Shop } from '../support/shop.ts'
import { PATIENCE } from '../support/patience.ts'

/** Where a command is a process of its own: a busy machine starts it slowly. */
const SLOWLY = { timeout: 60_000 * PATIENCE }

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

const endpointSecrets = () =>
  world.database.db.kysely
    .selectFrom('endpointSecret')
    .select(['id', 'secret'])
    .where('endpointId', '=', shop.endpointId)
    .orderBy('id')
    .execute()

/** Secrets of the endpoint, as many as the command takes in two and a half batches. */
async function addSecrets(): Promise<void> {
  const { ids, clock } = world.service.context
  const rows = Array.from({ length: REENCRYPT.rowsPerStatement * 2.5 }, (_, at) => {
    const id = ids.uuid()
    return {
      id,
      companyId: shop.companyId,
      endpointId: shop.endpointId,
      secret: world.service.keyRing.encrypt(`whsec_${at}`, secretPlace(id, shop.companyId)),
      lastFour: 'four',
      signsUntil: clock.now(),
      createdAt: clock.now(),
    }
  })
  await world.database.db.kysely.insertInto('endpointSecret').values(rows).execute()
}

async function addConnection(credential: string): Promise<string> {
  const { ids, clock } = world.service.context
  const id = ids.uuid()
  const place = { table: 'api_connection', column: 'credential', rowId: id }
  await world.database.db.kysely
    .insertInto('apiConnection')
    .values({
      id,
      companyId: shop.companyId,
      name: 'Orders',
      baseUrl: 'https://shop.example.com',
      authKind: 'bearer',
      credential: world.service.keyRing.encrypt(credential, {
        ...place,
        companyId: shop.companyId,
      }),
      timeoutMs: 10_000,
      createdAt: clock.now(),
      updatedAt: clock.now(),
    })
    .execute()
  return id
}

describe('reencrypt-secrets', () => {
  test('brings every secret to the first key; each stays what it was', SLOWLY, async () => {
    const connectionId = await addConnection('token-of-the-shop')
    const { stdout } = await reencrypt(`${newKey},${oldKey}`)
    expect(stdout).toMatch(/^endpoint_secret\.secret: 1 encrypted anew$/m)
    expect(stdout).toMatch(/^channel\.credentials: 1 encrypted anew$/m)
    expect(stdout).toMatch(/^api_connection\.credential: 1 encrypted anew$/m)
    expect(stdout).toMatch(/^new +1 in endpoint_secret\.secret$/m)
    expect(stdout).not.toContain('old')
    const onlyNew = ring(newKey)
    const { kysely } = world.database.db
    const [secret] = await endpointSecrets()
    expect(onlyNew.decrypt(secret!.secret, secretPlace(secret!.id, shop.companyId))).toBe(
      shop.secret,
    )
    const channel = await kysely
      .selectFrom('channel')
      .select('credentials')
      .where('id', '=', shop.channelId)
      .executeTakeFirstOrThrow()
    expect(
      onlyNew.decrypt(channel.credentials, credentialsPlace(shop.channelId, shop.companyId)),
    ).toContain('test-access-token')
    const connection = await kysely
      .selectFrom('apiConnection')
      .select('credential')
      .where('id', '=', connectionId)
      .executeTakeFirstOrThrow()
    const place = { table: 'api_connection', column: 'credential', rowId: connectionId }
    expect(onlyNew.decrypt(connection.credential!, { ...place, companyId: shop.companyId })).toBe(
      'token-of-the-shop',
    )
    const again = await reencrypt(newKey)
    expect(again.stdout).toMatch(/^endpoint_secret\.secret: 0 encrypted anew$/m)
  })

  test(
    'that is killed half-way leaves every secret readable, and goes on when it is begun again',
    SLOWLY,
    async () => {
      await addSecrets()
      const before = await endpointSecrets()
      const held = before[REENCRYPT.rowsPerStatement + 10]!
      const { pool, kysely } = world.database.db
      const client = await pool.connect()
      try {
        // The second batch waits for this row: the process is surely cut off in the middle.
        await client.query('begin')
        await client.query('select from endpoint_secret where id = $1 for update', [held.id])
        const child = startOperator(environment(`${newKey},${oldKey}`), ['reencrypt-secrets'])
        const ended = once(child, 'exit')
        await expect
          .poll(
            async () =>
              (
                await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
                where datname = current_database() and wait_event_type = 'Lock'
                  and query like '%update "endpoint_secret"%'`.execute(kysely)
              ).rows[0]!.waiting,
            { timeout: 40_000 * PATIENCE },
          )
          .toBe(1)
        child.kill('SIGKILL')
        await ended
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(kysely)
      } finally {
        await client.query('rollback')
        client.release()
      }
      expect(await keysInUse()).toMatchObject({
        'endpoint_secret new': REENCRYPT.rowsPerStatement,
        'endpoint_secret old': before.length - REENCRYPT.rowsPerStatement,
      })
      const plain = (rows: typeof before, keys: KeyRing) =>
        rows.map(({ id, secret }) => keys.decrypt(secret, secretPlace(id, shop.companyId)))
      expect(plain(await endpointSecrets(), both)).toEqual(plain(before, both))
      await reencrypt(`${newKey},${oldKey}`)
      expect(plain(await endpointSecrets(), ring(newKey))).toEqual(plain(before, both))
      expect(await keysInUse()).toEqual({ 'endpoint_secret new': before.length, 'channel new': 1 })
    },
  )

  test('leaves what it cannot read as it is, counts it and ends as failed', SLOWLY, async () => {
    const lost = ring(key('lost'))
    const [secret] = await endpointSecrets()
    const value = lost.encrypt('gone', secretPlace(secret!.id, shop.companyId))
    await world.database.db.kysely
      .updateTable('endpointSecret')
      .set({ secret: value })
      .where('id', '=', secret!.id)
      .execute()
    const failed = await reencrypt(`${newKey},${oldKey}`)
    expect(failed).toMatchObject({ code: 1 })
    expect(failed.stdout).toMatch(
      /^endpoint_secret\.secret: 0 encrypted anew, 1 cannot be read and stay as they are$/m,
    )
    expect(failed.stdout).toMatch(/^channel\.credentials: 1 encrypted anew$/m)
    expect((await endpointSecrets())[0]!.secret).toBe(value)
  })

  test(
    'given another key under the id of the one in use changes nothing, counts all and ends as failed',
    SLOWLY,
    async () => {
      const before = await endpointSecrets()
      const failed = await reencrypt(key('old'))
      expect(failed).toMatchObject({ code: 1 })
      expect(failed.stdout).toMatch(
        /^endpoint_secret\.secret: 0 encrypted anew, 1 cannot be read and stay as they are$/m,
      )
      expect(await endpointSecrets()).toEqual(before)
    },
  )

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
  const start = (keys: string) =>
    createService(
      readConfig({ ...environment(keys), DEMONSTRATION: 'off', LOG_LEVEL: 'silent' }, [], tmpdir()),
      { clock: world.clock },
    )

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

  test('with another key under an old id is refused also where the first key opens the rest', async () => {
    const { secret, id } = (await endpointSecrets())[0]!
    const place = secretPlace(id, shop.companyId)
    const later = { id: world.service.context.ids.uuid(), companyId: shop.companyId }
    await world.database.db.kysely
      .insertInto('endpointSecret')
      .values({
        ...later,
        endpointId: shop.endpointId,
        secret: world.service.keyRing.encrypt('whsec_2', secretPlace(later.id, later.companyId)),
        lastFour: 'four',
        signsUntil: world.clock.now(),
        createdAt: world.clock.now(),
      })
      .execute()
    await world.database.db.kysely
      .updateTable('endpointSecret')
      .set({ secret: both.encrypt(both.decrypt(secret, place), place) })
      .where('id', '=', id)
      .execute()
    await expect(start(`${newKey},${key('old')}`)).rejects.toThrow(
      /ENCRYPTION_KEYS has keys that do not open[^]*key "old": 1 in endpoint_secret\.secret/,
    )
  })

  test('is not stopped by single values that were damaged or moved, while the key opens others', async () => {
    await addSecrets()
    await sql`update endpoint_secret set secret = secret || 'x'
      where id in (select id from endpoint_secret order by id limit ${KEY_CHECK.valuesTried - 1})
    `.execute(world.database.db.kysely)
    await expect(start(oldKey).then((service) => service.stop())).resolves.toBeUndefined()
  })

  test('without ENCRYPTION_KEYS names the file that its keys are in', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wasla-keys-'))
    writeFileSync(path.join(folder, 'encryption-keys'), key('old'))
    try {
      const config = readConfig(
        { ...environment(''), DEMONSTRATION: 'off', LOG_LEVEL: 'silent', DATA_FOLDER: folder },
        [],
        folder,
      )
      await expect(createService(config, { clock: world.clock })).rejects.toThrow(
        `${path.join(folder, 'encryption-keys')} has keys that do not open`,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
