import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import type { Connection, Database } from '../../src/infra/database/connect.ts'
import { inDatabase } from './in-database.ts'

export type TestDatabase = {
  /** For those that connect by themselves. */
  connection: Connection
  db: Database
  /** Closes `db` and removes the database, whoever is still connected to it. */
  drop(): Promise<void>
}

/** A database of the test's own with every migration run on it, or an empty one. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `wasla_test_${randomBytes(6).toString('hex')}`
  const template = options.empty ? 'template0' : inject('templateDatabase')
  // The files as they are: by way of the log, which is the default, each page is written twice.
  await onTestServer(`create database ${name} template ${template} strategy file_copy`)
  const connection = inDatabase(inject('testServer'), name)
  const db = connectDatabase({ ...connection, applicationName: name })
  return {
    connection,
    db,
    async drop() {
      await db.close()
      await onTestServer(`drop database if exists ${name} with (force)`)
    },
  }
}

/** One connection for all files of a worker: each that is opened costs the server some 25 ms of a core. */
let server: pg.Pool | undefined

async function onTestServer(statement: string): Promise<void> {
  if (server === undefined) {
    server = new pg.Pool({
      ...inject('testServer'),
      max: 1,
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    })
    // A test may end whoever is connected: the next statement opens another.
    server.on('error', () => {})
  }
  await server.query(statement)
}
