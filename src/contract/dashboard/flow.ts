import { z } from 'zod'
import { FLOW_LIMITS, RUN_LIMITS } from '../../limits.ts'
import { readPathExpression } from '../../rules/path-expression.ts'
import type { CallFailure, PublishRule, TriggerKind } from '../../vocabulary.ts'
import { callStepFaults } from '../call-step-faults.ts'
import { FlowDraft, variableName } from '../flow-definition.ts'
import { PATH_REFUSED } from '../path-refused.ts'
import { formText } from './text.ts'

const name = formText(1, FLOW_LIMITS.nameChars)

export const CreateFlow = z.strictObject({ name })
export type CreateFlow = z.output<typeof CreateFlow>

/** Only what is named changes. */
export const EditFlow = z.strictObject({ name, isOn: z.boolean() }).partial()
export type EditFlow = z.output<typeof EditFlow>

/** A draft may be half drawn, but what is in it can be read: its paths and requests above all. */
export const SaveDraft = FlowDraft.superRefine(({ trigger, steps }, check) => {
  for (const [id, step] of Object.entries(steps)) {
    if (step.kind !== 'http_request') continue
    for (const { field, code, message } of callStepFaults(step)) {
      check.addIssue({
        code: 'custom',
        path: ['steps', id, ...placesOf(field)],
        params: { code },
        message,
      })
    }
  }
  if (trigger.kind !== 'webhook') return
  const path = (text: string | null, ...at: (string | number)[]) => {
    const read = text === null ? null : readPathExpression(text)
    if (read?.ok !== false) return
    check.addIssue({
      code: 'custom',
      path: ['trigger', ...at],
      params: { code: `path_${read.reason}` },
      message: PATH_REFUSED[read.reason],
    })
  }
  path(trigger.phonePath, 'phonePath')
  path(trigger.namePath, 'namePath')
  path(trigger.languagePath, 'languagePath')
  for (const [index, kept] of trigger.keep.entries()) {
    path(kept.path, 'keep', index, 'path')
    if (trigger.keep.findIndex((other) => other.name === kept.name) === index) continue
    check.addIssue({
      code: 'custom',
      path: ['trigger', 'keep', index, 'name'],
      params: { code: 'taken' },
      message: `is the name of an earlier value already`,
    })
  }
})
/** `request.headers[0].name` as the places of a form. */
function placesOf(field: string): (string | number)[] {
  return field.split(/[.[\]]+/).map((place) => (/^\d+$/.test(place) ? Number(place) : place))
}
export type SaveDraft = z.output<typeof SaveDraft>

/** `beyond_plan`: published and on, but the plan has fewer flows; its hook answers `flow_off`. */
export type FlowState = 'draft' | 'on' | 'off' | 'beyond_plan'

export type FlowView = {
  id: string
  name: string
  isOn: boolean
  state: FlowState
  /** Of the published version, else of the draft. */
  triggerKind: TriggerKind | null
  channelId: string | null
  publishedNumber: number | null
  publishedAt: string | null
  hasDraft: boolean
  hookUrl: { id: string; tokenLastFour: string } | null
  createdAt: string
  updatedAt: string
}

export type FlowVersionView = {
  id: string
  number: number
  publishedAt: string | null
  createdAt: string
  definition: FlowDraft
}

export type FlowDetail = FlowView & {
  published: FlowVersionView | null
  draft: FlowVersionView | null
}

export type PublishProblem = {
  /** Null when it is not about one step. */
  stepId: string | null
  rule: PublishRule
  /** For people. */
  message: string
  /** The flow can be published all the same. */
  isWarning: boolean
}

export type DraftCheck = { canBePublished: boolean; problems: PublishProblem[] }

export type PublishedFlow = { flow: FlowDetail; warnings: PublishProblem[] }

/** Sample values for a test of one call; a variable that is not named is empty. */
export const TestStep = z.strictObject({
  vars: z
    .record(variableName, z.string().max(RUN_LIMITS.variableChars).nullable())
    .refine((vars) => Object.keys(vars).length <= RUN_LIMITS.variables, {
      message: `must have at most ${RUN_LIMITS.variables} variables`,
    })
    .default({}),
})
export type TestStep = z.output<typeof TestStep>

/** What a test of one call came to. The credential is nowhere in it. */
export type TestedCall = {
  outcome: 'success' | 'failed'
  /** False: nothing was sent. */
  isMade: boolean
  httpStatus: number | null
  failure: CallFailure | null
  /** For people. */
  detail: string | null
  /** Without the credential; null when the request could not be filled in. */
  sent: {
    method: string
    url: string
    headers: { name: string; value: string }[]
    body: string | null
  } | null
  /** As text, cut short. */
  answer: string | null
  /** What the step's kept values would be. */
  kept: Record<string, string | null>
  durationMs: number
}
