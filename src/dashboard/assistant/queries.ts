import { queryOptions } from '@tanstack/react-query'
import { api, ask } from '../app/api.ts'

/** What the company told its assistant, and whether it answers. */
export const assistantQuery = (companyId: string) =>
  queryOptions({
    queryKey: ['assistant', companyId, 'settings'],
    queryFn: () => ask(api.companies[':companyId'].assistant.$get({ param: { companyId } })),
  })
