import type { Fact } from '../facts/fact.ts'

/** The sentence of each code. `tell` tells a fact that is part of another. */
export type Sentences<Params> = {
  [Code in keyof Params]: (params: Params[Code], tell: (fact: Fact) => string) => string
}
