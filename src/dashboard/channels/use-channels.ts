import { useQuery } from '@tanstack/react-query'
import { useApi } from '../app/resources.ts'

const MOST = '100'

/** Returns the query of all channels of the company. */
export function useChannels() {
  const api = useApi()
  return useQuery(api.items('channels', { limit: MOST }))
}
