/**
 * What a flow is made of, as it is stored in a version: the trigger, and steps by id.
 * `next` names the step that follows; null ends the run as completed.
 */
import { z } from 'zod'
import { FLOW_LIMITS, HOOK_LIMITS } from '../limits.ts'
import { CallRequest, KeptValues } from './call-request.ts'

const stepId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/, 'a step id has 1 to 64 letters, digits, _ and -')
const next = stepId.nullable()
export const variableName = z
  .string()
  .regex(/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/, 'a name starts with a letter and has letters, digits, _')
const path = z.string().max(HOOK_LIMITS.pathChars)

/** Texts may hold `{{vars.name}}`, `{{contact.name}}` and `{{contact.phone}}`. */
const filledText = z.string().max(4_096)

export const WebhookTrigger = z.object({
  kind: z.literal('webhook'),
  phonePath: path.min(1),
  namePath: path.nullable(),
  languagePath: path.nullable(),
  keep: z.array(z.object({ name: variableName, path })).max(HOOK_LIMITS.keptValues),
})
export type WebhookTrigger = z.infer<typeof WebhookTrigger>

export const Trigger = z.discriminatedUnion('kind', [
  WebhookTrigger,
  z.object({
    kind: z.literal('keyword'),
    words: z.array(z.string().min(1).max(100)).min(1).max(20),
  }),
  z.object({ kind: z.literal('conversation_started') }),
  z.object({ kind: z.literal('manual') }),
  z.object({ kind: z.literal('template_button'), template: z.string(), button: z.string() }),
])

export const SendTemplateStep = z.object({
  kind: z.literal('send_template'),
  template: z.string().min(1),
  /** Used when the run's language has no approved version. */
  language: z.string().min(2),
  header: filledText.nullable(),
  /** One value per body variable, in the template's order or by its names. */
  body: z.array(z.object({ name: z.string(), text: filledText })).max(50),
  /** What url buttons with a variable end in; `index` is the place among all the buttons. */
  urlSuffixes: z
    .array(z.object({ index: z.number().int().min(0), text: filledText }))
    .max(10)
    .default([]),
  next,
})
export type SendTemplateStep = z.infer<typeof SendTemplateStep>

export const SendMessageStep = z.object({
  kind: z.literal('send_message'),
  text: filledText.min(1),
  next,
})

export const WaitForReplyStep = z.object({
  kind: z.literal('wait_for_reply'),
  saveAs: variableName.nullable(),
  timeoutMinutes: z
    .number()
    .int()
    .min(1)
    .max(30 * 24 * 60),
  next,
  onTimeout: next,
})

export const ConditionStep = z.object({
  kind: z.literal('condition'),
  variable: variableName,
  is: z.enum(['equal', 'not_equal', 'containing', 'empty', 'not_empty']),
  /** Compared without letter case and surrounding spaces; not read for empty and not_empty. */
  value: z.string().max(1_000),
  /** When the condition holds. */
  next,
  otherwise: next,
})

export const SetVariableStep = z.object({
  kind: z.literal('set_variable'),
  name: variableName,
  text: filledText,
  next,
})

/** "Call your system": one request through an API connection. Spec: Calls › HTTP steps. */
export const HttpRequestStep = z.object({
  kind: z.literal('http_request'),
  request: CallRequest,
  /** Values of a JSON answer that become variables; cleared when the call fails. */
  keep: KeptValues,
  /** The Success path: a 2xx answer. */
  next,
  /** The Failed path: any other answer, none, or a call that was not made. */
  onFailure: next,
})
export type HttpRequestStep = z.infer<typeof HttpRequestStep>

export const EndStep = z.object({ kind: z.literal('end') })

export const Step = z.discriminatedUnion('kind', [
  SendTemplateStep,
  SendMessageStep,
  WaitForReplyStep,
  ConditionStep,
  SetVariableStep,
  HttpRequestStep,
  EndStep,
])
export type Step = z.infer<typeof Step>

/** A flow that may be half drawn: steps may lead to steps that are not there yet. */
export const FlowDraft = z.object({
  /** Empty until one is chosen. */
  channelId: z.string().max(36),
  trigger: Trigger,
  start: stepId,
  steps: z.record(stepId, Step).refine((steps) => Object.keys(steps).length <= FLOW_LIMITS.steps, {
    message: `a flow has at most ${FLOW_LIMITS.steps} steps`,
  }),
})
export type FlowDraft = z.infer<typeof FlowDraft>

/** Where a step can lead, by the name of the exit; null ends the run. */
export function exitsOf(step: Step): { exit: string; to: string | null }[] {
  return (['next', 'onTimeout', 'onFailure', 'otherwise'] as const).flatMap((exit) =>
    exit in step ? [{ exit, to: (step as Record<string, unknown>)[exit] as string | null }] : [],
  )
}

export const FlowDefinition = FlowDraft.superRefine((flow, context) => {
  const unknown = (id: string | null, at: (string | number)[]) => {
    if (id !== null && !Object.hasOwn(flow.steps, id))
      context.addIssue({ code: 'custom', path: at, message: `no step "${id}"` })
  }
  unknown(flow.start, ['start'])
  for (const [id, step] of Object.entries(flow.steps)) {
    for (const { exit, to } of exitsOf(step)) unknown(to, ['steps', id, exit])
  }
})
export type FlowDefinition = z.infer<typeof FlowDefinition>
