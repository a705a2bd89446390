/**
 * Runs before all tests: starts one PostgreSQL for all workers, with a database on which every migration was run. Each
 * test file that needs a database copies that one (see `database.ts`). The server is embedded in a temporary folder, or
 * is the one of `TEST_DATABASE_URL`, whose user must be allowed to create databases.
 */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import type { Connection } from '../../src/infra/database/connect.ts'
import { startEmbeddedPostgres } from '../../src/infra/database/embedded/start-embedded-postgres.ts'
import { migrate } from '../../src/infra/database/migrate.ts'
import { createComingPartitions } from '../../src/modules/events/sweep-partitions.sql.ts'
import { inDatabase } from './in-database.ts'
import { giveCluster, makeCluster } from './made-cluster.ts'
import { createMovedClock } from './moved-clock.ts'
import { quickFolder } from './quick-folder.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    testServer: Connection
    templateDatabase: string
    /** The folder of the cluster that tests copy: see `made-cluster.ts`. */
    cluster: string
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const made = mkdtempSync(join(tmpdir(), 'wasla-made-'))
  const removeMade = () => rmSync(made, { recursive: true, force: true })
  process.once('exit', removeMade)
  const cluster = await makeCluster(made)
  const server = process.env.TEST_DATABASE_URL
    ? { connection: { connectionString: process.env.TEST_DATABASE_URL }, stop: async () => {} }
    : await startServer(cluster)
  const template = `wasla_template_${randomBytes(4).toString('hex')}`
  const tearDown = async () => {
    try {
      await onServer(server.connection, `drop database if exists ${template}`)
    } finally {
      removeMade()
      await server.stop()
    }
  }
  try {
    await onServer(server.connection, `create database ${template}`)
    const db = connectDatabase(inDatabase(server.connection, template))
    try {
      await migrate(db.pool)
      // Each service creates these partitions in its first pass, which takes longer than copying them.
      await createComingPartitions(db.kysely, createMovedClock().now())
    } finally {
      await db.close()
    }
  } catch (error) {
    await tearDown()
    throw error
  }
  project.provide('testServer', server.connection)
  project.provide('templateDatabase', template)
  project.provide('cluster', cluster)
  return tearDown
}

async function startServer(
  cluster: string,
): Promise<{ connection: Connection; stop(): Promise<void> }> {
  const dataFolder = await mkdtemp(join(quickFolder(), 'wasla-test-'))
  const removeFolder = () => rmSync(dataFolder, { recursive: true, force: true })
  try {
    await giveCluster(cluster, dataFolder)
    const server = await startEmbeddedPostgres({
      dataFolder,
      // No data has to outlive the machine.
      settings: {
        fsync: 'off',
        full_page_writes: 'off',
        max_connections: '100',
        plan_cache_mode: 'force_generic_plan',
        // Without a vacuum the space of deleted rows is not used again, so that later rows are found in the
        // order of their insertion.
        autovacuum: 'off',
      },
    })
    // Ctrl-C ends the tests without the tear-down, and a `timeout` in front of them without any exit handler.
    const exit = () => process.exit(143)
    process.once('SIGTERM', exit)
    const killPostgres = () => {
      process.kill(server.pid, 'SIGQUIT')
      for (let i = 0; i < 100 && existsSync(join(dataFolder, 'postgres/postmaster.pid')); i++) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      }
      rmSync(server.connection.host, { recursive: true, force: true })
      removeFolder()
    }
    process.once('exit', killPostgres)
    return {
      connection: server.connection,
      async stop() {
        process.off('exit', killPostgres)
        process.off('SIGTERM', exit)
        await server.stop().finally(removeFolder)
      },
    }
  } catch (error) {
    removeFolder()
    throw error
  }
}

async function onServer(connection: Connection, statement: string): Promise<void> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
