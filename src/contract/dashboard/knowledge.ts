import { z } from 'zod'
import { KNOWLEDGE_LIMITS, KNOWLEDGE_SEARCH } from '../../core/limits/knowledge.ts'
import { SOURCE_KINDS, type SourceKind, type SourceState } from '../../core/vocabulary/knowledge.ts'
import { PageQuery, type List, type Page } from './page.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import type { Route } from './route.ts'

const title = formText(1, KNOWLEDGE_LIMITS.titleChars)
const text = formText(1, KNOWLEDGE_LIMITS.textChars)

/** The address of a page. The module parses it, reports its errors and resolves its host. */
const url = z.string().max(KNOWLEDGE_LIMITS.urlChars * 2)

/** A source to add: a text, a question with its answer, or a web page. */
export const AddSource = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), title, text }),
  z.strictObject({
    kind: z.literal('faq'),
    question: formText(1, KNOWLEDGE_LIMITS.questionChars),
    answer: formText(1, KNOWLEDGE_LIMITS.answerChars),
  }),
  z.strictObject({ kind: z.literal('page'), url }),
])
export type AddSource = z.output<typeof AddSource>

/** The name of a file that is uploaded as a source. Its extension determines the kind of document. */
export const UploadSource = z.object({ name: formText(1, KNOWLEDGE_LIMITS.titleChars) })
export type UploadSource = z.output<typeof UploadSource>

/**
 * The fields to change. For a question and answer, `title` is the question and `text` the answer. Files and pages have
 * no text field.
 */
export const EditSource = z
  .strictObject({ title: formText(1, KNOWLEDGE_LIMITS.questionChars), text, isOn: z.boolean() })
  .partial()
export type EditSource = z.output<typeof EditSource>

export const SourceQuery = PageQuery.extend({ kind: z.enum(SOURCE_KINDS).optional() })
export type SourceQuery = z.output<typeof SourceQuery>

export type SourceView = {
  id: string
  kind: SourceKind
  /** The question, for a source with a question and answer. */
  title: string
  url: string | null
  fileName: string | null
  state: SourceState
  isOn: boolean
  /** The reason why the source could not be read or its page not fetched. */
  error: LocalizedFact | null
  /** Number of chunks that the assistant searches. If reading a source again fails, its earlier chunks remain. */
  chunks: number
  /** The time of the last fetch of the page. */
  fetchedAt: string | null
  /** The time of the next reading or fetch. */
  dueAt: string | null
  createdAt: string
  updatedAt: string
}

/** A source with its `text`, which is null for files and pages. */
export type SourceWithText = SourceView & { text: string | null }

export type ChunkView = { position: number; heading: string | null; body: string }

export type KnowledgeOverview = {
  sources: number
  maxSources: number
  chunks: number
  maxChunks: number
  /** Sources that the service failed to read, or whose page it failed to fetch. */
  failed: number
}

/** A page of a source's chunks, after the given position. */
export const ChunkQuery = z.object({
  after: z.coerce.number().int().min(-1).max(KNOWLEDGE_LIMITS.chunks).default(-1),
})

export const SetSynonym = z.strictObject({
  word: formText(1, KNOWLEDGE_LIMITS.synonymChars),
  means: z.array(formText(1, KNOWLEDGE_LIMITS.synonymChars)).min(1).max(KNOWLEDGE_LIMITS.meanings),
})
export type SetSynonym = z.output<typeof SetSynonym>

export const DeleteSynonym = SetSynonym.pick({ word: true })

export type SynonymView = { word: string; means: string[] }

/** A question to search for, as a member's test. */
export const TryQuestion = z.strictObject({ question: formText(1, KNOWLEDGE_SEARCH.wordingChars) })
export type TryQuestion = z.output<typeof TryQuestion>

/** A chunk that a search found. */
export type FoundView = {
  number: number
  chunkId: string
  sourceId: string
  title: string
  heading: string | null
  body: string
  score: number
}

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
