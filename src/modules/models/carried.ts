/**
 * Opaque data that a model's server requires back while a reply uses tools: DeepSeek its reasoning, Gemini the
 * signature of each call. It is sent to the same model within the same reply only.
 *
 * Spec: Assistant › Markup of models.
 */
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { z } from 'zod'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import type { ModelRequest, ToolCall } from './model.ts'
import { CarriedBySteps, Metadata, type Carried, type OwnedCarried } from './carried-forms.ts'

/**
 * Returns the opaque data of an answer that its server requires back with the results of its calls. Returns null when
 * there is none, or more than the limit.
 */
export function carriedOf(
  { content, response }: LanguageModelV4GenerateResult,
  calls: readonly ToolCall[],
): Carried | null {
  if (calls.length === 0) return null
  const reasoning = WantsReasoning.safeParse(response?.body).success
    ? content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
    : ''
  const made = content.filter((part) => part.type === 'tool-call')
  const ofCalls = calls.flatMap(({ id }, index) => {
    const metadata = Metadata.safeParse(made[index]?.providerMetadata)
    return metadata.success ? [[id, metadata.data] as const] : []
  })
  if (reasoning === '' && ofCalls.length === 0) return null
  const carried = { reasoning, calls: Object.fromEntries(ofCalls) }
  return isTooLarge(carried) ? null : carried
}

/** Servers that use this field require it back; servers that use another one do not. */
const WantsReasoning = z.looseObject({
  choices: z.tuple(
    [z.looseObject({ message: z.looseObject({ reasoning_content: z.string() }) })],
    z.unknown(),
  ),
})

const isTooLarge = (value: object): boolean =>
  Buffer.byteLength(JSON.stringify(value)) > MODEL_LIMITS.carriedBytes

/** Adds the opaque data of another answer to the stored data, unless the total would exceed the limit. */
export function addCarried(
  kept: CarriedBySteps,
  step: string,
  carried: OwnedCarried | null,
): CarriedBySteps {
  if (carried === null) return kept
  const all = { ...kept, [step]: carried }
  return isTooLarge(all) ? kept : all
}

/** Serializes the data that models require back. */
export const writeCarried = (kept: CarriedBySteps): string => JSON.stringify(kept)
/** Parses the serialized data that models require back. */
export const readCarried = (text: string): CarriedBySteps => CarriedBySteps.parse(JSON.parse(text))

/** Returns a request with the stored data that this model requires back. */
export function withCarried(
  request: ModelRequest,
  kept: CarriedBySteps,
  model: string,
): ModelRequest {
  const messages = request.messages.map((said) => {
    if (said.by !== 'assistant' || said.step === undefined || said.calls.length === 0) return said
    const carried = kept[said.step]
    return carried?.model === model ? { ...said, carried } : said
  })
  return { ...request, messages }
}

/** Returns whether a message of the request carries data that its model requires back. */
export function hasCarried({ messages }: ModelRequest): boolean {
  return messages.some((said) => said.by === 'assistant' && said.carried !== undefined)
}
