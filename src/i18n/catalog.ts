import type { Fact, FactCode, FactParams } from '../core/facts/fact.ts'

/** The sentences by code. `format` formats a fact that is part of another fact. */
export type Catalog<Params> = {
  [Code in keyof Params]: (
    params: Code extends FactCode ? FactParams[Code] : Params[Code],
    format: (fact: Fact) => string,
  ) => string
}
