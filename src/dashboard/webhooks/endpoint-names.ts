import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/resources.ts'
import { endpointsQuery } from './queries.ts'

/** Returns the ids and names of all endpoints, for the filter by endpoint. */
export function useEndpointNames(): readonly { id: string; name: string }[] {
  return useQuery(endpointsQuery(useApi())).data ?? []
}
