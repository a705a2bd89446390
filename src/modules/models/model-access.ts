/** The dependencies of model calls, created once for a process. */
import type { Context } from '../../infra/context.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import { createCircuitBreaker, type Circuit } from './circuit-breaker.ts'
import type { Model } from './model.ts'
import { createModelHttpClient, type ModelHttpKind } from './model-http-client.ts'
import { openModel, type ModelSetUp } from './open-model.ts'

/** The operator's own model, for accounts that have set up none. */
export type OperatorModel = ModelSetUp & {
  /** True for the scripted model of the demonstration, which is no language model. */
  isScripted: boolean
}

/** The process-wide access to language models: it opens them, and shares limits and circuit breakers. */
export type ModelAccess = {
  open(setUp: ModelSetUp, by: ModelHttpKind): Model
  operator(): OperatorModel | null
  /** Maximum tokens of an account per day (UTC), unless its Owner sets a lower limit. */
  tokensPerDay: number
  circuit: Circuit
  /**
   * Estimated tokens of requests in flight, by account: they count with those of the day before another request is
   * sent.
   */
  inFlight: Map<string, number>
  /** Waits; resolves early when the signal aborts. */
  pause(ms: number, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** The dependencies of use cases that call models. */
export type ModelDeps = Context & { keyRing: KeyRing; models: ModelAccess }

/** Parts that a test replaces. */
export type ModelPorts = Partial<Pick<ModelAccess, 'pause'>> & { requestMs?: number }

/** Creates the process's access to models, with one HTTP client for accounts' models and one for the operator's. */
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
  const createClient = (kind: ModelHttpKind) =>
    createModelHttpClient({ kind, guard, extraCa, ...(requestMs !== undefined && { requestMs }) })
  const clients = { guarded: createClient('guarded'), operator: createClient('operator') }
  return {
    open: (setUp, by) => openModel(setUp, clients[by]),
    operator,
    tokensPerDay,
    circuit: createCircuitBreaker(),
    inFlight: new Map(),
    pause,
    async close() {
      await Promise.all([clients.guarded.close(), clients.operator.close()])
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
