import pg from 'pg'

/**
 * Sends BEGIN together with the first statement of its transaction, which saves a round trip. Both messages precede one
 * `Sync`, so that the server skips the statement if BEGIN fails.
 */
type BeginWithFirst = {
  /** Returns whether a BEGIN waits for the first statement of its transaction. */
  isPending(): boolean
  /**
   * Handles a BEGIN, or the end of a transaction without a statement, without the server. Returns null for any other
   * statement.
   */
  intercept(text: string): Promise<pg.QueryResult> | null
  /** Sends the pending BEGIN together with this statement, which has parameters. */
  sendWithBegin(config: pg.QueryConfig): Promise<pg.QueryResult>
  /** Sends the pending BEGIN, if there is one, and then calls `send`, which sends any other statement. */
  sendAfterBegin(send: () => unknown): unknown
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
    intercept(text) {
      if (pending !== null && ENDS.test(text)) {
        // The transaction had no statement.
        pending = null
        return Promise.resolve({ ...NOTHING, command: text.toUpperCase() })
      }
      if (!BEGINS.test(text)) return null
      // The server prepares BEGIN once for the connection.
      if (parsedStatements?.[text] === undefined) return send({ name: text, text, values: [] })
      pending = text
      return Promise.resolve({ ...NOTHING, command: 'BEGIN' })
    },
    sendWithBegin(config) {
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
          // The result of BEGIN comes first.
          else resolve(Array.isArray(results) ? results.at(-1)! : results!)
        }
        void send(query)
      })
    },
    sendAfterBegin(sendStatement) {
      if (pending === null) return sendStatement()
      const text = pending
      pending = null
      return send({ name: text, text, values: [] }).then(sendStatement)
    },
  }
}
