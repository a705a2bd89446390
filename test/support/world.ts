/**
 * A real service in process: a database of its own, a clock that the test moves, a real receiver over
 * HTTPS, and where a test asks for it the WhatsApp simulator. The daemon is not started: the test
 * says `await world.service.processAll()`.
 */
import { baseUrlsNowhere } from './base-urls.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { readConfig, type Config } from '../../src/config.ts'
import type { Connection } from '../../src/database/connect.ts'
import { HOOK_DESK } from '../../src/hooks/answer-desk.ts'
import { createLog } from '../../src/log.ts'
import { createService, type Ports, type Service } from '../../src/service.ts'
import type { TestDatabase } from './database.ts'
import { createMovedClock, type MovedClock } from './moved-clock.ts'
import { startTestReceiver, type TestReceiver } from './receiver.ts'

/** How many database connections a service has in tests that ask for no other number. */
export const CONNECTIONS = 4

export type World = {
  service: Service
  database: TestDatabase
  clock: MovedClock
  receiver: TestReceiver
  /** Every line that the service logged. */
  logged: string[]
  baseUrls: Ports['providerBaseUrls']
  /** Origin of the service's HTTP server. */
  url: string
  close(): Promise<void>
}

/** Ports that a test sets by itself, and the key ring where another process must share it. */
export type WorldOptions = Partial<Ports> & {
  encryptionKeys?: string
  trustedProxies?: string
  metricsToken?: string
  egressDeny?: string
  modelTokensPerDay?: string
  /** Connections of the process, as its setting has them: more where many are to come between each other. */
  databasePool?: string
}

export async function createWorldOn(
  database: TestDatabase,
  {
    encryptionKeys,
    trustedProxies,
    metricsToken,
    egressDeny,
    modelTokensPerDay,
    databasePool,
    ...ports
  }: WorldOptions = {},
): Promise<World> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-world-'))
  const receiver = await startTestReceiver()
  const clock = createMovedClock()
  const logged: string[] = []
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, receiver.certificate)
  const baseUrls = baseUrlsNowhere()
  const service = await createService(
    testConfig(database.connection, folder, caFile, {
      encryptionKeys,
      trustedProxies,
      metricsToken,
      egressDeny,
      modelTokensPerDay,
      databasePool,
    }),
    {
      clock,
      providerBaseUrls: baseUrls,
      log: createLog(pino, 'debug', { write: (line) => void logged.push(line) }),
      // A machine that stalls is no database that is away.
      hookDesk: { ...HOOK_DESK, giveUpMs: 15_000 },
      ...ports,
    },
  )
  const port = await service.listen()
  return {
    service,
    database,
    clock,
    receiver,
    logged,
    baseUrls,
    url: `http://127.0.0.1:${port}`,
    async close() {
      await service.stop()
      await receiver.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function testConfig(
  connection: Connection,
  dataFolder: string,
  caFile: string,
  more: Record<
    | 'encryptionKeys'
    | 'trustedProxies'
    | 'metricsToken'
    | 'egressDeny'
    | 'modelTokensPerDay'
    | 'databasePool',
    string | undefined
  >,
): Config {
  return readConfig(
    {
      DATABASE_URL: connectionUrl(connection),
      // Each one that is opened plans its statements anew: more of them make a world slow.
      DATABASE_POOL: more.databasePool ?? String(CONNECTIONS),
      DATA_FOLDER: dataFolder,
      PORT: '0',
      DEMONSTRATION: 'off',
      EGRESS_ALLOW: '127.0.0.0/8',
      EGRESS_DENY: more.egressDeny,
      EXTRA_CA_FILE: caFile,
      ENCRYPTION_KEYS: more.encryptionKeys,
      TRUSTED_PROXIES: more.trustedProxies,
      METRICS_TOKEN: more.metricsToken,
      MODEL_TOKENS_PER_DAY: more.modelTokensPerDay,
    },
    [],
    dataFolder,
  )
}

/** A connection as `DATABASE_URL` gives it, also when it is a Unix socket. */
export function connectionUrl(connection: Connection): string {
  if (connection.connectionString) return connection.connectionString
  const { host = '', port = 5432, user = '', database = '' } = connection
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}
