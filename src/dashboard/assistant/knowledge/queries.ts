import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { SourceView } from '../../../contract/dashboard/knowledge.ts'
import type { SourceKind } from '../../../core/vocabulary/knowledge.ts'
import { type Api } from '../../app/resources.ts'

/** The interval at which the list is read while a source is in progress. */
const READ_AGAIN_MS = 1_500

/** Returns whether a source of knowledge is still being read. */
export const isInProgress = ({ state }: Pick<SourceView, 'state'>): boolean =>
  state === 'waiting' || state === 'reading'

/** Returns the query of the company's sources of knowledge, of one kind or of all. */
export const sourcesQuery = (api: Api, kind: SourceKind | undefined) =>
  infiniteQueryOptions({
    ...api.list('knowledge/sources', { kind }),
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isInProgress)) === true
        ? READ_AGAIN_MS
        : false,
  })

/** Returns the query of one source of knowledge with its text. */
export const sourceQuery = (api: Api, sourceId: string) =>
  queryOptions({
    ...api.get('knowledge/sources/:sourceId', { sourceId }),
    refetchInterval: ({ state }) =>
      state.data && isInProgress(state.data) ? READ_AGAIN_MS : false,
  })

/**
 * Returns the query of the passages into which a source was split, in pages.
 * @param version changes when the passages do
 */
export const chunksQuery = (api: Api, sourceId: string, version: string) =>
  infiniteQueryOptions({
    queryKey: [...api.key('knowledge/sources/:sourceId/chunks', { sourceId }), version],
    initialPageParam: -1,
    queryFn: ({ pageParam }) =>
      api.read('knowledge/sources/:sourceId/chunks', { sourceId, after: pageParam }),
    getNextPageParam: (page) => page.next ?? undefined,
  })
