import { useQuery } from '@tanstack/react-query'
import { useCompanyId } from '../app/company.ts'
import { endpointsQuery } from './queries.ts'

/** The names of all endpoints, for the filter of one. */
export function useEndpointNames(): readonly { id: string; name: string }[] {
  return useQuery(endpointsQuery(useCompanyId())).data ?? []
}
