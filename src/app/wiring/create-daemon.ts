/** The loops of the workers: when they begin and how they end. */
import { endLowerBounds } from '../../infra/database/queues/lower-bound.ts'
import { waitUntilSendingResumes } from '../../workers/pause-sending.ts'
import { drainAll, startLoop, type ConcurrentWorker } from '../../workers/worker-loop.ts'
import type { Workers } from './create-workers.ts'
import type { Base } from './open-base.ts'
import type { Node, Waking } from './waking.ts'

/**
 * Creates the daemon of this process: it starts and stops the loops of all workers. While sending is paused, only
 * `alwaysOn` runs.
 */
export function createDaemon(
  { config, context, opened }: Pick<Base, 'config' | 'context' | 'opened'>,
  { loops, wake, wakeForOthers }: Waking,
  { workElsewhere, nodes }: Node,
  { pausable, alwaysOn, deliver, lostClaims, runFlows }: Workers,
) {
  const { db, clock, log } = context
  const stopping = new AbortController()
  /** Resolves when sending may begin. */
  let free = Promise.resolve()
  const startLoops = (workers: readonly ConcurrentWorker[]) => {
    for (const worker of workers) loops.set(worker.name, startLoop(worker, { clock, log }))
  }
  // Without a daemon in this process, another process does the work.
  db.afterCommit.notify =
    config.only === 'http'
      ? workElsewhere.notify
      : (works) => {
          for (const work of works) wake(work)
          loops.get(nodes.name)?.notify()
        }
  db.afterCommit.releaseClaims = lostClaims.lose
  return {
    start() {
      free = waitUntilSendingResumes({ db: db.kysely, log }, stopping.signal).then((isFree) => {
        if (!isFree) return
        // Waiting deliveries are sent before the other workers look for work.
        startLoops([deliver, ...pausable.filter((worker) => worker !== deliver)])
        // From now on this process sends its own new deliveries and advances its own new runs without a claim.
        db.afterCommit.deliveryDispatcher = deliver.dispatcher
        db.afterCommit.runDispatcher = runFlows.dispatcher
      })
      startLoops(alwaysOn)
      // With the embedded database there is no other node.
      if (!config.databaseUrl) return
      workElsewhere.listen(opened.connection, {
        node: nodes.node,
        onWork(works) {
          // Any queue: this process may have lost its sessions, and with them notifications of released rows.
          if (works.length === 0) endLowerBounds(db.kysely)
          wakeForOthers(works)
        },
      })
    },
    /** Stops waiting for the end of a pause of sending. */
    halt: () => stopping.abort(),
    async stop() {
      await free
      await Promise.all([...loops.values()].map((loop) => loop.stop()))
      await drainAll([...pausable, ...alwaysOn])
      // Other nodes must see this node alive until its claimed work has ended.
      await workElsewhere.close()
    },
  }
}
