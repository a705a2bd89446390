import { queryOptions } from '@tanstack/react-query'
import type { SegmentFilter } from '../../contract/dashboard/segment.ts'
import { type Api } from '../app/resources.ts'

/** Returns the query of all tags that contacts of the company have. */
export const tagsQuery = (api: Api) =>
  queryOptions({ ...api.every('tags'), select: (items) => items.map(({ tag }) => tag) })

const COUNT_FRESH_MS = 60_000

/**
 * Returns the query for the number of contacts that match a filter. The API refuses it with the reason
 * `too_many_to_count` if counting takes too long, and refuses it to Agents.
 */
export const countQuery = (api: Api, filter: SegmentFilter) =>
  queryOptions({
    ...api.combine('contacts', filter, async () => {
      return (await api.call('post', 'segments/count', { filter })).count
    }),
    staleTime: COUNT_FRESH_MS,
    retry: false,
  })
