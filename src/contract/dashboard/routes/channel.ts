import type {
  ChannelCheck,
  ChannelLink,
  ChannelView,
  ConnectChannel,
  ConnectedChannel,
  EditChannel,
} from '../channel.ts'
import type { Page, PageQuery } from '../page.ts'
import type { ListedTemplate, SyncedTemplates, TemplateQuery } from '../template.ts'
import type { Route } from './route.ts'

export interface ChannelRoutes {
  '/companies/:companyId/channels': {
    get: Route<Page<ChannelView>, { query: typeof PageQuery }>
    post: Route<ConnectedChannel, { json: typeof ConnectChannel }>
  }
  '/companies/:companyId/channels/:channelId': {
    get: Route<ChannelView>
    patch: Route<ConnectedChannel, { json: typeof EditChannel }>
    delete: Route<null>
  }
  '/companies/:companyId/channels/:channelId/check': { post: Route<ChannelCheck> }
  '/companies/:companyId/channels/:channelId/connect': { post: Route<ChannelView> }
  '/companies/:companyId/channels/:channelId/disconnect': { post: Route<ChannelView> }
  '/companies/:companyId/channels/:channelId/link': { get: Route<ChannelLink> }
  '/companies/:companyId/channels/:channelId/templates/sync': { post: Route<SyncedTemplates> }
  '/companies/:companyId/templates': {
    get: Route<Page<ListedTemplate>, { query: typeof TemplateQuery }>
  }
}
