import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import type { DB } from '../../../src/infra/database/tables.ts'

/** Returns a query builder that uses one connection, and the transaction that is open there. */
export function queryBuilderOn(client: pg.Client): Kysely<DB> {
  const only = { query: client.query.bind(client), release() {} } as unknown as pg.PoolClient
  return new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: { options: {}, connect: () => Promise.resolve(only), end: () => Promise.resolve() },
    }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
}
