import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { EVENT_TYPES, type EventType } from '../../vocabulary/events.ts'
import { companyRoute } from '../app/routes.tsx'
import { oneIn, textIn, type RawSearch } from '../app/search-params.ts'

export const TOOLS = ['signature', 'path', 'phone', 'events', 'vectors'] as const
export type Tool = (typeof TOOLS)[number]

/** `value`: what the phone tester begins with. */
type ToolSearch = { tool?: Tool; type?: EventType; value?: string }

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'developer-tools',
  validateSearch: (raw: RawSearch): ToolSearch => {
    const tool = oneIn(raw, 'tool', TOOLS)
    const type = oneIn(raw, 'type', EVENT_TYPES)
    const value = textIn(raw, 'value')
    return { ...(tool && { tool }), ...(type && { type }), ...(value && { value }) }
  },
  component: lazyRouteComponent(() => import('./DeveloperTools.tsx'), 'DeveloperTools'),
})

export const developerToolsRoutes = [listRoute] as const
