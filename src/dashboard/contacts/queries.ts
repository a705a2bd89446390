import { queryOptions } from '@tanstack/react-query'
import type { SegmentFilter } from '../../contract/dashboard/segment.ts'
import { api, ask } from '../app/api.ts'

/** The tags that contacts of the company have been given. */
export const tagsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['contacts', companyId, 'tags'],
    queryFn: async () => {
      const { items } = await ask(api.companies[':companyId'].tags.$get({ param: { companyId } }))
      return items.map(({ tag }) => tag)
    },
  })

/** Custom fields, archived ones too. */
export const fieldsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['contacts', companyId, 'fields'],
    queryFn: async () =>
      (await ask(api.companies[':companyId']['contact-fields'].$get({ param: { companyId } })))
        .items,
  })

export const segmentsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['segments', companyId],
    queryFn: async () =>
      (await ask(api.companies[':companyId'].segments.$get({ param: { companyId } }))).items,
  })

const COUNT_FRESH_MS = 60_000

/** How many fit a filter now. Null where they are too many to be counted in time. Not for Agents. */
export const countQuery = (companyId: string, filter: SegmentFilter) =>
  queryOptions({
    queryKey: ['contacts', companyId, 'count', filter],
    staleTime: COUNT_FRESH_MS,
    retry: false,
    queryFn: async () => {
      const asked = { param: { companyId }, json: { filter } }
      return (await ask(api.companies[':companyId'].segments.count.$post(asked))).count
    },
  })

/** Not for Agents. */
export const channelsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['channels', companyId],
    queryFn: async () => {
      const asked = { param: { companyId }, query: { limit: '100' } }
      return (await ask(api.companies[':companyId'].channels.$get(asked))).items
    },
  })

export const contactQuery = (companyId: string, contactId: string) =>
  queryOptions({
    queryKey: ['contacts', companyId, 'one', contactId],
    queryFn: () =>
      ask(
        api.companies[':companyId'].contacts[':contactId'].$get({
          param: { companyId, contactId },
        }),
      ),
  })
