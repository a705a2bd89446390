import { page } from '../frame/routes.tsx'
import { readAuditSearch } from './search.ts'

export const accountRoutes = [
  page('usage', () => import('./Usage.tsx'), 'Usage'),
  page('team', () => import('./Team.tsx'), 'Team'),
  page('audit', () => import('./Audit.tsx'), 'Audit', readAuditSearch),
  page('plan', () => import('./Plan.tsx'), 'Plan'),
  page('settings', () => import('./Settings.tsx'), 'Settings'),
  page('profile', () => import('./Profile.tsx'), 'Profile'),
] as const
