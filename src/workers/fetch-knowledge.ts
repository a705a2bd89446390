/**
 * The duty that reads sources of knowledge: what was written or uploaded once, pages daily. A few at a time, and of
 * one account one, so that one with much to read holds up nobody. Spec: Assistant › Knowledge.
 */
import type { Context } from '../infra/context.ts'
import { readSource, type ReadDeps } from '../modules/knowledge/read-source.ts'
import { SOURCE_QUEUE } from '../modules/knowledge/source-queue.ts'
import { KNOWLEDGE_ENGINE } from '../core/limits/knowledge.ts'
import type { ConcurrentWorker } from './worker-loop.ts'
import { createWorker, type WorkDeps } from './worker.ts'

export function createFetchKnowledgeWorker(
  context: Context,
  deps: Pick<ReadDeps, 'outbound'> & WorkDeps,
): ConcurrentWorker {
  return createWorker(
    context,
    {
      name: 'fetch-knowledge',
      queue: SOURCE_QUEUE,
      places: { atOnce: KNOWLEDGE_ENGINE.atOnce },
      wakesAtEnd: true,
      take: (source) => readSource({ ...context, ...deps }, source),
      onFault(error, { id }) {
        // Nothing of its text is told.
        const code = (error as { code?: unknown } | null)?.code
        context.log.error({ sourceId: id, code }, 'what a source says could not be written')
      },
    },
    deps,
  )
}
