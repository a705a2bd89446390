import { queryOptions } from '@tanstack/react-query'
import type { TemplateView } from '../../contract/dashboard/template.ts'
import { api, ask } from '../app/api.ts'

const MOST_PAGES = 10

/** The templates of a channel that the provider lets be sent, each in its languages. */
export const templatesQuery = (companyId: string, channelId: string) =>
  queryOptions({
    queryKey: ['templates', companyId, 'approved', channelId],
    queryFn: async () => {
      const items: TemplateView[] = []
      let cursor: string | null = ''
      for (let page = 0; page < MOST_PAGES && cursor !== null; page += 1) {
        const query: { channelId: string; status: string; limit: string; cursor?: string } = {
          channelId,
          status: 'APPROVED',
          limit: '100',
          ...(cursor !== '' && { cursor }),
        }
        const read = await ask(
          api.companies[':companyId'].templates.$get({ param: { companyId }, query }),
        )
        items.push(...read.items)
        cursor = read.nextCursor
      }
      return items
    },
  })

export const broadcastQuery = (companyId: string, broadcastId: string) =>
  queryOptions({
    queryKey: ['broadcasts', companyId, broadcastId],
    queryFn: () =>
      ask(
        api.companies[':companyId'].broadcasts[':broadcastId'].$get({
          param: { companyId, broadcastId },
        }),
      ),
  })
