/**
 * What a model's server wants back while a reply uses tools: DeepSeek its reasoning, Gemini the signature of each call.
 * It is given to the same model of the same reply alone, and is opaque to all others.
 * Spec: Assistant › Markup of models.
 */
import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider'
import { z } from 'zod'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import type { ModelRequest, ToolCall } from './model.ts'
import { CarriedBySteps, Metadata, type Carried, type OwnedCarried } from './carried-forms.ts'

/** What of an answer its server wants back with what its calls were told; null: nothing, or more than is kept. */
export function carriedOf(
  { content, response }: LanguageModelV4GenerateResult,
  calls: readonly ToolCall[],
): Carried | null {
  if (calls.length === 0) return null
  const reasoning = WantsReasoning.safeParse(response?.body).success
    ? content.map((part) => (part.type === 'reasoning' ? part.text : '')).join('')
    : ''
  const made = content.filter((part) => part.type === 'tool-call')
  const ofCalls = calls.flatMap(({ id }, place) => {
    const metadata = Metadata.safeParse(made[place]?.providerMetadata)
    return metadata.success ? [[id, metadata.data] as const] : []
  })
  if (reasoning === '' && ofCalls.length === 0) return null
  const carried = { reasoning, calls: Object.fromEntries(ofCalls) }
  return isTooLarge(carried) ? null : carried
}

/** Servers that call it so take it back; those that call it otherwise ask for none. */
const WantsReasoning = z.looseObject({
  choices: z.tuple(
    [z.looseObject({ message: z.looseObject({ reasoning_content: z.string() }) })],
    z.unknown(),
  ),
})

const isTooLarge = (value: object): boolean =>
  Buffer.byteLength(JSON.stringify(value)) > MODEL_LIMITS.carriedBytes

/** Adds what one more answer brought, unless all of it were more than is kept. */
export function addCarried(
  kept: CarriedBySteps,
  step: string,
  carried: OwnedCarried | null,
): CarriedBySteps {
  if (carried === null) return kept
  const all = { ...kept, [step]: carried }
  return isTooLarge(all) ? kept : all
}

export const writeCarried = (kept: CarriedBySteps): string => JSON.stringify(kept)
export const readCarried = (text: string): CarriedBySteps => CarriedBySteps.parse(JSON.parse(text))

/** Returns what is asked with what this model is to be given back. */
export function withCarried(ask: ModelRequest, kept: CarriedBySteps, model: string): ModelRequest {
  const messages = ask.messages.map((said) => {
    if (said.by !== 'assistant' || said.step === undefined || said.calls.length === 0) return said
    const carried = kept[said.step]
    return carried?.model === model ? { ...said, carried } : said
  })
  return { ...ask, messages }
}

/** Whether anything is given back in it. */
export function hasCarried({ messages }: ModelRequest): boolean {
  return messages.some((said) => said.by === 'assistant' && said.carried !== undefined)
}
