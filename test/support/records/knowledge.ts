/** Sources that a company has written down for its assistant. */
import type { Company, FieldsOf, Recorded } from './records.ts'
import { insert, newIdOf, nowOf, read, update } from './records.ts'

/** Adds sources that no worker reads, in few statements. */
export async function addSources(
  world: Recorded,
  { companyId }: Company,
  sources: readonly FieldsOf<'knowledgeSource'>[],
): Promise<void> {
  const now = nowOf(world)
  const usual = { kind: 'text', title: 'x', state: 'ready', createdAt: now, updatedAt: now }
  const rows = sources.map((source) => {
    return { ...usual, ...source, id: source.id ?? newIdOf(world), companyId }
  })
  await insert(world, 'knowledgeSource', ...rows)
}

/** Returns the sources of a company, in the order in which they were written down. */
export const sourcesOf = (world: Recorded, { companyId }: Company) =>
  read(world, 'knowledgeSource', { companyId }, 'createdAt', 'id')

/** Sets how far the service is with a source, as a process leaves it that dies while it reads. */
export const putSource = (world: Recorded, id: string, state: FieldsOf<'knowledgeSource'>) =>
  update(world, 'knowledgeSource', { id }, state)

/** Returns the terms by which a company's sources are found, each with its number of pieces. */
export const wordsOf = async (world: Recorded, { companyId }: Company) =>
  (await read(world, 'knowledgeTerm', { companyId }, 'term')).map(({ term, chunks }) => ({
    term,
    chunks,
  }))

/** Adds synonyms to a company. */
export const addSynonyms = (world: Recorded, { companyId }: Company, words: readonly string[]) => {
  const meaning = { companyId, means: ['x'], meanTerms: ['x'] }
  return insert(world, 'synonym', ...words.map((word) => ({ ...meaning, word, term: word })))
}
