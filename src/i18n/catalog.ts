import type { Fact, FactCode, FactParams } from '../core/facts/fact.ts'

/** The sentences by code. `tell` formats a fact that is part of another fact. */
export type Catalog<Params> = {
  [Code in keyof Params]: (
    params: Code extends FactCode ? FactParams[Code] : Params[Code],
    tell: (fact: Fact) => string,
  ) => string
}
