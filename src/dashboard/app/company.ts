import { useParams } from '@tanstack/react-router'
import { useCompanies } from './session.ts'

/** The company whose pages are open: it stands in the address, so that two tabs never cross. */
export function useCompanyId(): string {
  return useParams({ from: '/p/$company' }).company
}

export function useCompany() {
  const id = useCompanyId()
  return useCompanies().find((company) => company.id === id)!
}
