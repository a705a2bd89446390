import type pg from 'pg'

/** Different texts that are prepared at most; a list of values makes a text of every length. */
const MOST_STATEMENTS = 400
/**
 * In the text of a statement whose form depends on what was asked, such as a search by filters: it is
 * planned for each question, and takes the place of no other.
 */
export const PLANNED_EACH_TIME = '/* planned each time */'
/** The result of a prepared statement has changed its columns: a migration ran meanwhile. */
const RESULT_CHANGED = '0A000'

type Query = (text: unknown, values?: unknown, callback?: unknown) => unknown
type Callback = (error: unknown, result: unknown) => void

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
    if (numbers.size >= MOST_STATEMENTS || text.includes(PLANNED_EACH_TIME)) return null
    numbers.set(text, numbers.size)
    return `${epoch}.${numbers.size - 1}`
  }

  function judge(error: unknown) {
    if ((error as { code?: unknown } | null)?.code === RESULT_CHANGED) epoch += 1
  }

  function watch(answer: unknown): unknown {
    if (answer instanceof Promise) answer.catch(judge)
    return answer
  }

  /** A pool asks in this way. */
  function watched(callback: unknown): unknown {
    if (typeof callback !== 'function') return callback
    return (error: unknown, result: unknown) => {
      judge(error)
      ;(callback as Callback)(error, result)
    }
  }

  return (client) => {
    const query = client.query.bind(client) as Query
    client.query = ((text: unknown, values?: unknown, callback?: unknown) => {
      if (typeof text !== 'string' || !Array.isArray(values) || values.length === 0) {
        return query(text, values, callback)
      }
      const name = nameOf(text)
      return watch(
        name === null
          ? query(text, values, callback)
          : query({ name, text, values }, watched(callback)),
      )
    }) as typeof client.query
  }
}
