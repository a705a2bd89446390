import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { wrongField, type ServiceError } from '../../core/service-error.ts'

const QUERY_CANCELED = '57014'

/**
 * Runs a search in a transaction with a statement timeout, and returns its result.
 * @throws invalid when it matches too much to finish in time
 * Spec: Contacts › Search.
 */
export async function searchWithTimeout<Value>(
  db: Context['db'],
  search: (tx: Transaction<DB>) => Promise<Value>,
): Promise<Value> {
  try {
    return await transaction(db, async (tx) => {
      const { statementMs } = SEARCH_LIMITS
      await sql`select set_config('statement_timeout', ${`${statementMs}`}, true)`.execute(tx)
      return search(tx)
    })
  } catch (error) {
    if ((error as { code?: unknown }).code === QUERY_CANCELED) {
      throw searchRefused(fact('search_too_wide'))
    }
    throw error
  }
}

/** Creates the error for a search text that cannot be used. */
export function searchRefused(why: Fact): ServiceError {
  return wrongField('q', why)
}
