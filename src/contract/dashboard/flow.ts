import type { SentRequest } from './connection.ts'
import { z } from 'zod'
import type { Fact } from '../../core/facts/fact.ts'
import { FLOW_LIMITS, RUN_LIMITS } from '../../core/limits/flows.ts'
import type { CallFailure } from '../../core/vocabulary/calls.ts'
import type { FlowState, PublishRule, TriggerKind } from '../../core/vocabulary/flows.ts'
import { FlowDraft } from '../flow-definition.ts'
import { variableName } from '../../schemas/flow-names.ts'
import { limitEntries } from '../../schemas/limit-entries.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import type { Page, PageQuery } from './page.ts'
import type { Route } from './route.ts'

const name = formText(1, FLOW_LIMITS.nameChars)

/** The fields to change. */
export const EditFlow = z.strictObject({ name, isOn: z.boolean() }).partial()
export type EditFlow = z.output<typeof EditFlow>

/** A draft to save. It may be incomplete, because only publishing checks it. */
export const SaveDraft = FlowDraft
export type SaveDraft = z.output<typeof SaveDraft>

/** A flow to create. With a draft it is a copy of another flow or of a file. */
export const CreateFlow = z.strictObject({ name, draft: SaveDraft.optional() })
export type CreateFlow = z.output<typeof CreateFlow>

/** The `updatedAt` of the flow that the member saw, which guards against overwriting another member's change. */
export const SaveDraftQuery = z.object({ seenAt: z.iso.datetime().optional() })
export type SaveDraftQuery = z.output<typeof SaveDraftQuery>

export type FlowView = {
  id: string
  name: string
  isOn: boolean
  state: FlowState
  /** The trigger of the published version, or of the draft if nothing is published. */
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

/** A version or draft of the list, newest first. */
export type ListedVersion = Omit<FlowVersionView, 'definition'> & { isPublishedNow: boolean }

/** Numbers of runs at a step. A run counts once, even if it reaches the step several times. */
export type StepCount = {
  stepId: string
  entered: number
  /** Failures are counted regardless of the exit that followed. */
  failed: number
  /** Number of runs that wait at the step now. */
  waiting: number
}

/**
 * Counts over the runs of the published version, `number`, that began in the last 30 days. The number is null if no
 * version is published.
 */
export type StepCounts = {
  number: number | null
  runs: number
  /** The value is false if only the latest 5,000 runs are counted. */
  areAllCounted: boolean
  /** The counts by step id. A step that no run reached is left out. */
  steps: StepCount[]
}

export type FlowDetail = FlowView & {
  published: FlowVersionView | null
  draft: FlowVersionView | null
}

export type PublishProblem = {
  /** Null when it is not about one step. */
  stepId: string | null
  /** The position in the draft, such as `steps.tell.body[0]`; `.` is the whole flow. */
  field: string
  rule: PublishRule
  /** The flow can be published all the same. */
  isWarning: boolean
} & Fact

/** A problem with its sentence in the reader's language. */
export type LocalizedProblem = PublishProblem & { text: string }

export type DraftCheck = { canBePublished: boolean; problems: LocalizedProblem[] }

export type PublishedFlow = { flow: FlowDetail; warnings: LocalizedProblem[] }

/** Sample values for a test of one call. A variable that is left out is empty. */
export const TestStep = z.strictObject({
  vars: limitEntries(z.record(variableName, z.string().max(RUN_LIMITS.variableChars).nullable()), {
    max: RUN_LIMITS.variables,
    unit: 'variables',
  }).default({}),
})
export type TestStep = z.output<typeof TestStep>

/** The result of a test of one call. A mask replaces the credential everywhere. */
export type TestedCall = {
  outcome: 'success' | 'failed'
  /** The value is false if nothing was sent. */
  isMade: boolean
  httpStatus: number | null
  failure: CallFailure | null
  detail: LocalizedFact | null
  /** Null when the request could not be filled in. */
  sent: SentRequest | null
  /** The answer as text, truncated. */
  answer: string | null
  /** Length of the whole answer. */
  answerChars: number | null
  /** The values that the step would store. */
  kept: Record<string, string | null>
  /** Full lengths of the stored values that are truncated here. */
  keptChars: Record<string, number>
  durationMs: number
}

export interface FlowRoutes {
  '/companies/:companyId/flows': {
    get: Route<Page<FlowView>, { query: typeof PageQuery }>
    post: Route<FlowDetail, { json: typeof CreateFlow }>
  }
  '/companies/:companyId/flows/:flowId': {
    get: Route<FlowDetail>
    patch: Route<FlowDetail, { json: typeof EditFlow }>
    delete: Route<null>
  }
  '/companies/:companyId/flows/:flowId/draft': {
    put: Route<FlowDetail, { query: typeof SaveDraftQuery; json: typeof SaveDraft }>
  }
  '/companies/:companyId/flows/:flowId/versions': {
    get: Route<Page<ListedVersion>, { query: typeof PageQuery }>
  }
  '/companies/:companyId/flows/:flowId/versions/:number': { get: Route<FlowVersionView> }
  '/companies/:companyId/flows/:flowId/steps/counts': { get: Route<StepCounts> }
  '/companies/:companyId/flows/:flowId/draft/check': { get: Route<DraftCheck> }
  '/companies/:companyId/flows/:flowId/publish': { post: Route<PublishedFlow> }
  '/companies/:companyId/flows/:flowId/steps/:stepId/test': {
    post: Route<TestedCall, { json: typeof TestStep }>
  }
}
