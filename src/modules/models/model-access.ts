/** The dependencies of model calls, created once for a process. */
import type { Context } from '../../infra/context.ts'
import type { AddressGuard } from '../../infra/egress/guarded-addresses.ts'
import type { KeyRing } from '../../infra/secrets/key-ring.ts'
import type { Model } from './model.ts'
import { createModelHttpClient, type ModelHttpKind } from './model-http-client.ts'
import { openModel, type ModelSetUp } from './open-model.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'

/**
 * A circuit breaker, which blocks calls of a model that fails repeatedly. Each process has its own, so a failing
 * model receives a few requests more for each node.
 */
type Circuit = {
  /**
   * Returns whether the model may be called now. After an open circuit a single call is admitted; the others wait for
   * its outcome.
   */
  allowsRequest(model: string, now: Date): boolean
  /** Records an outcome. Null stands for a failure that says nothing about the model. */
  settle(model: string, outcome: 'failed' | 'answered' | null, now: Date): void
}

type State = { failures: number[]; openUntil: number; probedAt: number | null }

/**
 * Creates a circuit that five failures in 60 s open for 30 s. Then one request is admitted, and its failure opens it
 * again.
 *
 * Spec: Assistant › Models.
 */
function createCircuitBreaker(): Circuit {
  const states = new Map<string, State>()
  return {
    allowsRequest(model, now) {
      const state = states.get(model)
      if (!state || state.openUntil === 0) return true
      const at = now.getTime()
      if (at < state.openUntil) return false
      // The caller of the admitted request may never report an outcome.
      const isProbed = state.probedAt !== null && at - state.probedAt < MODEL_LIMITS.requestMs
      if (isProbed) return false
      state.probedAt = at
      return true
    },
    settle(model, outcome, now) {
      const at = now.getTime()
      const state = states.get(model) ?? { failures: [], openUntil: 0, probedAt: null }
      if (outcome === 'answered') {
        states.delete(model)
        return
      }
      const isProbe = state.probedAt !== null
      state.probedAt = null
      if (outcome === null) return
      state.failures = state.failures.filter((time) => at - time < MODEL_LIMITS.circuitWindowMs)
      state.failures.push(at)
      if (isProbe || state.failures.length >= MODEL_LIMITS.circuitFailures) {
        state.openUntil = at + MODEL_LIMITS.circuitOpenMs
        state.failures = state.failures.slice(-MODEL_LIMITS.circuitFailures)
      }
      states.set(model, state)
    },
  }
}

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
