/** The statements that this process sends to PostgreSQL. */
import pg from 'pg'

export type Statement = { text: string; values: readonly unknown[]; name?: string }

/**
 * Calls a function with each statement before it is sent, on connections that are opened from now on. Returns what
 * stops that.
 */
export function watchStatements(
  see: (statement: Statement, client: pg.Client) => void,
): () => void {
  // oxlint-disable-next-line typescript/unbound-method -- called with its own client below
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked, values] = args as [string | Partial<Statement>, unknown]
    if (typeof asked === 'string') see({ text: asked, values: listOf(values) }, this)
    else if (asked.text !== undefined)
      see({ ...asked, text: asked.text, values: listOf(asked.values ?? values) }, this)
    return query.apply(this, args)
  } as typeof pg.Client.prototype.query
  return () => {
    pg.Client.prototype.query = query as typeof pg.Client.prototype.query
  }
}

const listOf = (values: unknown): readonly unknown[] => (Array.isArray(values) ? values : [])
