import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../app/session.ts'
import {
  channelsQuery,
  connectionsQuery,
  filesQuery,
  namesQuery,
  templatesQuery,
} from '../queries.ts'
import type { Surroundings } from './around.ts'

const NONE: readonly never[] = []

/** What steps may name, as far as it is read and may be seen. */
export function useSurroundings(companyId: string, channelId: string): Surroundings {
  const { setUp } = useMay()
  const channels = useQuery({ ...channelsQuery(companyId), enabled: setUp })
  const templates = useQuery({
    ...templatesQuery(companyId, channelId),
    enabled: setUp && channelId !== '',
  })
  const connections = useQuery({ ...connectionsQuery(companyId), enabled: setUp })
  const files = useQuery({ ...filesQuery(companyId), enabled: setUp })
  const names = useQuery(namesQuery(companyId))
  return {
    channels: channels.data ?? NONE,
    templates: templates.data ?? NONE,
    connections: connections.data ?? NONE,
    files: files.data ?? NONE,
    people: names.data?.people ?? NONE,
    services: names.data?.services ?? NONE,
    resources: names.data?.resources ?? NONE,
    fields: names.data?.fields ?? NONE,
    tags: names.data?.tags ?? NONE,
  }
}
