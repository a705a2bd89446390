import { Worker } from 'node:worker_threads'

/** The first message of a thread, or the reason why it ended without one. */
export type ThreadResult<Output> =
  | { ok: true; output: Output }
  | { ok: false; why: 'too_slow' | 'too_heavy' | 'broken' }

const YOUNG_MB = 32
const MEGABYTE = 1_048_576
/** Interval in ms at which a thread's memory besides its heap is measured. */
const MEMORY_LOOK_MS = 50

/**
 * Runs a script in a separate thread and returns the first message that it posts. The thread is terminated if it
 * exceeds its time or memory limit. Never rejects because of the input.
 */
export async function runInThread<Output>(
  script: URL,
  input: unknown,
  { runMs, memoryMb }: { runMs: number; memoryMb: number },
): Promise<ThreadResult<Output>> {
  const worker = new Worker(script, {
    workerData: input,
    // The settings of the service, with its secrets, are kept from the thread.
    env: {},
    execArgv: ['--no-warnings'],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: YOUNG_MB },
  })
  try {
    return await resultOf(worker, { runMs, memoryMb })
  } finally {
    await worker.terminate()
  }
}

function resultOf<Output>(
  worker: Worker,
  { runMs, memoryMb }: { runMs: number; memoryMb: number },
): Promise<ThreadResult<Output>> {
  const { promise, resolve } = Promise.withResolvers<ThreadResult<Output>>()
  const timer = setTimeout(() => resolve({ ok: false, why: 'too_slow' }), runMs)
  // Unpacked data is outside the heap, which no limit of the thread covers.
  const looking = setInterval(() => {
    void offHeapBytes(worker).then((bytes) => {
      if (bytes > memoryMb * MEGABYTE) resolve({ ok: false, why: 'too_heavy' })
    })
  }, MEMORY_LOOK_MS)
  worker.once('message', (output: Output) => resolve({ ok: true, output }))
  worker.once('error', (error) => {
    const isMemory = (error as { code?: unknown }).code === 'ERR_WORKER_OUT_OF_MEMORY'
    resolve({ ok: false, why: isMemory ? 'too_heavy' : 'broken' })
  })
  worker.once('exit', () => resolve({ ok: false, why: 'broken' }))
  return promise.finally(() => {
    clearTimeout(timer)
    clearInterval(looking)
  })
}

/** Returns a thread's memory outside of its heap, in bytes; 0 if it no longer runs. */
async function offHeapBytes(worker: Worker): Promise<number> {
  try {
    return (await worker.getHeapStatistics()).external_memory
  } catch {
    return 0
  }
}
