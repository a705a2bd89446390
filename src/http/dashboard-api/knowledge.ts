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
  type KnowledgeRoutes,
} from '../../contract/dashboard/knowledge.ts'
import { fact } from '../../core/facts/fact.ts'
import { addSource, uploadSource } from '../../modules/knowledge/add-source.ts'
import { deleteSource, editSource, readSourceAgain } from '../../modules/knowledge/edit-source.ts'
import { searchKnowledge } from '../../modules/knowledge/search-knowledge.ts'
import { deleteSynonym, listSynonyms, setSynonym } from '../../modules/knowledge/synonyms.ts'
import {
  listChunks,
  listSources,
  showKnowledge,
  showSource,
} from '../../modules/knowledge/view-source.ts'
import { KNOWLEDGE_LIMITS } from '../../core/limits/knowledge.ts'
import { admins } from './access.ts'
import { acceptFile, answer, answerAs } from './answer.ts'
import { UPLOAD_PATH_END, UPLOAD_TYPE } from './file.ts'
import { body, query } from './read-input.ts'
import { routes } from './routes.ts'

const KNOWLEDGE = '/companies/:companyId/knowledge'
const SOURCES = `${KNOWLEDGE}/sources` as const
const SOURCE = `${SOURCES}/:sourceId` as const
const FILES = `${KNOWLEDGE}${UPLOAD_PATH_END}` as const
const SYNONYMS = `${KNOWLEDGE}/synonyms` as const

/** The assistant's knowledge, for the members who set it up. */
export const knowledgeRoutes = routes<KnowledgeRoutes>()
  .get(KNOWLEDGE, admins(), answer(showKnowledge))
  .get(SOURCES, admins(), query(SourceQuery), answer(listSources))
  .post(SOURCES, admins(), body(AddSource), answerAs(addSource, 201))
  .post(
    FILES,
    admins(),
    query(UploadSource),
    acceptFile(uploadSource, {
      types: [UPLOAD_TYPE],
      otherType: fact('source_file_body_type'),
      maxBytes: KNOWLEDGE_LIMITS.fileBytes,
      tooLarge: fact('source_file_too_large', { max: KNOWLEDGE_LIMITS.fileBytes }),
    }),
  )
  .get(SOURCE, admins(), answer(showSource))
  .patch(SOURCE, admins(), body(EditSource), answerAs(editSource))
  .delete(SOURCE, admins(), answerAs(deleteSource))
  .post(`${SOURCE}/read`, admins(), answer(readSourceAgain, 202))
  .get(`${SOURCE}/chunks`, admins(), query(ChunkQuery), answer(listChunks))
  .get(SYNONYMS, admins(), answer(listSynonyms))
  .put(SYNONYMS, admins(), body(SetSynonym), answerAs(setSynonym))
  .post(`${SYNONYMS}/delete`, admins(), body(DeleteSynonym), answerAs(deleteSynonym))
  .post(`${KNOWLEDGE}/questions`, admins(), body(TryQuestion), async (c) => {
    const { context, companyId } = c.var
    const wordings = [c.req.valid('json').question]
    const items: FoundView[] = await searchKnowledge(context.db.kysely, { companyId, wordings })
    return c.json({ items })
  })
