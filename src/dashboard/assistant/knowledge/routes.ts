import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { SOURCE_KINDS, type SourceKind } from '../../../vocabulary/knowledge.ts'
import { companyRoute } from '../../app/routes.tsx'
import { oneIn } from '../../app/search-params.ts'

export type KnowledgeSearch = { kind?: SourceKind }

const listRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant/knowledge',
  validateSearch: (raw: Record<string, unknown>): KnowledgeSearch => {
    // What is not known stands as undefined, or the router would keep it as it was written.
    return { kind: oneIn(raw, 'kind', SOURCE_KINDS) } as KnowledgeSearch
  },
  component: lazyRouteComponent(() => import('./Knowledge.tsx'), 'Knowledge'),
})

const sourceRoute = createRoute({
  getParentRoute: () => companyRoute,
  path: 'assistant/knowledge/$source',
  component: lazyRouteComponent(() => import('./Source.tsx'), 'Source'),
})

export const knowledgeRoutes = [listRoute, sourceRoute] as const
