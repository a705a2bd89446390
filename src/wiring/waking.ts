import type { Context } from '../context.ts'
import { DUTY_OF } from '../daemon/duty-of-work.ts'
import type { Loop } from '../daemon/loop.ts'
import { createWatchNodesDuty } from '../daemon/watch-nodes.ts'
import type { Work } from '../database/commit-notes.ts'
import { createWorkSignal } from '../database/work-signal.ts'

export type Waking = ReturnType<typeof createWaking>

/** Wakes workers, by their names or by what a commit left to be done; remembers which for `processAll`. */
export function createWaking() {
  const loops = new Map<string, Loop>()
  const woken = new Set<string>()
  const wakeWorker = (name: string) => {
    woken.add(name)
    loops.get(name)?.wake()
  }
  return {
    loops,
    woken,
    wakeWorker,
    wake: (work: Work) => wakeWorker(DUTY_OF[work]),
    /** Something of another process may be due, or of one that died. */
    wakeForOthers() {
      for (const loop of loops.values()) loop.wake()
    },
  }
}

/** This node, as the others see it, and what it hears of them. */
export function createNode(context: Context, { wakeForOthers }: Waking) {
  const workElsewhere = createWorkSignal(context.db.pool, context.log)
  const nodes = createWatchNodesDuty(context, {
    presentSinceMs: workElsewhere.presentSinceMs,
    onProgress: wakeForOthers,
  })
  return { workElsewhere, nodes }
}

export type Node = ReturnType<typeof createNode>
