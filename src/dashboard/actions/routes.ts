import { page } from '../frame/routes.tsx'

export const actionsRoutes = [
  page('actions', () => import('./Actions.tsx'), 'Actions'),
  page('actions/new', () => import('./NewAction.tsx'), 'NewAction'),
  page('actions/$action', () => import('./Action.tsx'), 'Action'),
] as const
