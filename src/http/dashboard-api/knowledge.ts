import {
  AddSource,
  ChunkQuery,
  DeleteSynonym,
  EditSource,
  SetSynonym,
  SourceQuery,
  TryQuestion,
  UploadSource,
  type FoundView,
} from '../../contract/dashboard/knowledge.ts'
import type { KnowledgeRoutes } from '../../contract/dashboard/routes/knowledge.ts'
import { fact } from '../../core/facts/fact.ts'
import { addSource, uploadSource } from '../../modules/knowledge/add-source.ts'
import { deleteSource, editSource, readAgain } from '../../modules/knowledge/edit-source.ts'
import { searchKnowledge } from '../../modules/knowledge/search-knowledge.ts'
import { deleteSynonym, listSynonyms, setSynonym } from '../../modules/knowledge/synonyms.ts'
import {
  listChunks,
  listSources,
  showKnowledge,
  showSource,
} from '../../modules/knowledge/view-source.ts'
import { KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import { ServiceError } from '../../core/service-error.ts'
import { inCompany } from './access.ts'
import { UPLOAD_PATH_END, UPLOAD_TYPE } from './file.ts'
import { body, query, readBytes, readId } from './read-input.ts'
import { routes } from './routes.ts'

const KNOWLEDGE = '/companies/:companyId/knowledge'
const SOURCES = `${KNOWLEDGE}/sources` as const
const SOURCE = `${SOURCES}/:sourceId` as const
const FILES = `${KNOWLEDGE}${UPLOAD_PATH_END}` as const
const SYNONYMS = `${KNOWLEDGE}/synonyms` as const

/** The assistant's knowledge, for the members who set it up. */
export const knowledgeRoutes = routes<KnowledgeRoutes>()
  .get(KNOWLEDGE, inCompany('owner', 'admin'), async (c) =>
    c.json(await showKnowledge(c.var.context, { companyId: c.var.companyId })),
  )
  .get(SOURCES, inCompany('owner', 'admin'), query(SourceQuery), async (c) => {
    const { context, companyId } = c.var
    return c.json(await listSources(context, { companyId, ...c.req.valid('query') }))
  })
  .post(SOURCES, inCompany('owner', 'admin'), body(AddSource), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await addSource(context, actor, { companyId, ...c.req.valid('json') }), 201)
  })
  .post(FILES, inCompany('owner', 'admin'), query(UploadSource), async (c) => {
    const { context, actor, companyId, bodies } = c.var
    if (c.req.header('content-type')?.split(';', 1)[0]!.trim().toLowerCase() !== UPLOAD_TYPE) {
      throw new ServiceError('unsupported_media_type', fact('source_file_body_type'))
    }
    const { name } = c.req.valid('query')
    const limits = { limit: KNOWLEDGE_LIMITS.fileBytes, room: bodies.fileRoom, tooLarge }
    const view = await readBytes(c, limits, (bytes) =>
      uploadSource(context, actor, { companyId, name, bytes }),
    )
    return c.json(view, 201)
  })
  .get(SOURCE, inCompany('owner', 'admin'), async (c) =>
    c.json(await showSource(c.var.context, owned(c))),
  )
  .patch(SOURCE, inCompany('owner', 'admin'), body(EditSource), async (c) => {
    const { context, actor } = c.var
    return c.json(await editSource(context, actor, { ...owned(c), ...c.req.valid('json') }))
  })
  .delete(SOURCE, inCompany('owner', 'admin'), async (c) => {
    await deleteSource(c.var.context, c.var.actor, owned(c))
    return c.body(null, 204)
  })
  .post(`${SOURCE}/read`, inCompany('owner', 'admin'), async (c) =>
    c.json(await readAgain(c.var.context, owned(c)), 202),
  )
  .get(`${SOURCE}/chunks`, inCompany('owner', 'admin'), query(ChunkQuery), async (c) =>
    c.json(await listChunks(c.var.context, { ...owned(c), ...c.req.valid('query') })),
  )
  .get(SYNONYMS, inCompany('owner', 'admin'), async (c) =>
    c.json(await listSynonyms(c.var.context, { companyId: c.var.companyId })),
  )
  .put(SYNONYMS, inCompany('owner', 'admin'), body(SetSynonym), async (c) => {
    const { context, actor, companyId } = c.var
    return c.json(await setSynonym(context, actor, { companyId, ...c.req.valid('json') }))
  })
  .post(`${SYNONYMS}/delete`, inCompany('owner', 'admin'), body(DeleteSynonym), async (c) => {
    const { context, actor, companyId } = c.var
    await deleteSynonym(context, actor, { companyId, ...c.req.valid('json') })
    return c.body(null, 204)
  })
  .post(`${KNOWLEDGE}/questions`, inCompany('owner', 'admin'), body(TryQuestion), async (c) => {
    const { context, companyId } = c.var
    const wordings = [c.req.valid('json').question]
    const items: FoundView[] = await searchKnowledge(context.db.kysely, { companyId, wordings })
    return c.json({ items })
  })

function tooLarge(): ServiceError {
  return new ServiceError(
    'payload_too_large',
    fact('source_file_too_large', { max: KNOWLEDGE_LIMITS.fileBytes }),
  )
}

function owned(c: {
  var: { companyId: string }
  req: { param(name: 'sourceId'): string | undefined }
}) {
  return { companyId: c.var.companyId, sourceId: readId(c.req.param('sourceId')) }
}
