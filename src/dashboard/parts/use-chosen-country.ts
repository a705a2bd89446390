import { useQuery } from '@tanstack/react-query'
import type { Country } from '../../vocabulary/countries.ts'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import type { ChosenCountry } from './chosen-country.ts'

/**
 * Returns what tells the country that a field shows. It is the company's only once it is known, so that no country counts
 * that nobody has seen.
 */
export function useChosenCountry(): (chosen: ChosenCountry) => Country | null {
  const companyId = useCompanyId()
  const { data } = useQuery({
    queryKey: ['phone-country', companyId],
    queryFn: () => ask(api.companies[':companyId']['phone-country'].$get({ param: { companyId } })),
    staleTime: 60_000,
  })
  return (chosen) => (chosen === 'company' ? (data?.country ?? null) : chosen)
}
