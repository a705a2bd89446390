import type { Fact, FactCode } from '../../core/facts/fact.ts'

/** A fact with its sentence in the reader's language. */
export type LocalizedFact<Code extends FactCode = FactCode> = {
  code: Code
  /** The parameters of the code. */
  params: Readonly<Record<string, unknown>>
  text: string
}

/** A function that formats a fact in the language of the request, which `http/` knows. */
export type FormatFact = (fact: Fact) => LocalizedFact
