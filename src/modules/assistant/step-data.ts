/**
 * The JSON data of replies and steps. Each kind is written by one function and read by its schema, which has a
 * default for what an earlier version did not write.
 */
import { z } from 'zod'
import { OUTCOME_STATES } from '../../rules/calls/state-outcome.ts'
import { CLAIM_KINDS } from '../../core/vocabulary/statements/kinds.ts'

/** A stored model request: the hashes of the stable parts, and the rest in full. */
const RequestData = z.object({
  parts: z.array(z.string()).default([]),
  changing: z.string().nullable().default(null),
  /** The delimiter; null for requests of an earlier version. */
  mark: z.string().nullable().default(null),
})
/** A parsed model request. */
export type RequestData = z.output<typeof RequestData>

/** A model's answer besides its text. */
const AnswerData = z.object({
  calls: z.array(z.object({ id: z.string(), name: z.string(), input: z.string() })).default([]),
  finish: z.string().default('stop'),
  tried: z.array(z.object({ model: z.string(), failure: z.string().nullable() })).default([]),
  /** Names of the tools that were offered. */
  offered: z.array(z.string()).default([]),
  /** The extent of the model's reasoning, without its text. */
  thought: z
    .object({ chars: z.number(), tokens: z.number().nullable(), isInText: z.boolean() })
    .nullable()
    .default(null),
})
/** The parsed data of an answer. */
export type AnswerData = z.output<typeof AnswerData>

/** The use of a tool besides its text. */
const ToolData = z.object({
  callId: z.string().default(''),
  isDone: z.boolean().default(false),
  /** The tool may have changed something. */
  hasEffect: z.boolean().optional(),
  /** The effects of an action, as its merchant chose. */
  does: z.array(z.enum(CLAIM_KINDS)).readonly().optional(),
  /** The part of the text that any customer may read. */
  mayBeReported: z.string().optional(),
  /** States whether the reply had an effect before this tool. */
  hadEffect: z.boolean().optional(),
  handsOver: z
    .object({
      reason: z.string(),
      reasonText: z.string().nullable(),
      qualifies: z.boolean().optional(),
    })
    .optional(),
  /** A sentence for the customer. */
  says: z.string().optional(),
  proposalId: z.string().optional(),
  /** The statement of an action that needs confirmation, in a dry run. */
  statement: z.string().optional(),
  /** Data of the tool for staff and for other tools. */
  data: z.looseObject({}).optional(),
  /** The customer's answer to a stated proposal. */
  answered: z
    .object({
      kind: z.enum(['agreed', 'withdrawn', 'ask_again', 'none']),
      proposalId: z.string().nullable(),
      tool: z.string().optional(),
      /** The action was called, whatever its outcome; only this field records it. */
      isCalled: z.boolean().optional(),
      /** The outcome, and its subject in the words for the customer. */
      state: z.enum(OUTCOME_STATES).optional(),
      what: z.object({ en: z.string(), ar: z.string() }).nullish(),
    })
    .optional(),
})
/** The parsed data of a tool. */
export type ToolData = z.output<typeof ToolData>

/** An attempt to transcribe voice notes: the failure of each, or null. */
const TranscriptData = z.object({
  heard: z.array(z.object({ messageId: z.string(), failure: z.string().nullable() })).default([]),
})
/** The parsed data of a transcription. */
export type TranscriptData = z.output<typeof TranscriptData>

/** The parts of a reply, and the proposal that the last one states. */
const Parts = z.object({
  texts: z.array(z.string()).default([]),
  buttons: z.array(z.object({ label: z.string(), payload: z.string() })).default([]),
  proposalId: z.string().nullable().default(null),
  /** Numbers of the pieces of knowledge that the text cites. */
  citations: z.array(z.number()).default([]),
})
/** The parsed parts of a reply. */
export type Parts = z.output<typeof Parts>

/** Data of tools that staff sees: search results, and a booked appointment. */
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

/** Serialises a model request. */
export const writeRequestData = (request: RequestData): string => JSON.stringify(request)
/** Serialises a model's answer. */
export const writeAnswerData = (answer: AnswerData): string => JSON.stringify(answer)
/** Serialises the answer data of a request that no model answered: the models tried and the tools offered. */
export const writeFailureData = (
  tried: readonly AnswerData['tried'][number][],
  offered: readonly string[],
): string =>
  writeAnswerData({
    calls: [],
    finish: 'stop',
    tried: [...tried],
    offered: [...offered],
    thought: null,
  })
/** Serialises the data of a tool's use. */
export const writeToolData = (used: ToolData): string => JSON.stringify(used)
/** Serialises the data of a transcription. */
export const writeTranscriptData = (heard: TranscriptData): string => JSON.stringify(heard)
/** Serialises the parts of a reply. */
export const writeParts = (parts: Parts): string => JSON.stringify(parts)

type Kept = { data: string | null }

/** Parses a stored model request. */
export const readRequestData = (input: string | null): RequestData =>
  RequestData.parse(parse(input))
/** Parses a stored answer of a model. */
export const readAnswerData = ({ data }: Kept): AnswerData => AnswerData.parse(parse(data))
/** Parses the stored data of a tool's use. */
export const readToolData = ({ data }: Kept): ToolData => ToolData.parse(parse(data))
/** Parses the stored data of a transcription. */
export const readTranscriptData = ({ data }: Kept): TranscriptData =>
  TranscriptData.parse(parse(data))
/** Parses the stored parts of a reply. */
export const readParts = ({ parts }: { parts: string | null }): Parts => Parts.parse(parse(parts))
/** Returns the part of a tool's data that staff sees: search results, and a booked appointment. */
export const readShownData = ({ data }: ToolData): z.output<typeof ShownData> =>
  ShownData.parse(data ?? {})

const parse = (text: string | null): unknown => JSON.parse(text ?? '{}')
