import type pg from 'pg'

/** Different texts that are prepared at most; a list of values makes a text of every length. */
const MOST_STATEMENTS = 400
/** The result of a prepared statement has changed its columns: a migration ran meanwhile. */
const RESULT_CHANGED = '0A000'

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown

/**
 * Lets every connection prepare each statement once, instead of having it parsed and planned at every
 * call: most of what the statements here cost is planning. Texts with parameters alone are prepared,
 * and only the first few hundred different ones.
 *
 * When another node has migrated, a prepared statement may fail once; from then on all are prepared
 * anew, under other names.
 */
export function createStatementPreparer(): (client: pg.PoolClient) => void {
  const numbers = new Map<string, number>()
  let epoch = 0

  function nameOf(text: string): string | null {
    const known = numbers.get(text)
    if (known !== undefined) return `${epoch}.${known}`
    if (numbers.size >= MOST_STATEMENTS) return null
    numbers.set(text, numbers.size)
    return `${epoch}.${numbers.size - 1}`
  }

  function watch(answer: unknown): unknown {
    if (answer instanceof Promise) {
      answer.catch((error: { code?: unknown }) => {
        if (error.code === RESULT_CHANGED) epoch += 1
      })
    }
    return answer
  }

  return (client) => {
    const query = client.query.bind(client) as Query
    client.query = ((text: unknown, values?: unknown, callback?: unknown) => {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
        return query(text, values, callback)
      }
      const name = nameOf(text)
      return watch(
        name === null ? query(text, values, callback) : query({ name, text, values }, callback),
      )
    }) as typeof client.query
  }
}
