import { type Api } from '../app/resources.ts'

/** The templates of a channel that the provider lets be sent, each in its languages. */
export const templatesQuery = (api: Api, channelId: string) =>
  api.every('templates', { channelId, status: 'APPROVED' })

export const broadcastQuery = (api: Api, broadcastId: string) =>
  api.get('broadcasts/:broadcastId', { broadcastId })
