import { Worker } from 'node:worker_threads'
import { fact, type Fact } from '../../facts/fact.ts'
import { KNOWLEDGE_ENGINE, KNOWLEDGE_LIMITS } from '../../limits/knowledge.ts'
import type { PreparedSource } from '../prepare-chunks.ts'
import type { UnreadableWhy } from './unreadable.ts'
import type { WorkerInput, WorkerOutput } from './worker.ts'

export type ReadSource =
  | { ok: true; title: string | null; prepared: PreparedSource }
  | { ok: false; why: Fact }

const YOUNG_MB = 32
const MEGABYTE = 1_048_576

/** Reads a document within its bounds of time and memory. Never rejects for what is in it. */
export async function readInThread(
  input: WorkerInput,
  {
    readMs = KNOWLEDGE_LIMITS.readMs,
    memoryMb = KNOWLEDGE_LIMITS.readMemoryMb,
  }: { readMs?: number; memoryMb?: number } = {},
): Promise<ReadSource> {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    workerData: input,
    // Nothing of the service's settings is for it.
    env: {},
    execArgv: ['--no-warnings'],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
  })
  try {
    return await answerOf(worker, { readMs, memoryMb })
  } finally {
    await worker.terminate()
  }
}

function answerOf(
  worker: Worker,
  { readMs, memoryMb }: { readMs: number; memoryMb: number },
): Promise<ReadSource> {
  const { promise, resolve } = Promise.withResolvers<ReadSource>()
  const tooMuch = (why: Fact) => resolve({ ok: false, why })
  const timer = setTimeout(
    () => tooMuch(fact('source_too_slow', { seconds: readMs / 1_000 })),
    readMs,
  )
  // What is unpacked stands beside the heap, which no limit of the thread covers.
  const looking = setInterval(() => {
    void besideHeap(worker).then((bytes) => {
      if (bytes > memoryMb * MEGABYTE) tooMuch(fact('source_too_heavy'))
    })
  }, KNOWLEDGE_ENGINE.memoryLookMs)
  worker.once('message', (output: WorkerOutput) => {
    resolve(output.ok ? output : { ok: false, why: tell(output.why) })
  })
  worker.once('error', (error) => {
    const isMemory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
    tooMuch(isMemory ? fact('source_too_heavy') : fact('source_broken'))
  })
  worker.once('exit', () => tooMuch(fact('source_broken')))
  return promise.finally(() => {
    clearTimeout(timer)
    clearInterval(looking)
  })
}

/** Bytes; of a thread that does not run none. */
async function besideHeap(worker: Worker): Promise<number> {
  try {
    return (await worker.getHeapStatistics()).external_memory
  } catch {
    return 0
  }
}

function tell(why: UnreadableWhy): Fact {
  switch (why) {
    case 'broken':
      return fact('source_broken')
    case 'locked':
      return fact('source_locked')
    case 'unpacked':
      return fact('source_unpacks_too_large', { most: KNOWLEDGE_LIMITS.unpackedBytes })
    case 'pages':
      return fact('source_too_many_pages', { most: KNOWLEDGE_LIMITS.pdfPages })
    case 'empty':
      return fact('source_empty')
  }
}
