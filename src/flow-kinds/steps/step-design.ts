/**
 * What a kind of step is: all that the rest of the house asks of it. A kind is one file of this room and
 * one line of `steps.ts`; nobody else asks for kinds by name. Pure: the engine and the check before
 * publishing call it, and whoever calls the engine writes what comes out of it.
 */
import type { UnfillablePart } from '../../core/facts/runs.ts'
import { ruleOf } from '../../schemas/broken-rule.ts'
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

export const stepId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, ruleOf('wrong_step_id'))
/** The step that follows; null ends the run as completed. */
export const nextStep = stepId.nullable()
/** The step that follows a message that was not sent; null: the run fails. */
export const ifNotSent = stepId.nullable().default(null)
/** Texts may hold `{{vars.name}}`, `{{contact.name}}` and `{{contact.phone}}`. */
export const filledText = z.string().max(FLOW_LIMITS.textChars)

export type StepDefinition<Step> = {
  /** As a flow's definition holds it. */
  schema: z.ZodObject
  /** Where it can lead, by the name of the exit; null ends the run. */
  exits(step: Step): Record<string, string | null>
  /** A message needs the customer's open service window; a template does not. */
  sends?: 'template' | 'message'
  /** The template that it sends. */
  template?(step: Step): { name: string; language: string }
  /** It waits, and whether the customer has written once the run leaves it by an exit. */
  waits?: { isAnswer(exit: string): boolean }
  /** The request that it makes to the merchant's API. */
  call?(step: Step): CallStep
  /** It has something done within its turn, and goes on by what came of it. */
  doesErrands?: true
  /** The customer's custom field that it sets, by key. */
  setsField?(step: Step): string
  /** Variables that it reads. */
  reads?(step: Step): string[]
  /** Variables that are set once it is left by an exit. */
  sets?(step: Step, exit: string): string[]
  /** What the run does at the step. */
  enter(step: Step, walk: Traversal): NextAction
  /** What the run that stayed at the step does after what happened; null: it cannot take this. */
  resume?(step: Step, input: StepInput, walk: Traversal): Resumed | null
  /** What keeps a flow with it from being published, or should be looked at. */
  faults?(step: Step, around: StepContext): StepIssue[]
}

export type Traversal = {
  /** Of the run; what a step sets, it sets here. */
  state: RunState
  /** The customer, as the steps before have left them; null of a visitor. */
  contact: StepContact | null
  around: RunContext
  /** Fills in placeholders from the run's variables and its customer. */
  fill(text: string): string
}

export type CallStep = { kind: string; request: CallRequest; keep: KeptValues }

export type NextAction =
  | {
      kind: 'go_on'
      to: string | null
      detail: Fact | null
      hasFailed?: boolean
      act?: StepMutation
    }
  | { kind: 'send'; content: SendContent }
  /** `withinMs`: what is left of the calls of one go. */
  | { kind: 'call'; step: CallStep; withinMs: number }
  | { kind: 'effect'; effect: InlineEffect }
  /** For the customer's reply, or for nobody until the time is over. */
  | { kind: 'wait'; forReply: boolean; timeoutMs: number }
  | { kind: 'end'; act?: StepMutation }

export type Resumed =
  /** `done` goes to the run's history; of a send or a call the history has a line already. */
  | { kind: 'go_on'; to: string | null; done?: Fact }
  | { kind: 'fail'; detail: Fact }
  | ((
      | Extract<NextAction, { kind: 'send' | 'wait' | 'effect' }>
      | Extract<NextAction, { kind: 'end' }>
    ) & {
      done?: Fact
    })

/** What a check before publishing must know besides the step itself. */
export type StepContext = {
  /** Of the flow; null when none is chosen, or it is gone. */
  channelType: ChannelType | null
  /** All templates of that channel. */
  templates: readonly KnownTemplate[]
  /** All API connections of the company. */
  connections: readonly KnownConnection[]
  /** Who works in the company's conversations. */
  memberIds: readonly string[]
  /** The company's custom fields of contacts. */
  fieldKeys: readonly string[]
  hasOpeningHours: boolean
  /** What customers book. */
  services: readonly { id: string; canBeBooked: boolean; resourceIds: readonly string[] }[]
  /** The company's files that flows may send. */
  files: readonly { id: string; mediaType: string; size: number }[]
}

/** A template, as the provider listed it last. */
export type KnownTemplate = {
  name: string
  language: string
  status: string
  /** What a send must fill in; `unsupported` is what it cannot. */
  slots: {
    header: string | null
    body: readonly string[]
    urlSuffixes: readonly { index: number; text: string }[]
    unsupported: UnfillablePart | null
  }
}

/** An API connection of the company, as far as a flow depends on it. */
export type KnownConnection = { id: string; name: string; isOn: boolean }

export type StepIssue = {
  /** Within the step, such as `body[0]`; null: the step as a whole. */
  field: string | null
  rule: PublishRule
  fact: Fact
  isWarning: boolean
}

/** The variables that some texts name. */
export function variablesIn(texts: readonly string[], list = listPlaceholders): string[] {
  const names = texts.flatMap(list).filter((name) => name.startsWith('vars.'))
  return [...new Set(names.map((name) => name.slice('vars.'.length)))]
}

/** How a step that sends goes on. Spec: Flows › Steps; reading F33. */
export function afterSend(
  step: { next: string | null; onNotSent: string | null },
  input: StepInput,
): Resumed | null {
  return input.kind === 'sent' ? { kind: 'go_on', to: step.next } : ifItFailed(step, input)
}

/** What follows a message that was not sent; null of anything else that happened. */
export function ifItFailed(
  { onNotSent }: { onNotSent: string | null },
  input: StepInput,
): Resumed | null {
  if (input.kind !== 'send_failed') return null
  return onNotSent === null
    ? { kind: 'fail', detail: input.detail }
    : { kind: 'go_on', to: onNotSent }
}

/** A fault of a step that keeps its flow from being published. */
export function stepIssue(field: string | null, rule: PublishRule, found: Fact): StepIssue {
  return { field, rule, fact: found, isWarning: false }
}
