/**
 * What a kind of step is in the builder: one file each in this folder and a line in `kinds.ts`. Its word is
 * that of its kind in `words-steps.ts`.
 */
import type { ComponentType } from 'react'
import type { Say } from '../../words/define-words.ts'
import type { IconName } from '../../parts/icons.ts'
import type { Surroundings } from '../builder-context.ts'
import type { Step } from '../draft.ts'
import type { stepWords } from '../words-steps.ts'

export type SayStep = Say<(typeof stepWords)['en']>
export type StepWord = keyof (typeof stepWords)['en']

export type Exit = {
  /** As the definition names it: `next`, `branches[0].next`. */
  exit: string
  to: string | null
  label: (say: SayStep) => string
  tone?: 'ok' | 'bad'
}

export type Summary = {
  title: string
  detail?: string
  /** It is a code: written from left to right. */
  isCode?: boolean
}

export type FormProps<Of extends Step> = {
  id: string
  step: Of
  /** Changes what is named. */
  set(change: Partial<Of>): void
  /** Opens a way of its own for what otherwise ends the run, or is handed over. */
  openWay(exit: string): void
  closeWay(exit: string): void
}

export type StepKindDesign<Of extends Step> = {
  icon: IconName
  group: 'talk' | 'decide' | 'customer' | 'system' | 'finish'
  make(around: Surroundings): Of
  /** The ways on that are drawn, in their order. */
  exits(step: Of): Exit[]
  /** By which way what followed goes on when the step is put before it; null: it ends the run. */
  main: (step: Of) => string | null
  /** Drawn as the end. */
  isEnd?: true
  /** It writes to the customer, or waits for them: a template must have come before where they did not write. */
  needsWindow?: true
  /** It is such a template. */
  sendsTemplate?: true
  /** The variables that are set once it is left by an exit. */
  sets?(step: Of, exit: string): readonly string[]
  summary(step: Of, say: SayStep, around: Surroundings): Summary
  Form: ComponentType<FormProps<Of>>
}

/** The one way on of a step that has no other. */
export function onlyNext({ next }: { next: string | null }): Exit[] {
  return [{ exit: 'next', to: next, label: (say) => say('exit_next') }]
}

/** A way that is drawn only when it leads somewhere. */
export function sideWay(exit: string, to: string | null, word: StepWord): Exit[] {
  return to === null
    ? []
    : [{ exit, to, label: (say) => say(word as 'exit_next'), tone: 'bad' as const }]
}

export const mainNext = () => 'next'
