import type { Fact, FactCode } from '../../core/facts/fact.ts'

/** A fact with its sentence, in the language of whoever asked. */
export type LocalizedFact<Code extends FactCode = FactCode> = {
  code: Code
  /** What belongs to the code. */
  params: Readonly<Record<string, unknown>>
  text: string
}

/** Tells a fact to whoever asked; `http/` knows in which language. */
export type FormatFact = (fact: Fact) => LocalizedFact
