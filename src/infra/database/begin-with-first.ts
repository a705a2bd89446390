import pg from 'pg'

/**
 * Begins a transaction together with its first statement: a round trip less for each, and both sides wake once. The two
 * go out before one `Sync`, so that where the beginning fails the server passes over the statement.
 */
type BeginWithFirst = {
  /** Returns whether a transaction was begun whose first statement has not been sent. */
  isPending(): boolean
  /** Handles a statement that begins or ends a transaction without the server; returns null for any other statement. */
  takeIn(text: string): Promise<pg.QueryResult> | null
  /** Makes a statement with parameters, the first of the transaction that is pending. */
  first(config: pg.QueryConfig): Promise<pg.QueryResult>
  /** Makes any other statement, after the beginning of the transaction that is pending. */
  before(make: () => unknown): unknown
}

const BEGINS = /^(?:begin|start transaction)\b[^;]*$/
const ENDS = /^(?:commit|rollback)$/
const NOTHING = { rowCount: null, oid: 0, rows: [], fields: [] }

/**
 * Internals of the driver: prepared statements of the connection by name, and the messages of the extended protocol.
 */
type Wire = {
  parsedStatements?: Record<string, string>
  bind(config: { portal: string; statement: string; values: [] }): void
  execute(config: { portal: string; rows: number }): void
}
type Prepared = pg.Query & { prepare(wire: Wire): void; callback: Callback }
type Callback = (error: Error | null, results?: pg.QueryResult | pg.QueryResult[]) => void
type SendQuery = (query: pg.QueryConfig | pg.Query) => Promise<pg.QueryResult>

const prepareOf = (pg.Query.prototype as Prepared).prepare

/**
 * Creates the handler that sends a transaction's BEGIN together with its first statement, which saves a round trip.
 * `send` sends a statement by the driver.
 */
export function createBeginWithFirst(client: pg.PoolClient, send: SendQuery): BeginWithFirst {
  const { parsedStatements } = (client as unknown as { connection: Wire }).connection
  let pending: string | null = null

  return {
    isPending: () => pending !== null,
    takeIn(text) {
      if (pending !== null && ENDS.test(text)) {
        // The transaction had no statement.
        pending = null
        return Promise.resolve({ ...NOTHING, command: text.toUpperCase() })
      }
      if (!BEGINS.test(text)) return null
      // The server prepares the beginning once for the connection.
      if (parsedStatements?.[text] === undefined) return send({ name: text, text, values: [] })
      pending = text
      return Promise.resolve({ ...NOTHING, command: 'BEGIN' })
    },
    first(config) {
      const statement = pending!
      pending = null
      const query = new pg.Query(config) as Prepared
      query.prepare = (wire) => {
        wire.bind({ portal: '', statement, values: [] })
        wire.execute({ portal: '', rows: 0 })
        prepareOf.call(query, wire)
      }
      return new Promise((resolve, reject) => {
        query.callback = (error, results) => {
          if (error) reject(error)
          // The result of the beginning comes first.
          else resolve(Array.isArray(results) ? results.at(-1)! : results!)
        }
        void send(query)
      })
    },
    before(make) {
      if (pending === null) return make()
      const text = pending
      pending = null
      return send({ name: text, text, values: [] }).then(make)
    },
  }
}
