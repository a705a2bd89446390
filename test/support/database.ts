import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { connectDatabase } from '../../src/infra/database/connect.ts'
import type { Connection, Database } from '../../src/infra/database/connect.ts'
import { inDatabase } from './in-database.ts'

export type TestDatabase = {
  /** The address of the database, for tests that connect without `db`. */
  connection: Connection
  db: Database
  /** Closes `db` and removes the database, also while other sessions are connected to it. */
  drop(): Promise<void>
}

/** Creates a database for one test: a copy of the one with all migrations, or an empty one. */
export async function createTestDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const name = `wasla_test_${randomBytes(6).toString('hex')}`
  const template = options.empty ? 'template0' : inject('templateDatabase')
  // The strategy copies files. The default copies through the log, which writes each page twice.
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

/** The connection that all files of a worker share: opening one costs the server some 25 ms of a core. */
let server: pg.Pool | undefined

async function onTestServer(statement: string): Promise<void> {
  if (server === undefined) {
    server = new pg.Pool({
      ...inject('testServer'),
      max: 1,
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    })
    // A test may end all sessions of the server: the next statement opens another connection.
    server.on('error', () => {})
  }
  await server.query(statement)
}
