import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { useApi } from '../app/resources.ts'
import type { EventType } from '../../core/vocabulary/events.ts'

type Edit = { name?: string; url?: string; eventTypes?: EventType[] }

/** Changes what is named, unless somebody else changed the endpoint since it was seen. @throws Refusal */
export function useEditEndpoint(endpoint: EndpointView): (edit: Edit) => Promise<EndpointView> {
  const api = useApi()
  return (edit) =>
    api.patch(
      'endpoints/:endpointId',
      { endpointId: endpoint.id },
      { ...edit, updatedAt: endpoint.updatedAt },
    )
}
