/**
 * A real service in this process. It has its own database, a clock that the test moves, a real receiver over
 * HTTPS, and the WhatsApp simulator where a test asks for it. The daemon is not started: the test calls `await
 * world.service.processAll()`.
 */
import { baseUrlsNowhere } from './base-urls.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { readConfig, type Config } from '../../src/app/config.ts'
import type { Connection } from '../../src/infra/database/connect.ts'
import { HOOK_BATCHER } from '../../src/modules/hooks/hook-batcher.ts'
import { createLog } from '../../src/infra/log.ts'
import { createService, type Ports, type Service } from '../../src/app/create-service.ts'
import type { TestDatabase } from './database.ts'
import { closedOnce } from './left-open.ts'
import { createMovedClock, type MovedClock } from './moved-clock.ts'
import { startTestReceiver, type TestReceiver } from './receiver.ts'

/** The number of database connections that a service has by default. */
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
  /** The folder of the keys and files of the service. */
  dataFolder: string
  close(): Promise<void>
}

/** The settings of a service that a test may set, by the names of its environment. */
const SETTINGS = {
  encryptionKeys: 'ENCRYPTION_KEYS',
  trustedProxies: 'TRUSTED_PROXIES',
  metricsToken: 'METRICS_TOKEN',
  cellCode: 'CELL_CODE',
  projectsPerAccount: 'PROJECTS_PER_ACCOUNT',
  stopDelaySeconds: 'STOP_DELAY_SECONDS',
  egressDeny: 'EGRESS_DENY',
  extraCaFile: 'EXTRA_CA_FILE',
  modelTokensPerDay: 'MODEL_TOKENS_PER_DAY',
  guardObserve: 'GUARD_OBSERVE',
  /** The number of connections of the process. A test needs more when many requests run concurrently. */
  databasePool: 'DATABASE_POOL',
} as const

/** Ports that a test sets, and settings: the key ring, say, when another process must share it. */
export type WorldOptions = Partial<Ports> & { [Name in keyof typeof SETTINGS]?: string | undefined }

export async function createWorldOn(
  database: TestDatabase,
  options: WorldOptions = {},
): Promise<World> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wasla-world-'))
  const receiver = await startTestReceiver()
  const clock = createMovedClock()
  const logged: string[] = []
  const caFile = path.join(folder, 'ca.pem')
  writeFileSync(caFile, receiver.certificate)
  const baseUrls = baseUrlsNowhere()
  const ports: Partial<Ports> = { ...options }
  const settings: Record<string, string> = {}
  for (const name of Object.keys(SETTINGS) as (keyof typeof SETTINGS)[]) {
    const value = options[name]
    if (value !== undefined) settings[SETTINGS[name]] = value
    delete (ports as WorldOptions)[name]
  }
  const service = await createService(testConfig(database.connection, folder, caFile, settings), {
    clock,
    providerBaseUrls: baseUrls,
    log: createLog(pino, 'debug', { write: (line) => void logged.push(line) }),
    // A slow machine must not look like an unavailable database.
    hookBatcher: { ...HOOK_BATCHER, giveUpMs: 15_000 },
    ...ports,
  })
  const workIsOver = followWork(service)
  const port = await service.listen()
  return {
    service,
    database,
    clock,
    receiver,
    logged,
    baseUrls,
    url: `http://127.0.0.1:${port}`,
    dataFolder: folder,
    close: closedOnce(async () => {
      await workIsOver()
      await service.stop()
      await receiver.close()
      await database.drop()
      rmSync(folder, { recursive: true, force: true })
    }),
  }
}

function testConfig(
  connection: Connection,
  dataFolder: string,
  caFile: string,
  settings: Record<string, string>,
): Config {
  return readConfig(
    {
      DATABASE_URL: connectionUrl(connection),
      // Each additional connection plans its statements again, which makes a world slow.
      DATABASE_POOL: String(CONNECTIONS),
      DATA_FOLDER: dataFolder,
      PORT: '0',
      DEMONSTRATION: 'off',
      EGRESS_ALLOW: '127.0.0.0/8',
      EXTRA_CA_FILE: caFile,
      ...settings,
    },
    [],
    dataFolder,
  )
}

/** Returns a connection as `DATABASE_URL` writes it, also for a Unix socket. */
export function connectionUrl(connection: Connection): string {
  if (connection.connectionString) return connection.connectionString
  const { host = '', port = 5432, user = '', database = '' } = connection
  return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

/** The time that a closing world waits for work that a test began and did not wait for. */
const WORK_ENDS_WITHIN_MS = 10_000

/** Returns a function that waits for what a test has set to work and not waited for: it would outlive its database. */
function followWork(service: Service): () => Promise<void> {
  const working = new Set<Promise<boolean>>()
  const { processAll } = service
  service.processAll = () => {
    const work = processAll()
    working.add(work)
    const forget = () => void working.delete(work)
    work.then(forget, forget)
    return work
  }
  return async () => {
    const ended = Promise.allSettled(working)
    let timer: NodeJS.Timeout | undefined
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, WORK_ENDS_WITHIN_MS)
    })
    await Promise.race([ended, patience])
    clearTimeout(timer)
  }
}
