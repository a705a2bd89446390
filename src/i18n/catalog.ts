import type { Fact, FactCode, FactParams } from '../core/facts/fact.ts'

/** The sentence of each code. `tell` tells a fact that is part of another. */
export type Catalog<Params> = {
  [Code in keyof Params]: (
    params: Code extends FactCode ? FactParams[Code] : Params[Code],
    tell: (fact: Fact) => string,
  ) => string
}
