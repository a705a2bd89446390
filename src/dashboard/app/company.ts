import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { CompanyView } from '../../contract/dashboard/company.ts'
import { companiesQuery } from './session.ts'

/** The company whose pages are open: it stands in the address, so that two tabs never cross. */
export function useCompanyId(): string {
  return useParams({ from: '/p/$company' }).company
}

export function useCompany(): CompanyView {
  const id = useCompanyId()
  const companies = useSuspenseQuery(companiesQuery).data
  return companies.find((company) => company.id === id)!
}
