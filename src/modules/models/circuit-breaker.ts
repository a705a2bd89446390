import { MODEL_LIMITS } from '../../core/limits/models.ts'

/**
 * A circuit breaker, which blocks calls of a model that fails repeatedly. Each process has its own, so a failing
 * model receives a few requests more for each node.
 */
export type Circuit = {
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
export function createCircuitBreaker(): Circuit {
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
