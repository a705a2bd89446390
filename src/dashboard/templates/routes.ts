import { page } from '../frame/routes.tsx'
import { readTemplateSearch } from './search.ts'

export const templatesRoutes = [
  page('templates', () => import('./Templates.tsx'), 'Templates', readTemplateSearch),
] as const
