import type { Transaction } from 'kysely'
import type { Actor } from '../accounts/actor.ts'
import { lockCompany } from '../accounts/lock-company.ts'
import { auditedTransaction } from '../accounts/audited-transaction.ts'
import type { Context } from '../../infra/context.ts'
import type { SetSynonym, SynonymView } from '../../contract/dashboard/knowledge.ts'
import type { DB } from '../../infra/database/tables.ts'
import { fact } from '../../core/facts/fact.ts'
import { KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import { searchTerms } from '../../rules/text/search-terms.ts'
import { ServiceError, wrongField } from '../../core/service-error.ts'

/** Returns the company's synonyms, sorted by word. */
export async function listSynonyms(
  { db }: Pick<Context, 'db'>,
  { companyId }: { companyId: string },
): Promise<{ items: SynonymView[] }> {
  const items = await db.kysely
    .selectFrom('synonym')
    .select(['word', 'means'])
    .where('companyId', '=', companyId)
    .orderBy('word')
    .execute()
  return { items }
}

/**
 * Sets the meanings of a word, in place of earlier ones: a question with the word also finds chunks with its
 * meanings.
 * @throws invalid for a text that is not one word; limit_reached
 *
 * Spec: Assistant › Knowledge.
 */
export async function setSynonym(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, ...given }: SetSynonym & { companyId: string },
): Promise<SynonymView> {
  const row = synonymRowOf(given)
  if (searchTerms(given.word).length !== 1) throw wrongField('word', fact('synonym_not_one_word'))
  if (row.meanTerms.length === 0) throw wrongField('means', fact('synonym_of_no_words'))
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await lockCompany(tx, actor, companyId)
    const { term, means, meanTerms } = row
    await tx
      .insertInto('synonym')
      .values({ companyId, ...row })
      .onConflict((conflict) =>
        conflict.columns(['companyId', 'word']).doUpdateSet({ term, means, meanTerms }),
      )
      .execute()
    await requireRoom(tx, companyId)
    await audit('synonym.set', { id: companyId, companyId }, { word: row.word, means: row.means })
  })
  return { word: row.word, means: row.means }
}

/** Deletes the meanings of a word. @throws not_found */
export async function deleteSynonym(
  { db, ids, clock }: Context,
  actor: Actor,
  { companyId, word }: { companyId: string; word: string },
): Promise<void> {
  await auditedTransaction({ db, ids, clock }, actor, async (tx, audit) => {
    await tx
      .deleteFrom('synonym')
      .where('companyId', '=', companyId)
      .where('word', '=', word)
      .returning('word')
      .executeTakeFirstOrThrow(() => new ServiceError('not_found', fact('no_such_synonym')))
    await audit('synonym.deleted', { id: companyId, companyId }, { word })
  })
}

type SynonymRow = { word: string; means: string[]; term: string; meanTerms: string[] }

/** Returns the stored row of a synonym, with the terms by which a search finds the word and its meanings. */
export function synonymRowOf({ word, means }: SetSynonym): SynonymRow {
  const meanTerms = [...new Set(means.flatMap(searchTerms))]
  return { word, means: [...new Set(means)], term: searchTerms(word)[0] ?? '', meanTerms }
}

/** Checks that a company has no more synonyms than the limit. @throws limit_reached */
async function requireRoom(tx: Transaction<DB>, companyId: string): Promise<void> {
  const { count } = await tx
    .selectFrom('synonym')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('companyId', '=', companyId)
    .executeTakeFirstOrThrow()
  const max = KNOWLEDGE_LIMITS.synonyms
  if (count > max) throw new ServiceError('limit_reached', fact('synonyms_full', { max }))
}
