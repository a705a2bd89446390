import { type Api } from '../../app/resources.ts'
import type { RepliesSearch } from '../search.ts'

export const repliesQuery = (api: Api, search: RepliesSearch) =>
  api.list('assistant/replies', search)

export const traceQuery = (api: Api, replyId: string) =>
  api.get('assistant/replies/:replyId', { replyId })
