/**
 * The definition of a kind of step. A kind is one file of this folder and one line of `steps.ts`; no other code names
 * kinds. Pure: the engine and the check before publishing call it, and the engine's caller writes the results.
 */
import type { UnfillablePart } from '../../core/facts/runs.ts'
import { ruleCode } from '../../schemas/broken-rule.ts'
import { z } from 'zod'
import type { CallRequest, KeptValues } from '../../schemas/call-request.ts'
import type { Fact } from '../../core/facts/fact.ts'
import { listPlaceholders } from '../../rules/text/placeholders.ts'
import type { ChannelType } from '../../core/vocabulary/channels.ts'
import type { PublishRule } from '../../core/vocabulary/flows.ts'
import type {
  StepMutation,
  RunContext,
  InlineEffect,
  RunState,
  SendContent,
  StepInput,
  StepContact,
} from './run-state.ts'
import { FLOW_LIMITS } from '../../core/limits/flows.ts'

/** The id of a step in its flow. */
export const stepId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, ruleCode('wrong_step_id'))
/** The next step; null ends the run as completed. */
export const nextStep = stepId.nullable()
/** The step after a message that was not sent. Null fails the run. */
export const ifNotSent = stepId.nullable().default(null)
/** A text that may hold `{{vars.name}}`, `{{contact.name}}` and `{{contact.phone}}`. */
export const filledText = z.string().max(FLOW_LIMITS.textChars)

/** A kind of step: its schema, its exits, and its behaviour. */
export type StepDefinition<Step> = {
  /** The schema of the step in a flow's definition. */
  schema: z.ZodObject
  /** Returns the next steps by the name of the exit; null ends the run. */
  exits(step: Step): Record<string, string | null>
  /** A message needs the customer's open service window; a template does not. */
  sends?: 'template' | 'message'
  /** Returns the template that the step sends. */
  template?(step: Step): { name: string; language: string }
  /** Present when the step waits. Returns whether an exit means that the customer has written. */
  waits?: { isAnswer(exit: string): boolean }
  /** Returns the request that the step makes to the merchant's API. */
  call?(step: Step): CallStep
  /** True when the step runs inline effects, whose outcome decides how it continues. */
  runsInlineEffects?: true
  /** Returns the key of the customer's custom field that the step sets. */
  setsField?(step: Step): string
  /** Returns the variables that the step reads. */
  reads?(step: Step): string[]
  /** Returns the variables that are set after an exit. */
  sets?(step: Step, exit: string): string[]
  /** Returns the action of a run that enters the step. */
  enter(step: Step, walk: Traversal): NextAction
  /** Returns the action of a waiting run after an event; null when the step does not accept the event. */
  resume?(step: Step, input: StepInput, walk: Traversal): Resumed | null
  /** Returns the issues that keep the step's flow from being published, and its warnings. */
  issues?(step: Step, around: StepContext): StepIssue[]
}

/** The run that executes a step, with the data that the step reads and writes. */
export type Traversal = {
  /** The state of the run, in which a step writes its changes. */
  state: RunState
  /** The customer with the changes of earlier steps; null for a visitor. */
  contact: StepContact | null
  around: RunContext
  /** Fills in placeholders from the run's variables and its customer. */
  fill(text: string): string
}

/** A step's request to the merchant's API, and the values that are kept of the response. */
export type CallStep = { kind: string; request: CallRequest; keep: KeptValues }

/** The action of a run at a step. `go_on` continues with the step `to`, or ends the run if `to` is null. */
export type NextAction =
  | {
      kind: 'go_on'
      to: string | null
      detail: Fact | null
      hasFailed?: boolean
      act?: StepMutation
    }
  | { kind: 'send'; content: SendContent }
  /** `withinMs` is the time that is left for calls until the customer writes again. */
  | { kind: 'call'; step: CallStep; withinMs: number }
  | { kind: 'effect'; effect: InlineEffect }
  /** A wait for the customer's reply, or only until the time is over. */
  | { kind: 'wait'; forReply: boolean; timeoutMs: number }
  | { kind: 'end'; act?: StepMutation }

/** The continuation of a run after an input to its step. */
export type Resumed =
  /** `done` is added to the run's history; a send or a call already has its line there. */
  | { kind: 'go_on'; to: string | null; done?: Fact }
  | { kind: 'fail'; detail: Fact }
  | ((
      | Extract<NextAction, { kind: 'send' | 'wait' | 'effect' }>
      | Extract<NextAction, { kind: 'end' }>
    ) & { done?: Fact })

/** The data that a check before publishing needs besides the step. */
export type StepContext = {
  /** The type of the flow's channel; null when none is chosen or it was deleted. */
  channelType: ChannelType | null
  /** All templates of that channel. */
  templates: readonly KnownTemplate[]
  /** All API connections of the company. */
  connections: readonly KnownConnection[]
  /** The members who work in the company's conversations. */
  memberIds: readonly string[]
  /** The company's custom fields of contacts. */
  fieldKeys: readonly string[]
  hasOpeningHours: boolean
  /** The services that customers can book. */
  services: readonly { id: string; canBeBooked: boolean; resourceIds: readonly string[] }[]
  /** The company's files that flows may send. */
  files: readonly { id: string; mediaType: string; size: number }[]
}

/** A template as the provider last listed it. */
export type KnownTemplate = {
  name: string
  language: string
  status: string
  /** The slots that a send must fill in; `unsupported` is a part that it cannot fill in. */
  slots: {
    header: string | null
    body: readonly string[]
    urlSuffixes: readonly { index: number; text: string }[]
    unsupported: UnfillablePart | null
  }
}

/** An API connection of the company, as far as a flow depends on it. */
export type KnownConnection = { id: string; name: string; isOn: boolean }

/** An issue that the check before publishing finds in a step. */
export type StepIssue = {
  /** The path within the step, such as `body[0]`. Null stands for the whole step. */
  field: string | null
  rule: PublishRule
  fact: Fact
  isWarning: boolean
}

/** Returns the names of the variables in some texts, each once. */
export function variablesIn(texts: readonly string[], list = listPlaceholders): string[] {
  const names = texts.flatMap(list).filter((name) => name.startsWith('vars.'))
  return [...new Set(names.map((name) => name.slice('vars.'.length)))]
}

/**
 * Returns how a run continues after a step's message was sent or failed; null for any other event.
 * Spec: Flows › Steps; reading F33.
 */
export function afterSend(
  step: { next: string | null; onNotSent: string | null },
  input: StepInput,
): Resumed | null {
  return input.kind === 'sent' ? { kind: 'go_on', to: step.next } : ifItFailed(step, input)
}

/** Returns how a run continues after a step's message was not sent; null for any other event. */
export function ifItFailed(
  { onNotSent }: { onNotSent: string | null },
  input: StepInput,
): Resumed | null {
  if (input.kind !== 'send_failed') return null
  return onNotSent === null
    ? { kind: 'fail', detail: input.detail }
    : { kind: 'go_on', to: onNotSent }
}

/** Returns an issue of a step that keeps its flow from being published. */
export function stepIssue(field: string | null, rule: PublishRule, found: Fact): StepIssue {
  return { field, rule, fact: found, isWarning: false }
}
