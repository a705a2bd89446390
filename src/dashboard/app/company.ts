import { useParams } from '@tanstack/react-router'
import { useCompanies } from './session.ts'

/**
 * Returns the id of the company whose pages are open. The id is part of the URL, so that two tabs never mix companies.
 */
export function useCompanyId(): string {
  return useParams({ from: '/p/$company' }).company
}

/** Returns the company whose pages are open. The frame of the pages ensures that the member has it. */
export function useCompany() {
  const id = useCompanyId()
  return useCompanies().find((company) => company.id === id)!
}
