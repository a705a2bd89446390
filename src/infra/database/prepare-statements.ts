import type pg from 'pg'
import { createBeginWithFirst } from './begin-with-first.ts'

/** Maximum number of texts that are prepared: a list of values has another text for each of its lengths. */
const MAX_STATEMENTS = 400
/**
 * A marker in a statement whose form depends on the request, such as a search by filters. It is planned each time and
 * uses up no prepared statement.
 */
export const PLANNED_EACH_TIME = '/* planned each time */'
/** SQL state of a prepared statement whose result columns have changed, because a migration ran meanwhile. */
export const RESULT_CHANGED = '0A000'

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown
type Callback = (error: unknown, result: unknown) => void

/**
 * Creates a function that lets a connection prepare each statement once, because most of a statement's cost here is
 * planning. Only statements with parameters are prepared, and at most a few hundred.
 *
 * A migration by another node can make prepared statements fail. Then all are prepared again, under new names. A
 * single statement is repeated unprepared. Within a transaction it fails, and `transaction` repeats the whole.
 *
 * BEGIN is sent together with the first statement of its transaction.
 */
export function createStatementPreparer(): (client: pg.PoolClient) => void {
  const numbers = new Map<string, number>()
  let epoch = 0

  function nameOf(text: string): string | null {
    const known = numbers.get(text)
    if (known !== undefined) return `${epoch}.${known}`
    if (numbers.size >= MAX_STATEMENTS || text.includes(PLANNED_EACH_TIME)) return null
    numbers.set(text, numbers.size)
    return `${epoch}.${numbers.size - 1}`
  }

  /** Returns whether the error results from a migration that changed a prepared statement. */
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
        const handled = typeof text === 'string' && !hasCallback ? begin.intercept(text) : null
        return handled ?? begin.sendAfterBegin(() => query(text, values, callback))
      }
      const name = nameOf(text)
      if (begin.isPending()) {
        if (hasCallback) {
          return begin.sendAfterBegin(() => client.query(text, values, callback as never))
        }
        return begin
          .sendWithBegin({ ...(name !== null && { name }), text, values })
          .catch((error: unknown) => {
            hasChanged(error)
            throw error
          })
      }
      if (name === null) return query(text, values, callback)
      const isAlone = client.getTransactionStatus() === 'I'
      const isToRetry = (error: unknown) => hasChanged(error) && isAlone
      if (typeof callback === 'function') {
        // The pool calls with a callback.
        const answer = callback as Callback
        return query({ name, text, values }, (error: unknown, result: unknown) => {
          if (isToRetry(error)) query(text, values, answer)
          else answer(error, result)
        })
      }
      return (query({ name, text, values }) as Promise<unknown>).catch((error: unknown) => {
        if (isToRetry(error)) return query(text, values)
        throw error
      })
    }) as typeof client.query
  }
}
