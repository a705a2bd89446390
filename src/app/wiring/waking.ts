import type { Context } from '../../infra/context.ts'
import { WORKER_OF_QUEUE } from '../../workers/worker-of-queue.ts'
import type { Loop } from '../../workers/worker-loop.ts'
import { createNodeLivenessWorker } from '../../workers/node-liveness.ts'
import type { QueueName } from '../../infra/database/after-commit.ts'
import { createCrossProcessNotify } from '../../infra/database/cross-process-notify.ts'

const isWork = (name: string): name is QueueName => Object.hasOwn(WORKER_OF_QUEUE, name)

/** The functions that notify workers, and the names of the notified ones. */
export type Waking = ReturnType<typeof createWaking>

/**
 * Creates the functions that notify workers, by their names or by the queues of a commit. `woken` collects the names of
 * notified workers for `processAll`.
 */
export function createWaking() {
  const loops = new Map<string, Loop>()
  const woken = new Set<string>()
  const wakeWorker = (name: string) => {
    woken.add(name)
    loops.get(name)?.notify()
  }
  return {
    loops,
    woken,
    wakeWorker,
    wake: (work: QueueName) => wakeWorker(WORKER_OF_QUEUE[work]),
    wakeAll() {
      for (const name of Object.values(WORKER_OF_QUEUE)) wakeWorker(name)
    },
    /**
     * Notifies the workers of these queues, into which another process has written. Without names it notifies all
     * workers, as after the death of a node.
     */
    wakeForOthers(works: readonly string[] = []) {
      const isKnown = works.length > 0 && works.every(isWork)
      const names = isKnown ? works.map((work) => WORKER_OF_QUEUE[work]) : loops.keys()
      for (const name of names) loops.get(name)?.notify()
    },
  }
}

/** Creates this process's liveness worker and its notifications to other processes. */
export function createNode(context: Context, { wakeForOthers }: Waking) {
  const workElsewhere = createCrossProcessNotify(context.db, context.log)
  const nodes = createNodeLivenessWorker(context, {
    presentSinceMs: workElsewhere.presentSinceMs,
    onProgress: wakeForOthers,
  })
  return { workElsewhere, nodes }
}

/** This process as one of several on the database. */
export type Node = ReturnType<typeof createNode>
