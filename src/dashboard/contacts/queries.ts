import { queryOptions } from '@tanstack/react-query'
import type { SegmentFilter } from '../../contract/dashboard/segment.ts'
import { type Api } from '../app/resources.ts'

/** The tags that contacts of the company have been given. */
export const tagsQuery = (api: Api) =>
  queryOptions({ ...api.get('tags'), select: ({ items }) => items.map(({ tag }) => tag) })

const COUNT_FRESH_MS = 60_000

/** How many fit a filter now. Null where they are too many to be counted in time. Not for Agents. */
export const countQuery = (api: Api, filter: SegmentFilter) =>
  queryOptions({
    ...api.made('contacts', filter, async () => {
      return (await api.call('post', 'segments/count', { filter })).count
    }),
    staleTime: COUNT_FRESH_MS,
    retry: false,
  })
