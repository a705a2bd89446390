import { fact, type Fact } from '../../../core/facts/fact.ts'
import { KNOWLEDGE_LIMITS } from '../../../core/limits/knowledge.ts'
import { runInThread } from '../../files/run-in-thread.ts'
import type { PreparedSource } from '../prepare-chunks.ts'
import type { UnreadableWhy } from './unreadable.ts'
import type { WorkerInput, WorkerOutput } from './worker.ts'

/**
 * A document that was read, or why it cannot be read. `title` is the document's own; null where the source keeps its
 * title.
 */
export type DocumentRead =
  | { ok: true; title: string | null; prepared: PreparedSource }
  | { ok: false; why: Fact }

/** Reads a document in a separate thread with limits of time and memory. Never rejects because of its content. */
export async function readInThread(
  input: WorkerInput,
  {
    readMs = KNOWLEDGE_LIMITS.readMs,
    memoryMb = KNOWLEDGE_LIMITS.readMemoryMb,
  }: { readMs?: number; memoryMb?: number } = {},
): Promise<DocumentRead> {
  const script = new URL('./worker.ts', import.meta.url)
  const result = await runInThread<WorkerOutput>(script, input, { runMs: readMs, memoryMb })
  if (result.ok) {
    return result.output.ok ? result.output : { ok: false, why: toFact(result.output.why) }
  }
  switch (result.why) {
    case 'too_slow':
      return { ok: false, why: fact('source_too_slow', { seconds: readMs / 1_000 }) }
    case 'too_heavy':
      return { ok: false, why: fact('source_too_heavy') }
    case 'broken':
      return { ok: false, why: fact('source_broken') }
  }
}

/** Returns the fact for a reason of the reading thread. */
function toFact(why: UnreadableWhy): Fact {
  switch (why) {
    case 'broken':
      return fact('source_broken')
    case 'locked':
      return fact('source_locked')
    case 'unpacked':
      return fact('source_unpacks_too_large', { max: KNOWLEDGE_LIMITS.unpackedBytes })
    case 'pages':
      return fact('source_too_many_pages', { max: KNOWLEDGE_LIMITS.pdfPages })
    case 'empty':
      return fact('source_empty')
  }
}
