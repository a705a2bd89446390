import type { SentRequest } from './connection.ts'
import { z } from 'zod'
import type { Fact } from '../../core/facts/fact.ts'
import { FLOW_LIMITS, RUN_LIMITS } from '../../core/limits/flows.ts'
import type { CallFailure } from '../../core/vocabulary/calls.ts'
import type { FlowState, PublishRule, TriggerKind } from '../../core/vocabulary/flows.ts'
import { FlowDraft } from '../flow-definition.ts'
import { variableName } from '../../schemas/flow-names.ts'
import { fewEntries } from '../../schemas/few-entries.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './told.ts'

const name = formText(1, FLOW_LIMITS.nameChars)

/** Only what is named changes. */
export const EditFlow = z.strictObject({ name, isOn: z.boolean() }).partial()
export type EditFlow = z.output<typeof EditFlow>

/** A draft is saved as it is; only publishing asks whether all of it is there. */
export const SaveDraft = FlowDraft
export type SaveDraft = z.output<typeof SaveDraft>

/** With a draft it begins as a copy of another flow, or of a file. */
export const CreateFlow = z.strictObject({ name, draft: SaveDraft.optional() })
export type CreateFlow = z.output<typeof CreateFlow>

/** With the flow's `updatedAt` as it was seen, nobody else's change is overwritten. */
export const SaveDraftQuery = z.object({ seenAt: z.iso.datetime().optional() })
export type SaveDraftQuery = z.output<typeof SaveDraftQuery>

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

/** One of the list of versions; the newest first, a draft among them. */
export type ListedVersion = Omit<FlowVersionView, 'definition'> & { isPublishedNow: boolean }

/** Runs at a step: each counts once, however often it comes there. */
export type StepCount = {
  stepId: string
  entered: number
  /** Whatever exit they went on by. */
  failed: number
  /** Now. */
  waiting: number
}

/** Of the runs of the published version, `number`, that began in the last 30 days; null: there is none. */
export type StepCounts = {
  number: number | null
  runs: number
  /** False: only the latest 5,000 are. */
  areAllCounted: boolean
  /** By id; a step that no run came to is left out. */
  steps: StepCount[]
}

export type FlowDetail = FlowView & {
  published: FlowVersionView | null
  draft: FlowVersionView | null
}

export type PublishProblem = {
  /** Null when it is not about one step. */
  stepId: string | null
  /** Where it is in the draft, such as `steps.tell.body[0]`; `.` is the flow as a whole. */
  field: string
  rule: PublishRule
  /** The flow can be published all the same. */
  isWarning: boolean
} & Fact

/** The same with its sentence. */
export type ToldProblem = PublishProblem & { text: string }

export type DraftCheck = { canBePublished: boolean; problems: ToldProblem[] }

export type PublishedFlow = { flow: FlowDetail; warnings: ToldProblem[] }

/** Sample values for a test of one call; a variable that is not named is empty. */
export const TestStep = z.strictObject({
  vars: fewEntries(z.record(variableName, z.string().max(RUN_LIMITS.variableChars).nullable()), {
    most: RUN_LIMITS.variables,
    unit: 'variables',
  }).default({}),
})
export type TestStep = z.output<typeof TestStep>

/** What a test of one call came to. The credential is nowhere in it: a mask stands in its place. */
export type TestedCall = {
  outcome: 'success' | 'failed'
  /** False: nothing was sent. */
  isMade: boolean
  httpStatus: number | null
  failure: CallFailure | null
  detail: LocalizedFact | null
  /** Null when the request could not be filled in. */
  sent: SentRequest | null
  /** As text, cut short. */
  answer: string | null
  /** How many characters the whole answer has. */
  answerChars: number | null
  /** What the step's kept values would be. */
  kept: Record<string, string | null>
  /** Of the kept values that are cut short, how many characters they have in the answer. */
  keptChars: Record<string, number>
  durationMs: number
}
