import { page } from '../frame/routes.tsx'

export const channelsRoutes = [
  page('channels', () => import('./Channels.tsx'), 'Channels'),
  page('channels/connect', () => import('./connect/PickType.tsx'), 'PickType'),
  page('channels/connect/$type', () => import('./connect/Connect.tsx'), 'Connect'),
  page('channels/$channel', () => import('./Channel.tsx'), 'Channel'),
] as const
