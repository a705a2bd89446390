import { sql, type Kysely } from 'kysely'
import type { DB } from '../../infra/database/tables.ts'
import { KNOWLEDGE_SEARCH } from '../../core/limits/knowledge.ts'

/** A term in the company's chunks, with the index (`place`) of the lookup that led to it. */
export type KnownTerm = { place: number; term: string; chunks: number; likeness: number; how: How }
type How = 'same' | 'root' | 'like'

export type TermsAsked = {
  /** Terms that must match exactly. */
  same: readonly { place: number; term: string }[]
  roots: readonly { place: number; root: string }[]
  /** Terms that are matched by similarity, where the company has no such term. */
  like: readonly { place: number; term: string }[]
}

/**
 * Returns the terms of the company's chunks that match the words of a question. Trigrams are made of the terms' ASCII
 * letters, so that they are the same under any locale.
 */
export async function lookUpTerms(
  db: Kysely<DB>,
  { companyId, asked: { same, roots, like } }: { companyId: string; asked: TermsAsked },
): Promise<KnownTerm[]> {
  const { forms, likeWords, leastLikeness } = KNOWLEDGE_SEARCH
  const { rows } = await sql<KnownTerm>`
    select asked.place, found.term, found.chunks, 1::float8 as likeness, 'same' as how
    from unnest(${places(same)}::int[], ${terms(same)}::text[]) as asked (place, term)
    join knowledge_term found on found.company_id = ${companyId} and found.term = asked.term
    union all
    select asked.place, found.term, found.chunks, 1, 'root'
    from unnest(${places(roots)}::int[], ${roots.map(({ root }) => root)}::text[]) as asked (place, root)
    cross join lateral (
      select term, chunks from knowledge_term
      where company_id = ${companyId} and root = asked.root
      order by chunks desc limit ${forms}
    ) found
    union all
    select asked.place, found.term, found.chunks, found.likeness, 'like'
    from unnest(${places(like)}::int[], ${terms(like)}::text[]) as asked (place, term)
    cross join lateral (
      select term, chunks, similarity(term, asked.term)::float8 as likeness from knowledge_term
      where company_id = ${companyId} and term % asked.term
        and similarity(term, asked.term) >= ${leastLikeness}
      order by likeness desc, term limit ${likeWords}
    ) found
    where not exists (
      select from knowledge_term where company_id = ${companyId} and term = asked.term)
  `.execute(db)
  return rows
}

const places = (asked: readonly { place: number }[]) => asked.map(({ place }) => place)
const terms = (asked: readonly { term: string }[]) => asked.map(({ term }) => term)
