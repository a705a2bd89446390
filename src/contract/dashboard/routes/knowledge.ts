import type {
  AddSource,
  ChunkQuery,
  ChunkView,
  DeleteSynonym,
  EditSource,
  FoundView,
  KnowledgeOverview,
  SetSynonym,
  SourceQuery,
  SourceView,
  SourceWithText,
  SynonymView,
  TryQuestion,
  UploadSource,
} from '../knowledge.ts'
import type { List, Page } from '../page.ts'
import type { Route } from './route.ts'

export interface KnowledgeRoutes {
  '/companies/:companyId/knowledge': { get: Route<KnowledgeOverview> }
  '/companies/:companyId/knowledge/sources': {
    get: Route<Page<SourceView>, { query: typeof SourceQuery }>
    post: Route<SourceWithText, { json: typeof AddSource }>
  }
  '/companies/:companyId/knowledge/files': {
    post: Route<SourceWithText, { query: typeof UploadSource }>
  }
  '/companies/:companyId/knowledge/sources/:sourceId': {
    get: Route<SourceWithText>
    patch: Route<SourceWithText, { json: typeof EditSource }>
    delete: Route<null>
  }
  '/companies/:companyId/knowledge/sources/:sourceId/read': { post: Route<SourceWithText> }
  '/companies/:companyId/knowledge/sources/:sourceId/chunks': {
    get: Route<{ items: ChunkView[]; next: number | null }, { query: typeof ChunkQuery }>
  }
  '/companies/:companyId/knowledge/synonyms': {
    get: Route<List<SynonymView>>
    put: Route<SynonymView, { json: typeof SetSynonym }>
  }
  '/companies/:companyId/knowledge/synonyms/delete': {
    post: Route<null, { json: typeof DeleteSynonym }>
  }
  '/companies/:companyId/knowledge/questions': {
    post: Route<List<FoundView>, { json: typeof TryQuestion }>
  }
}
