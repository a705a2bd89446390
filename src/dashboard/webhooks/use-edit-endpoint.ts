import type { EndpointView } from '../../contract/dashboard/endpoint.ts'
import { useApi } from '../app/resources.ts'
import type { EventType } from '../../core/vocabulary/events.ts'

type Edit = { name?: string; url?: string; eventTypes?: EventType[] }

/**
 * Returns a function that changes the given settings of an endpoint. The API refuses it if another member has changed
 * the endpoint since it was read.
 * @throws ApiError
 */
export function useEditEndpoint(endpoint: EndpointView): (edit: Edit) => Promise<EndpointView> {
  const api = useApi()
  return (edit) =>
    api.patch(
      'endpoints/:endpointId',
      { endpointId: endpoint.id },
      { ...edit, updatedAt: endpoint.updatedAt },
    )
}
