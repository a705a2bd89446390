import { queryOptions } from '@tanstack/react-query'
import { api, ask } from '../app/api.ts'

const company = api.companies[':companyId']
const ALL = { limit: '100' }

/** All pages of a list: what a choice offers is whole. */
async function everyPage<Item>(
  read: (query: { limit: string; cursor?: string }) => Promise<{
    items: Item[]
    nextCursor: string | null
  }>,
): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = null
  do {
    const page: { items: Item[]; nextCursor: string | null } = await read({
      ...ALL,
      ...(cursor !== null && { cursor }),
    })
    items.push(...page.items)
    cursor = page.nextCursor
  } while (cursor !== null)
  return items
}

export const flowsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['flows', companyId],
    queryFn: () => everyPage((query) => ask(company.flows.$get({ param: { companyId }, query }))),
  })

export const flowQuery = (companyId: string, flowId: string) =>
  queryOptions({
    queryKey: ['flow', companyId, flowId],
    queryFn: () => ask(company.flows[':flowId'].$get({ param: { companyId, flowId } })),
  })

export const versionQuery = (companyId: string, flowId: string, number: number) =>
  queryOptions({
    queryKey: ['flow-version', companyId, flowId, number],
    queryFn: () =>
      ask(
        company.flows[':flowId'].versions[':number'].$get({
          param: { companyId, flowId, number: String(number) },
        }),
      ),
    staleTime: Infinity,
  })

/** How far runs of the published version came; read anew when the flow is opened. */
export const stepCountsQuery = (companyId: string, flowId: string) =>
  queryOptions({
    queryKey: ['flow-counts', companyId, flowId],
    queryFn: () =>
      ask(company.flows[':flowId'].steps.counts.$get({ param: { companyId, flowId } })),
  })

/** What publishing the saved draft would say. */
export const checkQuery = (companyId: string, flowId: string) =>
  queryOptions({
    queryKey: ['flow-check', companyId, flowId],
    queryFn: () => ask(company.flows[':flowId'].draft.check.$get({ param: { companyId, flowId } })),
    staleTime: 0,
  })

export const channelsQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['channels', companyId],
    queryFn: () =>
      everyPage((query) => ask(company.channels.$get({ param: { companyId }, query }))),
  })

export const templatesQuery = (companyId: string, channelId: string) =>
  queryOptions({
    queryKey: ['templates', companyId, channelId],
    queryFn: () =>
      everyPage((query) =>
        ask(company.templates.$get({ param: { companyId }, query: { ...query, channelId } })),
      ),
  })

export const connectionsQuery = (companyId: string) =>
  queryOptions({
    // Other data than the page of connections keeps under the key before it.
    queryKey: ['connections', companyId, 'all'],
    queryFn: () =>
      everyPage((query) => ask(company.connections.$get({ param: { companyId }, query }))),
  })

export const filesQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['files', companyId],
    queryFn: () => everyPage((query) => ask(company.files.$get({ param: { companyId }, query }))),
  })

/** Lists that come whole. */
export const namesQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['flow-names', companyId],
    queryFn: async () => {
      const param = { companyId }
      const [people, services, resources, fields, tags] = await Promise.all([
        ask(company.people.$get({ param })),
        ask(company.services.$get({ param })),
        ask(company.resources.$get({ param })),
        ask(company['contact-fields'].$get({ param })),
        ask(company.tags.$get({ param })),
      ])
      return {
        people: people.items,
        services: services.items,
        resources: resources.items,
        fields: fields.items.filter(({ isArchived }) => !isArchived),
        tags: tags.items.map(({ tag }) => tag),
      }
    },
  })

export const hookUrlQuery = (companyId: string, hookUrlId: string) =>
  queryOptions({
    queryKey: ['hook-url', companyId, hookUrlId],
    queryFn: () =>
      ask(company['hook-urls'][':hookUrlId'].$get({ param: { companyId, hookUrlId } })),
  })
