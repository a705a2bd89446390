import { useQuery } from '@tanstack/react-query'
import type { Country } from '../../core/vocabulary/countries.ts'
import { useApi } from '../app/resources.ts'
import type { ChosenCountry } from './chosen-country.ts'

/**
 * Returns a function that resolves a field's choice: a country to itself, and `company` to the company's country. That
 * is null until it is loaded, so that no number is read by a country that the member has not seen.
 */
export function useChosenCountry(): (chosen: ChosenCountry) => Country | null {
  const api = useApi()
  const { data } = useQuery({ ...api.get('phone-country'), staleTime: 60_000 })
  return (chosen) => (chosen === 'company' ? (data?.country ?? null) : chosen)
}
