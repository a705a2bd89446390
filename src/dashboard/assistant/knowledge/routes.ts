import { SOURCE_KINDS, type SourceKind } from '../../../core/vocabulary/knowledge.ts'
import { page } from '../../frame/routes.tsx'
import { oneIn, type RawSearch } from '../../app/search-params.ts'

/** An unknown value becomes undefined; a missing name would make the router keep the raw value. */
const readSearch = (raw: RawSearch) =>
  ({ kind: oneIn(raw, 'kind', SOURCE_KINDS) }) as { kind?: SourceKind }

export const knowledgeRoutes = [
  page('assistant/knowledge', () => import('./Knowledge.tsx'), 'Knowledge', readSearch),
  page('assistant/knowledge/$source', () => import('./Source.tsx'), 'Source'),
] as const
