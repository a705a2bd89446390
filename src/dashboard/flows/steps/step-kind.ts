/**
 * The design of a step type in the builder: one file each in this folder and a line in `kinds.ts`. Its name is in
 * `words-steps.ts`, under its kind.
 */
import type { ComponentType } from 'react'
import type { Say } from '../../../core/words/define-words.ts'
import type { IconName } from '../../parts/icons.ts'
import type { BuilderLists } from '../builder-context.ts'
import type { Step } from '../draft.ts'
import type { stepWords } from '../words-steps.ts'

/** A function that returns a text about steps in the language of the interface. */
export type SayStep = Say<(typeof stepWords)['en']>
/** The key of a text about steps. */
export type StepWord = keyof (typeof stepWords)['en']

/** An exit of a step that is drawn on the map. `to` is null where the run ends. */
export type Exit = {
  /** The name in the flow definition: `next`, `branches[0].next`. */
  exit: string
  to: string | null
  label: (say: SayStep) => string
  tone?: 'ok' | 'bad'
}

/** The texts that the map shows for a step. */
export type Summary = {
  title: string
  detail?: string
  /** The title is a code, which is written from left to right. */
  isCode?: boolean
}

/** The properties of the form of a step. */
export type FormProps<Of extends Step> = {
  id: string
  step: Of
  /** Changes the given fields. */
  set(change: Partial<Of>): void
  /** Connects an optional exit, whose default is to end the run or to hand over. */
  openExit(exit: string): void
  closeExit(exit: string): void
} & Bindings<Of>

/** Functions that connect the fields of a form to the values of its step or trigger. */
export type Bindings<Of> = {
  /** Returns the properties of one field of the form: `<Minutes label="Wait" {...field('timeoutMinutes')} />`. */
  field<Name extends keyof Of & string>(name: Name): Bound<Of[Name]>
  /** Returns the properties of a field for a text that is null while it is empty. */
  text(name: TextIn<Of>): Bound<string>
}

/** The properties that connect a field of a form to one value of the draft. */
export type Bound<Value> = {
  /** The path of the field in the draft: `steps.tell.text`. */
  at: string
  value: Value
  onChange(value: Value): void
}

type TextIn<Of> = {
  [Name in keyof Of]: Of[Name] extends string | null ? Name : never
}[keyof Of] &
  string

/** The way in which the builder creates, draws and edits one type of step. */
export type StepKindDesign<Of extends Step> = {
  icon: IconName
  group: 'talk' | 'decide' | 'customer' | 'system' | 'finish'
  make(builder: BuilderLists): Of
  /** Returns the exits that are drawn, in order. */
  exits(step: Of): Exit[]
  /**
   * Returns the exit that leads to the following step when this one is inserted before it, or null for a step that ends
   * the run.
   */
  main: (step: Of) => string | null
  /** The step is drawn as the end. */
  isEnd?: true
  /** The step writes to the customer or waits for them, so a template must precede it where they have not written. */
  needsTemplateBefore?: true
  /** The step sends such a template. */
  sendsTemplate?: true
  /** Returns the variables that are set when the step is left by an exit. */
  sets?(step: Of, exit: string): readonly string[]
  summary(step: Of, say: SayStep, builder: BuilderLists): Summary
  Form: ComponentType<FormProps<Of>>
}

/** Returns the exit of a step that has only one. */
export function onlyNext({ next }: { next: string | null }): Exit[] {
  return [{ exit: 'next', to: next, label: (say) => say('exit_next') }]
}

/** Returns an exit that is drawn only when it leads to a step. */
export function optionalExit(exit: string, to: string | null, word: StepWord): Exit[] {
  return to === null
    ? []
    : [{ exit, to, label: (say) => say(word as 'exit_next'), tone: 'bad' as const }]
}

/** Returns `next`: the main exit of most types of steps. */
export const mainNext = () => 'next'

/** Returns the functions that connect the fields of a form to the values at a path of the draft. */
export function bindFields<Of extends object>(
  path: string,
  values: Of,
  set: (change: Partial<Of>) => void,
): Bindings<Of> {
  const field = (name: string) => ({
    at: `${path}.${name}`,
    value: (values as Readonly<Record<string, unknown>>)[name],
    onChange: (value: unknown) => set({ [name]: value } as Partial<Of>),
  })
  const text = (name: string) => {
    const { at, value, onChange } = field(name)
    return {
      at,
      value: (value ?? '') as string,
      onChange: (next: string) => onChange(next || null),
    }
  }
  return { field, text } as unknown as Bindings<Of>
}
