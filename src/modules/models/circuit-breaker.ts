import { MODEL_LIMITS } from '../../core/limits/models.ts'

/**
 * Keeps a model that fails again and again from being asked by everybody at once. Each process has its own: of
 * several nodes each finds out for itself, so that a failing model gets a few requests a node more.
 */
export type Circuit = {
  /** Whether it may be asked now. After an open circuit one asks first; the others wait for what comes of it. */
  mayAsk(model: string, now: Date): boolean
  /** What came of it: null is an answer, or a failure that says nothing of the model. */
  settle(model: string, outcome: 'failed' | 'answered' | null, now: Date): void
}

type State = { failures: number[]; openUntil: number; probedAt: number | null }

/**
 * Five failures in 60 s open it for 30 s. Then one request goes, and its failure opens it again.
 * Spec: Assistant › Models.
 */
export function createCircuitBreaker(): Circuit {
  const states = new Map<string, State>()
  return {
    mayAsk(model, now) {
      const state = states.get(model)
      if (!state || state.openUntil === 0) return true
      const at = now.getTime()
      if (at < state.openUntil) return false
      // Whoever asked first may never come back.
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
