/** What asking a model takes, made once for a process. */
import type { Context } from '../../infra/context.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { createCircuitBreaker, type Circuit } from './circuit-breaker.ts'
import type { Model } from './model.ts'
import { createModelHttpClient, type ModelHttpKind } from './model-http-client.ts'
import { openModel, type ModelSetUp } from './open-model.ts'

/** The operator's own model, for accounts that have set up none. */
export type OperatorModel = ModelSetUp & {
  /** It is scripted, for the demonstration: no language model at all. */
  isScripted: boolean
}

export type ModelAccess = {
  open(setUp: ModelSetUp, by: ModelHttpKind): Model
  operator(): OperatorModel | null
  /** Tokens of a day (UTC) and an account, unless its Owner says fewer. */
  tokensPerDay: number
  circuit: Circuit
  /** Tokens of the prompts under way, by account, about: counted with those of the day before another one is sent. */
  underWay: Map<string, number>
  /** Waits; ends at once when the signal does. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

export type ModelDeps = Context & { keyRing: KeyRing; models: ModelAccess }

/** Parts of it that a test brings itself. */
export type ModelPorts = Partial<Pick<ModelAccess, 'pause'>> & { requestMs?: number }

export function createModelAccess({
  guard,
  extraCa,
  operator,
  tokensPerDay,
  ports = {},
}: Pick<ModelAccess, 'operator' | 'tokensPerDay'> & {
  guard: AddressGuard
  extraCa: readonly string[]
  ports?: ModelPorts
}): ModelAccess {
  const { requestMs, pause = pauseFor } = ports
  const door = (kind: ModelHttpKind) =>
    createModelHttpClient({ kind, guard, extraCa, ...(requestMs !== undefined && { requestMs }) })
  const doors = { guarded: door('guarded'), operator: door('operator') }
  return {
    open: (setUp, by) => openModel(setUp, doors[by]),
    operator,
    tokensPerDay,
    circuit: createCircuitBreaker(),
    underWay: new Map(),
    pause,
    async close() {
      await Promise.all([doors.guarded.close(), doors.operator.close()])
    },
  }
}

function pauseFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
    if (signal.aborted) end()
  })
}
