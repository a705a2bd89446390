/**
 * The duty that reads sources of knowledge: what was written or uploaded once, pages daily. A few at a time, and of
 * one account one, so that one with much to read holds up nobody. Spec: Assistant › Knowledge.
 */
import type { Context } from '../context.ts'
import { claimSources, nextSourceDue, type SourceInHand } from '../knowledge/claim-sources.sql.ts'
import { readSource, type ReadDeps } from '../knowledge/read-source.ts'
import { KNOWLEDGE_ENGINE } from '../limits/knowledge.ts'
import type { WorkingDuty } from './loop.ts'

type Deps = Pick<ReadDeps, 'outbound'> & {
  claimId(): string
  /** Called when there is room for what waits. */
  onProgress(): void
}

export function createFetchKnowledgeDuty(context: Context, deps: Deps): WorkingDuty {
  const { db, clock, log } = context
  const underWay = new Map<Promise<void>, string>()
  let isHalted = false

  function start(source: SourceInHand): void {
    const done = readSource({ ...context, ...deps }, source)
      .catch((error: unknown) => {
        // Its lease ends, and it is taken up again. Nothing of its text is told.
        const code = (error as { code?: unknown } | null)?.code
        log.error({ sourceId: source.id, code }, 'what a source says could not be written')
      })
      .finally(() => {
        underWay.delete(done)
        deps.onProgress()
      })
    underWay.set(done, source.accountId)
  }

  return {
    name: 'fetch-knowledge',
    async work() {
      const limit = KNOWLEDGE_ENGINE.atOnce - underWay.size
      if (isHalted || limit <= 0) return false
      const claim = { claimId: deps.claimId(), now: clock.now(), limit }
      const sources = await claimSources(db.kysely, { ...claim, without: [...underWay.values()] })
      for (const source of sources) start(source)
      return sources.length > 0
    },
    nextDue: () => (underWay.size > 0 ? Promise.resolve(null) : nextSourceDue(db.kysely)),
    inFlight: () => underWay.size,
    halt() {
      isHalted = true
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay.keys())
    },
  }
}
