import { type Api } from '../../app/resources.ts'
import { useQuery } from '@tanstack/react-query'
import { useMay } from '../../app/session.ts'
import { namesQuery } from '../queries.ts'
import type { BuilderLists } from '../builder-context.ts'

const NONE: readonly never[] = []

/**
 * Returns the lists of what steps can refer to, such as templates and tags. A list is empty while it loads, or if the
 * member may not see it.
 */
export function useBuilderLists(api: Api, channelId: string): BuilderLists {
  const { setUp } = useMay()
  const channels = useQuery({ ...api.every('channels'), enabled: setUp })
  const templates = useQuery({
    ...api.every('templates', { channelId }),
    enabled: setUp && channelId !== '',
  })
  const connections = useQuery({ ...api.every('connections'), enabled: setUp })
  const files = useQuery({ ...api.every('files'), enabled: setUp })
  const names = useQuery(namesQuery(api))
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
