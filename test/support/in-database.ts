import type { Connection } from '../../src/infra/database/connect.ts'

/** Returns a connection to another database of the same server. */
export function inDatabase(connection: Connection, database: string): Connection {
  if (connection.connectionString === undefined) return { ...connection, database }
  const url = new URL(connection.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}
