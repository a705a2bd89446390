import { useQuery } from '@tanstack/react-query'
import type { Country } from '../../core/vocabulary/countries.ts'
import { useApi } from '../app/resources.ts'
import type { ChosenCountry } from './chosen-country.ts'

/**
 * Returns what tells the country that a field shows. It is the company's only once it is known, so that no country counts
 * that nobody has seen.
 */
export function useChosenCountry(): (chosen: ChosenCountry) => Country | null {
  const api = useApi()
  const { data } = useQuery({ ...api.get('phone-country'), staleTime: 60_000 })
  return (chosen) => (chosen === 'company' ? (data?.country ?? null) : chosen)
}
