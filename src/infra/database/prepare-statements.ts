import type pg from 'pg'
import { createBeginWithFirst } from './begin-with-first.ts'

/** Different texts that are prepared at most; a list of values makes a text of every length. */
const MOST_STATEMENTS = 400
/**
 * In the text of a statement whose form depends on what was asked, such as a search by filters: it is
 * planned for each question, and takes the place of no other.
 */
export const PLANNED_EACH_TIME = '/* planned each time */'
/** The result of a prepared statement has changed its columns: a migration ran meanwhile. */
export const RESULT_CHANGED = '0A000'

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown
type Callback = (error: unknown, result: unknown) => void

/**
 * Lets every connection prepare each statement once, instead of having it parsed and planned at every
 * call: most of what the statements here cost is planning. Texts with parameters alone are prepared,
 * and only the first few hundred different ones.
 *
 * When another node has migrated, a prepared statement may fail; from then on all are prepared anew,
 * under other names. One that stood alone is asked once more, unprepared, and nobody notices; in a
 * transaction it fails, and `transaction` begins that anew.
 *
 * A transaction begins with its first statement.
 */
export function createStatementPreparer(): (client: pg.PoolClient) => void {
  const numbers = new Map<string, number>()
  let epoch = 0

  function nameOf(text: string): string | null {
    const known = numbers.get(text)
    if (known !== undefined) return `${epoch}.${known}`
    if (numbers.size >= MOST_STATEMENTS || text.includes(PLANNED_EACH_TIME)) return null
    numbers.set(text, numbers.size)
    return `${epoch}.${numbers.size - 1}`
  }

  /** Whether the error is of what a migration did to a prepared statement. */
  function hasChanged(error: unknown): boolean {
    const isChanged = (error as { code?: unknown } | null)?.code === RESULT_CHANGED
    if (isChanged) epoch += 1
    return isChanged
  }

  return (client) => {
    const query = client.query.bind(client) as Query
    const begin = createBeginWithFirst(client, client.query.bind(client))
    client.query = ((text: unknown, values?: unknown, callback?: unknown) => {
      const hasCallback = typeof callback === 'function' || typeof values === 'function'
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
        const taken = typeof text === 'string' && !hasCallback ? begin.takeIn(text) : null
        return taken ?? begin.before(() => query(text, values, callback))
      }
      const name = nameOf(text)
      if (begin.isPending()) {
        if (hasCallback) return begin.before(() => client.query(text, values, callback as never))
        return begin
          .first({ ...(name !== null && { name }), text, values })
          .catch((error: unknown) => {
            hasChanged(error)
            throw error
          })
      }
      if (name === null) return query(text, values, callback)
      const isAlone = client.getTransactionStatus() === 'I'
      const isToAskAgain = (error: unknown) => hasChanged(error) && isAlone
      if (typeof callback === 'function') {
        // A pool asks in this way.
        const answer = callback as Callback
        return query({ name, text, values }, (error: unknown, result: unknown) => {
          if (isToAskAgain(error)) query(text, values, answer)
          else answer(error, result)
        })
      }
      return (query({ name, text, values }) as Promise<unknown>).catch((error: unknown) => {
        if (isToAskAgain(error)) return query(text, values)
        throw error
      })
    }) as typeof client.query
  }
}
