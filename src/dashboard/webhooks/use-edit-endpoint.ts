import { useQueryClient } from '@tanstack/react-query'
import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { api, ask } from '../app/api.ts'
import { useCompanyId } from '../app/company.ts'
import type { EventType } from '../../vocabulary/events.ts'

type Edit = { name?: string; url?: string; eventTypes?: EventType[] }

/** Changes what is named, unless somebody else changed the endpoint since it was seen. @throws Refusal */
export function useEditEndpoint(endpoint: EndpointView): (edit: Edit) => Promise<EndpointView> {
  const company = useCompanyId()
  const cache = useQueryClient()
  return async (edit) => {
    const saved = await ask(
      api.companies[':companyId'].endpoints[':endpointId'].$patch({
        param: { companyId: company, endpointId: endpoint.id },
        json: { ...edit, updatedAt: endpoint.updatedAt },
      }),
    )
    cache.setQueryData(['endpoint', company, endpoint.id], saved)
    void cache.invalidateQueries({ queryKey: ['endpoints', company] })
    return saved
  }
}
