import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { SourceView } from '../../../contract/dashboard/knowledge.ts'
import type { SourceKind } from '../../../vocabulary/knowledge.ts'
import { api, ask } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'

const of = api.companies[':companyId'].knowledge

/** While something is being read it is looked at again. */
const READ_AGAIN_MS = 1_500

export const isUnderWay = ({ state }: Pick<SourceView, 'state'>): boolean =>
  state === 'waiting' || state === 'reading'

export const overviewQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['knowledge', companyId, 'overview'],
    queryFn: () => ask(of.$get({ param: { companyId } })),
  })

export const sourcesQuery = (companyId: string, kind: SourceKind | undefined) =>
  infiniteQueryOptions({
    queryKey: ['knowledge', companyId, 'sources', kind ?? null],
    initialPageParam: '',
    queryFn: ({ pageParam }) =>
      ask(
        of.sources.$get({
          param: { companyId },
          query: { ...(kind && { kind }), ...(pageParam !== '' && { cursor: pageParam }) },
        }),
      ),
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(isUnderWay)) === true
        ? READ_AGAIN_MS
        : false,
  })

export const sourceQuery = (companyId: string, sourceId: string) =>
  queryOptions({
    queryKey: ['knowledge', companyId, 'source', sourceId],
    queryFn: () => ask(of.sources[':sourceId'].$get({ param: { companyId, sourceId } })),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? READ_AGAIN_MS : false),
  })

/** @param version changes when other pieces are found. */
export const chunksQuery = (companyId: string, sourceId: string, version: string) =>
  infiniteQueryOptions({
    queryKey: ['knowledge', companyId, 'chunks', sourceId, version],
    initialPageParam: -1,
    queryFn: ({ pageParam }) =>
      ask(
        of.sources[':sourceId'].chunks.$get({
          param: { companyId, sourceId },
          query: { after: String(pageParam) },
        }),
      ),
    getNextPageParam: (page) => page.next ?? undefined,
  })

export const synonymsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['knowledge', companyId, 'synonyms'],
    queryFn: async () => (await ask(of.synonyms.$get({ param: { companyId } }))).items,
  })

export const readAnew = (companyId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['knowledge', companyId] })
