import { searchTerms } from '../rules/text/search-terms.ts'

/** A word as its company writes it, and what it stands for, with the terms of both. */
export type SynonymRow = { word: string; means: string[]; term: string; meanTerms: string[] }

/** A synonym as it is stored and searched. */
export function readSynonym({
  word,
  means,
}: {
  word: string
  means: readonly string[]
}): SynonymRow {
  return {
    word,
    means: [...means],
    term: searchTerms(word)[0] ?? '',
    meanTerms: [...new Set(means.flatMap(searchTerms))],
  }
}
