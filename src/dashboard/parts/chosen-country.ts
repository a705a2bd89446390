import type { Country } from '../../core/vocabulary/countries.ts'

/** The value of a field for a country: `company` is the company's own country until another is chosen. */
export type ChosenCountry = Country | 'company' | null
