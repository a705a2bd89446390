import { sql, type Transaction } from 'kysely'
import type { Context } from '../../infra/context.ts'
import type { DB } from '../../infra/database/tables.ts'
import { transaction } from '../../infra/database/transaction.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { SEARCH_LIMITS } from '../../core/limits/contacts.ts'
import { wrongField, type ServiceError } from '../../core/service-error.ts'

const OUT_OF_TIME = '57014'

/**
 * Searches for as long as a search may take: what finds too many to be told by then is refused.
 * @throws invalid
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
    if ((error as { code?: unknown }).code === OUT_OF_TIME) {
      throw searchRefused(fact('search_too_wide'))
    }
    throw error
  }
}

export function searchRefused(why: Fact): ServiceError {
  return wrongField('q', why)
}
