/** The loops of the workers: when they begin and how they end. */
import { setTimeout as delay } from 'node:timers/promises'
import { endLowerBounds } from '../../infra/database/queues/lower-bound.ts'
import { waitUntilSendingResumes } from '../../workers/pause-sending.ts'
import { drainAll, startLoop, type ConcurrentWorker } from '../../workers/worker-loop.ts'
import type { Workers } from './create-workers.ts'
import type { Base } from './open-base.ts'
import type { Node, Waking } from './waking.ts'

/** The longest wait for the first look of all workers: one that finds much due work looks for long. */
const FIRST_LOOK_MS = 5_000

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
  /** Starts the loops of workers. Resolves when each has looked for due work. */
  const startLoops = async (workers: readonly ConcurrentWorker[]) => {
    const started = workers.map((worker) => startLoop(worker, { clock, log }))
    started.forEach((loop, index) => loops.set(workers[index]!.name, loop))
    await Promise.all(started.map((loop) => loop.hasLooked))
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
    /**
     * Starts the loops. Resolves when all workers that may work have looked for due work, which opens connections and
     * plans statements, but after `FIRST_LOOK_MS` at the latest.
     */
    async start() {
      const pausableLooked = Promise.withResolvers<void>()
      const onPaused = pausableLooked.resolve
      const pause = { db: db.kysely, log, onPaused }
      free = waitUntilSendingResumes(pause, stopping.signal).then((isFree) => {
        if (!isFree) return
        // Waiting deliveries are sent before the other workers look for work.
        const waiting = [deliver, ...pausable.filter((worker) => worker !== deliver)]
        void startLoops(waiting).then(pausableLooked.resolve)
        // From now on this process sends its own new deliveries and advances its own new runs without a claim.
        db.afterCommit.deliveryDispatcher = deliver.dispatcher
        db.afterCommit.runDispatcher = runFlows.dispatcher
      })
      const alwaysOnLooked = startLoops(alwaysOn)
      // With the embedded database there is no other node.
      if (config.databaseUrl) {
        workElsewhere.listen(opened.connection, {
          node: nodes.node,
          onWork(works) {
            // Any queue: this process may have lost its sessions, and with them notifications of released rows.
            if (works.length === 0) endLowerBounds(db.kysely)
            wakeForOthers(works)
          },
        })
      }
      const ended = new AbortController()
      const signal = AbortSignal.any([ended.signal, stopping.signal])
      const longest = delay(FIRST_LOOK_MS, undefined, { signal }).catch(() => {})
      await Promise.race([Promise.all([alwaysOnLooked, pausableLooked.promise]), longest])
      ended.abort()
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
