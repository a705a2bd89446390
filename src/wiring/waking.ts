import type { Context } from '../context.ts'
import { DUTY_OF } from '../daemon/duty-of-work.ts'
import type { Loop } from '../daemon/loop.ts'
import { createWatchNodesDuty } from '../daemon/watch-nodes.ts'
import type { Work } from '../database/commit-notes.ts'
import { createWorkSignal } from '../database/work-signal.ts'

const isWork = (name: string): name is Work => Object.hasOwn(DUTY_OF, name)

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
    wakeAll() {
      for (const name of Object.values(DUTY_OF)) wakeWorker(name)
    },
    /** Such work of another process is due; where none is named, any may be, of one that died for instance. */
    wakeForOthers(works: readonly string[] = []) {
      const isKnown = works.length > 0 && works.every(isWork)
      const names = isKnown ? works.map((work) => DUTY_OF[work]) : loops.keys()
      for (const name of names) loops.get(name)?.wake()
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
