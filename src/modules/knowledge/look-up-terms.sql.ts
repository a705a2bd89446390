import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { KNOWLEDGE_SEARCH } from '../../core/limits/knowledge.ts'

/**
 * A term in the company's index that a lookup found. `place` is the index of the lookup, `chunks` the number of chunks
 * with the term, and `likeness` its similarity to the wanted term, from 0 to 1.
 */
export type KnownTerm = { place: number; term: string; chunks: number; likeness: number; how: How }
type How = 'same' | 'root' | 'like'

/** The terms to look up. `place` is the index of each lookup. */
export type LookupTerms = {
  /** Terms that must match exactly. */
  same: readonly { place: number; term: string }[]
  roots: readonly { place: number; root: string }[]
  /** Terms that are matched by similarity, where the company has no such term. */
  like: readonly { place: number; term: string }[]
}

/**
 * Finds the terms in a company's index of knowledge that equal a wanted term, have a wanted root or are similar to a
 * wanted term. Trigrams are made of the terms' ASCII letters, so that they are the same under any locale.
 */
export async function lookUpTerms(
  db: Kysely<DB>,
  { companyId, wanted: { same, roots, like } }: { companyId: string; wanted: LookupTerms },
): Promise<KnownTerm[]> {
  const { forms, likeWords, minSimilarity } = KNOWLEDGE_SEARCH
  const { rows } = await sql<KnownTerm>`
    select wanted.place, found.term, found.chunks, 1::float8 as likeness, 'same' as how
    from unnest(${places(same)}::int[], ${terms(same)}::text[]) as wanted (place, term)
    join knowledge_term found on found.company_id = ${companyId} and found.term = wanted.term
    union all
    select wanted.place, found.term, found.chunks, 1, 'root'
    from unnest(${places(roots)}::int[], ${roots.map(({ root }) => root)}::text[]) as wanted (place, root)
    cross join lateral (
      select term, chunks from knowledge_term
      where company_id = ${companyId} and root = wanted.root
      order by chunks desc limit ${forms}
    ) found
    union all
    select wanted.place, found.term, found.chunks, found.likeness, 'like'
    from unnest(${places(like)}::int[], ${terms(like)}::text[]) as wanted (place, term)
    cross join lateral (
      select term, chunks, similarity(term, wanted.term)::float8 as likeness from knowledge_term
      where company_id = ${companyId} and term % wanted.term
        and similarity(term, wanted.term) >= ${minSimilarity}
      order by likeness desc, term limit ${likeWords}
    ) found
    where not exists (
      select from knowledge_term where company_id = ${companyId} and term = wanted.term)
  `.execute(db)
  return rows
}

const places = (wanted: readonly { place: number }[]) => wanted.map(({ place }) => place)
const terms = (wanted: readonly { term: string }[]) => wanted.map(({ term }) => term)
