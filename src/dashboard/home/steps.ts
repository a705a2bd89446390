import type { SetUpSteps } from '../../contract/dashboard/home.ts'

/** The steps of the setup, in order. */
export const STEPS = ['channel', 'templates', 'flow', 'request', 'endpoint', 'delivery'] as const
/** A step of the setup. */
export type Step = (typeof STEPS)[number]
/** The number of steps of the setup. */
export const STEP_COUNT = STEPS.length

/** Returns whether a step of the set-up is done. */
export function isDone(setUp: SetUpSteps, step: Step): boolean {
  return setUp[step === 'request' ? 'hookRequest' : step] !== null
}

/** Returns how many steps of the set-up are done. */
export function countDone(setUp: SetUpSteps): number {
  return STEPS.filter((step) => isDone(setUp, step)).length
}
