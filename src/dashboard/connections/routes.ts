import { page } from '../frame/routes.tsx'
import { readCallSearch } from './search.ts'

export const connectionsRoutes = [
  page('connections', () => import('./Connections.tsx'), 'Connections'),
  page('connections/new', () => import('./NewConnection.tsx'), 'NewConnection'),
  page('connections/calls', () => import('./Calls.tsx'), 'Calls', readCallSearch),
  page('connections/$connection', () => import('./Connection.tsx'), 'Connection'),
] as const
