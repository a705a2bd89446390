import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { companyRoute } from '../app/routes.tsx'
import { textIn } from '../app/search-params.ts'

export type TemplateSearch = {
  channel?: string
  status?: string
  language?: string
  name?: string
  /** The template that is open. */
  open?: string
}

const NAMES = ['channel', 'status', 'language', 'name', 'open'] as const

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'templates',
  validateSearch: (raw: Record<string, unknown>): TemplateSearch =>
    Object.fromEntries(
      NAMES.map((name) => [name, textIn(raw, name)] as const).filter(([, text]) => text),
    ),
  component: lazyRouteComponent(() => import('./Templates.tsx'), 'Templates'),
})

export const templatesRoutes = [listRoute] as const
