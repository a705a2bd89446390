import { queryOptions } from '@tanstack/react-query'
import { api, ask } from '../../app/api.ts'
import { queries } from '../../app/queries.ts'

/** The account's models, in their order, with what it may use in a day. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: () => ask(api.models.$get()),
})

export const modelUsageQuery = queryOptions({
  queryKey: ['models', 'usage'],
  queryFn: () => ask(api.models.usage.$get()),
})

/** Whether the assistant answers depends on them. */
export async function readModelsAnew(): Promise<void> {
  await Promise.all([
    queries.invalidateQueries({ queryKey: ['models'] }),
    queries.invalidateQueries({ queryKey: ['assistant'] }),
  ])
}
