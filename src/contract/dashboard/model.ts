import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { countCodePoints } from '../../rules/text/json-text.ts'
import {
  MODEL_KINDS,
  THINKING,
  type ModelKind,
  type ModelPurpose,
  type Thinking,
} from '../../core/vocabulary/models.ts'
import { issueFact } from '../../schemas/broken-rule.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './told.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'

const MOST_KEY = MODEL_LIMITS.keyChars

/** It stands in a header as it is, so it is ASCII without spaces. */
const key = z
  .string()
  .transform((text) => text.trim())
  .superRefine((text, check) => {
    if (text === '') check.addIssue(issueFact(fact('missing')))
    else if (!/^[\u0021-\u007e]+$/.test(text)) check.addIssue(issueFact(fact('not_ascii')))
    if (countCodePoints(text) > MOST_KEY) {
      check.addIssue(issueFact(fact('secret_too_long', { most: MOST_KEY })))
    }
  })
const modelName = formText(1, MODEL_LIMITS.modelNameChars)
/** Its rules are those of a connection's base URL: the room reads it and looks its host up. */
const baseUrl = z.string().max(MODEL_LIMITS.baseUrlChars * 4)
const contextTokens = z
  .number()
  .int()
  .min(MODEL_LIMITS.contextTokensLeast)
  .max(MODEL_LIMITS.contextTokensMost)

/** By which its server transcribes voice notes. */
const transcriptionModel = formText(1, MODEL_LIMITS.modelNameChars).nullable()

/**
 * `baseUrl` null: the provider's own. `key` null: its server asks for none. `transcriptionModel` null: voice
 * notes are not sent to it.
 */
export const CreateModel = z.strictObject({
  kind: z.enum(MODEL_KINDS),
  modelName,
  baseUrl: baseUrl.nullable().default(null),
  key: key.nullable().default(null),
  contextTokens: contextTokens.default(MODEL_LIMITS.contextTokensDefault),
  transcriptionModel: transcriptionModel.default(null),
  readsImages: z.boolean().default(false),
  thinking: z.enum(THINKING).default('off'),
})
export type CreateModel = z.output<typeof CreateModel>

/** Only what is named changes; `revision` as it was seen, so that nobody else's change is overwritten. */
export const EditModel = z.strictObject({
  kind: z.enum(MODEL_KINDS).optional(),
  modelName: modelName.optional(),
  baseUrl: baseUrl.nullable().optional(),
  key: key.nullable().optional(),
  contextTokens: contextTokens.optional(),
  transcriptionModel: transcriptionModel.optional(),
  readsImages: z.boolean().optional(),
  thinking: z.enum(THINKING).optional(),
  revision: z.number().int(),
})
export type EditModel = z.output<typeof EditModel>

/** Every model of the account, once, in the new order. */
export const OrderModels = z.strictObject({
  ids: z.array(uuidInput).max(MODEL_LIMITS.perAccount),
})
export type OrderModels = z.output<typeof OrderModels>

/** Null: the operator's number. */
export const SetModelAllowance = z.strictObject({
  tokensPerDay: z.number().int().min(1).max(MODEL_LIMITS.tokensPerDayMost).nullable(),
})
export type SetModelAllowance = z.output<typeof SetModelAllowance>

export type ModelView = {
  id: string
  /** From 1 on: the first that answers is asked no further. */
  position: number
  kind: ModelKind
  modelName: string
  baseUrl: string | null
  /** Who gets what customers write. */
  host: string
  hasKey: boolean
  /** The end of the key; null when it is short, or none. */
  lastFour: string | null
  contextTokens: number
  transcriptionModel: string | null
  /** It is shown photos, where the company wants it. */
  readsImages: boolean
  /** Whether it may reason before it answers. */
  thinking: Thinking
  /** It reasons although it shall not: slower, and dearer. */
  reasonsAnyway: boolean
  isOn: boolean
  /** Why it is not asked until somebody mends it. */
  broken: LocalizedFact | null
  revision: number
  createdAt: string
  updatedAt: string
}

export type ModelsView = {
  items: ModelView[]
  most: number
  /** The operator's model, which answers for accounts without a model of their own. */
  operator: { name: string; isScripted: boolean } | null
  allowance: {
    tokensPerDay: number
    /** The operator's. */
    mostTokensPerDay: number
    usedToday: number
  }
}

/** What came of the test question. */
export type TestedModel = { isFit: boolean; why: LocalizedFact | null; durationMs: number }

/** Newest day first; days without use are left out. */
export type ModelUsage = {
  days: {
    /** UTC, as 2027-01-31. */
    day: string
    purpose: ModelPurpose
    requests: number
    tokensIn: number
    tokensOut: number
    /** Requests whose answer told no tokens. */
    estimated: number
  }[]
}
