import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/resources.ts'

/** Returns the query of all channels of the company. */
export function useChannels() {
  return useQuery(useApi().every('channels'))
}
