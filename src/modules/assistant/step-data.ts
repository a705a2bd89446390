/**
 * The JSON that a reply and its steps keep. Each kind is written by one function and read by its schema; what an
 * earlier version did not write has a value of its own there.
 */
import { z } from 'zod'
import { OUTCOME_STATES } from '../../rules/calls/state-outcome.ts'
import { CLAIM_KINDS } from '../../core/vocabulary/statements/kinds.ts'

/** What is kept of what a model was asked: the hashes of the lasting parts, and the rest in words. */
const AskedWith = z.object({
  parts: z.array(z.string()).default([]),
  changing: z.string().nullable().default(null),
  /** Null where an earlier version of the service kept none. */
  mark: z.string().nullable().default(null),
})
export type AskedWith = z.output<typeof AskedWith>

/** What is kept of a model's answer, besides its text. */
const AnswerData = z.object({
  calls: z.array(z.object({ id: z.string(), name: z.string(), input: z.string() })).default([]),
  finish: z.string().default('stop'),
  tried: z.array(z.object({ model: z.string(), failure: z.string().nullable() })).default([]),
  /** Names of the tools that it was offered. */
  offered: z.array(z.string()).default([]),
  /** How much the model reasoned; none of the words. */
  thought: z
    .object({ chars: z.number(), tokens: z.number().nullable(), isInText: z.boolean() })
    .nullable()
    .default(null),
})
export type AnswerData = z.output<typeof AnswerData>

/** What is kept of the use of a tool, besides what it told. */
const ToolData = z.object({
  callId: z.string().default(''),
  isDone: z.boolean().default(false),
  /** It may have changed something. */
  hasEffect: z.boolean().optional(),
  /** What it does, of an action whose merchant has chosen it. */
  does: z.array(z.enum(CLAIM_KINDS)).readonly().optional(),
  /** What of what it told anybody may read. */
  mayBeTold: z.string().optional(),
  /** Before it was begun. */
  hadEffect: z.boolean().optional(),
  handsOver: z
    .object({
      reason: z.string(),
      reasonText: z.string().nullable(),
      qualifies: z.boolean().optional(),
    })
    .optional(),
  /** Said to the customer word for word. */
  says: z.string().optional(),
  proposalId: z.string().optional(),
  /** In a trial, of an action that asks first: what the customer would be told. */
  statement: z.string().optional(),
  /** For staff and for other tools, by the tool that kept it. */
  data: z.looseObject({}).optional(),
  /** What the customer has answered to what was stated to them. */
  answered: z
    .object({
      kind: z.enum(['agreed', 'withdrawn', 'ask_again', 'none']),
      proposalId: z.string().nullable(),
      tool: z.string().optional(),
      /** It was called, whatever came of it: that is known here alone. */
      isCalled: z.boolean().optional(),
      /** What came of it, and what it was, in the words that are told to the customer. */
      state: z.enum(OUTCOME_STATES).optional(),
      what: z.object({ en: z.string(), ar: z.string() }).nullish(),
    })
    .optional(),
})
export type ToolData = z.output<typeof ToolData>

/** What is kept of an attempt to hear voice notes: of each why it failed, null where it was heard. */
const TranscriptData = z.object({
  heard: z.array(z.object({ messageId: z.string(), failure: z.string().nullable() })).default([]),
})
export type TranscriptData = z.output<typeof TranscriptData>

/** What is said, in its parts; the proposal that the last of them states. */
const Parts = z.object({
  texts: z.array(z.string()).default([]),
  buttons: z.array(z.object({ label: z.string(), payload: z.string() })).default([]),
  proposalId: z.string().nullable().default(null),
  /** Numbers of the pieces of knowledge that it rests on. */
  citations: z.array(z.number()).default([]),
})
export type Parts = z.output<typeof Parts>

/** What tools keep for staff: pieces that a search found, an appointment that was booked. */
const ShownData = z.object({
  chunks: z
    .array(
      z.object({
        number: z.number(),
        sourceId: z.string().nullable(),
        title: z.string(),
        heading: z.string().nullable(),
        score: z.number(),
      }),
    )
    .default([]),
  reference: z.string().optional(),
  startsAt: z.string().optional(),
})

export const writeAskedWith = (asked: AskedWith): string => JSON.stringify(asked)
export const answerData = (answer: AnswerData): string => JSON.stringify(answer)
/** Returns the data of a request that no model answered. */
export const failureData = (
  tried: readonly AnswerData['tried'][number][],
  offered: readonly string[],
): string =>
  answerData({ calls: [], finish: 'stop', tried: [...tried], offered: [...offered], thought: null })
export const toolData = (used: ToolData): string => JSON.stringify(used)
export const heardData = (heard: TranscriptData): string => JSON.stringify(heard)
export const writeParts = (parts: Parts): string => JSON.stringify(parts)

type Kept = { data: string | null }

export const readAskedWith = (input: string | null): AskedWith => AskedWith.parse(parse(input))
export const answerOf = ({ data }: Kept): AnswerData => AnswerData.parse(parse(data))
export const toolDataOf = ({ data }: Kept): ToolData => ToolData.parse(parse(data))
export const heardDataOf = ({ data }: Kept): TranscriptData => TranscriptData.parse(parse(data))
export const partsOf = ({ parts }: { parts: string | null }): Parts => Parts.parse(parse(parts))
export const shownDataOf = ({ data }: ToolData): z.output<typeof ShownData> =>
  ShownData.parse(data ?? {})

const parse = (text: string | null): unknown => JSON.parse(text ?? '{}')
