/**
 * The worker that reads sources of knowledge: texts and uploads once, pages daily. It reads one source of an account
 * at a time, so that a large account delays no other. Spec: Assistant › Knowledge.
 */
import type { Context } from '../infra/context.ts'
import { readSource, type ReadDeps } from '../modules/knowledge/read-source.ts'
import { SOURCE_QUEUE } from '../modules/knowledge/source-queue.ts'
import { KNOWLEDGE_ENGINE } from '../core/limits/knowledge.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createWorker, type WorkDeps } from './worker.ts'

/** Creates the worker that reads the assistant's sources of knowledge. */
export function createFetchKnowledgeWorker(
  context: Context,
  deps: Pick<ReadDeps, 'outbound'> & WorkDeps,
): ConcurrentWorker {
  return createWorker(
    context,
    {
      name: 'fetch-knowledge',
      queue: SOURCE_QUEUE,
      places: { maxConcurrent: KNOWLEDGE_ENGINE.maxConcurrent },
      wakesAtEnd: true,
      take: (source) => readSource({ ...context, ...deps }, source),
      onError(error, { id }) {
        // The log contains no text of the source.
        const code = (error as { code?: unknown } | null)?.code
        context.log.error({ sourceId: id, code }, 'source of knowledge not stored')
      },
    },
    deps,
  )
}
