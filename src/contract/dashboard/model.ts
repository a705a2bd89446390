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
import { factIssue } from '../../schemas/broken-rule.ts'
import { formText } from '../../schemas/form-text.ts'
import type { LocalizedFact } from './localized-fact.ts'
import { uuidInput } from '../../schemas/uuid-input.ts'
import type { Route } from './route.ts'

const MAX_KEY_CHARS = MODEL_LIMITS.keyChars

/** The key is sent unchanged in a header, so it is ASCII without spaces. */
const key = z
  .string()
  .transform((text) => text.trim())
  .superRefine((text, check) => {
    if (text === '') check.addIssue(factIssue(fact('missing')))
    else if (!/^[\u0021-\u007e]+$/.test(text)) check.addIssue(factIssue(fact('not_ascii')))
    if (countCodePoints(text) > MAX_KEY_CHARS) {
      check.addIssue(factIssue(fact('secret_too_long', { max: MAX_KEY_CHARS })))
    }
  })
const modelName = formText(1, MODEL_LIMITS.modelNameChars)
/** The rules are those of a connection's base URL; the module reads it and resolves its host. */
const baseUrl = z.string().max(MODEL_LIMITS.baseUrlChars * 4)
const contextTokens = z
  .number()
  .int()
  .min(MODEL_LIMITS.minContextTokens)
  .max(MODEL_LIMITS.maxContextTokens)

/** The model with which its server transcribes voice notes. */
const transcriptionModel = formText(1, MODEL_LIMITS.modelNameChars).nullable()

/**
 * A model to create. With null as `baseUrl`, it is the provider's. With null as `key`, the server requires none. With
 * null as `transcriptionModel`, it gets no voice notes.
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

/** The fields to change. `revision` guards against overwriting another member's change. */
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
export const OrderModels = z.strictObject({ ids: z.array(uuidInput).max(MODEL_LIMITS.perAccount) })
export type OrderModels = z.output<typeof OrderModels>

/** The daily tokens of an account; null means the operator's number. */
export const SetModelAllowance = z.strictObject({
  tokensPerDay: z.number().int().min(1).max(MODEL_LIMITS.maxTokensPerDay).nullable(),
})
export type SetModelAllowance = z.output<typeof SetModelAllowance>

export type ModelView = {
  id: string
  /** The order of the models, from 1. Later models are called only if the earlier ones fail. */
  position: number
  kind: ModelKind
  modelName: string
  baseUrl: string | null
  /** The host that receives the customers' messages. */
  host: string
  hasKey: boolean
  /** The end of the key; null when it is short, or none. */
  lastFour: string | null
  contextTokens: number
  transcriptionModel: string | null
  /** The model receives photos, if the company allows it. */
  readsImages: boolean
  /** The model's permission to reason before it answers. */
  thinking: Thinking
  /** The model reasons although that is switched off, so it is slower and costs more. */
  reasonsAnyway: boolean
  isOn: boolean
  /** The reason why the model is not called until a member fixes its settings. */
  broken: LocalizedFact | null
  revision: number
  createdAt: string
  updatedAt: string
}

export type ModelsView = {
  items: ModelView[]
  max: number
  /** The operator's model, which answers for accounts without a model. */
  operator: { name: string; isScripted: boolean } | null
  allowance: {
    tokensPerDay: number
    /** The operator's number. */
    maxTokensPerDay: number
    usedToday: number
  }
}

/** The result of the test question. */
export type TestedModel = { isFit: boolean; why: LocalizedFact | null; durationMs: number }

/** Usage of models by day, newest first; days without usage are left out. */
export type ModelUsage = {
  days: {
    /** UTC, as 2027-01-31. */
    day: string
    purpose: ModelPurpose
    requests: number
    tokensIn: number
    tokensOut: number
    /** Requests whose answer had no token count. */
    estimated: number
  }[]
}

export interface ModelRoutes {
  '/models': { get: Route<ModelsView>; post: Route<ModelView, { json: typeof CreateModel }> }
  '/models/usage': { get: Route<ModelUsage> }
  '/models/order': { put: Route<ModelsView, { json: typeof OrderModels }> }
  '/models/allowance': { put: Route<ModelsView, { json: typeof SetModelAllowance }> }
  '/models/:modelId': { patch: Route<ModelView, { json: typeof EditModel }>; delete: Route<null> }
  '/models/:modelId/switch-on': { post: Route<ModelView> }
  '/models/:modelId/switch-off': { post: Route<ModelView> }
  '/models/:modelId/test': { post: Route<TestedModel> }
}
