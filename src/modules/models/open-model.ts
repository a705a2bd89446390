/** A model as it was set up, to be asked: the adapters of the wires over our own door. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { z } from 'zod'
import type { ModelKind, Thinking, ThinkingSwitch } from '../../core/vocabulary/models.ts'
import { transcribeBy } from './transcription-client.ts'
import type { Answer, Model } from './model.ts'
import type { ModelHttpResponse, ModelHttpClient } from './model-http-client.ts'
import { readResult } from './read-result.ts'
import { toCallOptions } from './to-prompt.ts'

/** Where a model is and how it is asked for. */
export type ModelSetUp = {
  kind: ModelKind
  modelName: string
  /** Without a slash at its end; null: the provider's own. */
  baseUrl: string | null
  /** Null: none is asked for. */
  key: string | null
  /** By which its server transcribes; none: it does not. */
  transcriptionModel?: string | null
  /** It is shown photos. */
  readsImages?: boolean
  /** It may reason before it answers; else its server is told not to, by `thinkingSwitch`. */
  thinking?: Thinking
  /** Null: nothing is said of it. */
  thinkingSwitch?: ThinkingSwitch | null
}

/** Of providers that have one of their own. */
const OWN_BASE_URL: Record<ModelKind, string> = {
  openai: 'https://api.openai.com/v1',
  openai_compatible: '',
  anthropic: 'https://api.anthropic.com/v1',
}

/** Who gets what customers write: the host of a model's server, with a port that is not the usual one. */
export function hostOfModel({ kind, baseUrl }: Pick<ModelSetUp, 'kind' | 'baseUrl'>): string {
  return URL.parse(baseUrl ?? OWN_BASE_URL[kind])?.host ?? ''
}

export function openModel(setUp: ModelSetUp, door: ModelHttpClient): Model {
  return {
    async ask(ask, signal) {
      let refused: Extract<ModelHttpResponse, { ok: false }> | null = null
      const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
        const answer = await door.post({
          url: String(_url),
          headers: init?.headers as Record<string, string>,
          body: bodyWithout(setUp, init?.body as string),
          signal,
        })
        if (answer.ok) return new Response(bodyFor(setUp.kind, answer.body), JSON_ANSWER)
        refused = answer
        throw new Error('no answer')
      }
      try {
        const result = await wireOf(setUp, fetch).doGenerate(toCallOptions(ask))
        return readResult(result, ask)
      } catch {
        // The adapter's error holds the whole prompt, and what the server wrote: nobody is given it.
        return refused ?? UNREADABLE
      }
    },
    hear: openEar(setUp, door),
  }
}

/** How servers are told to answer without reasoning: Ollama; DeepSeek; vLLM, llama.cpp and SGLang. */
const NO_REASONING: Record<ThinkingSwitch, object> = {
  reasoning_effort: { reasoning_effort: 'none' },
  thinking_type: { thinking: { type: 'disabled' } },
  enable_thinking: { chat_template_kwargs: { enable_thinking: false } },
}

/** Returns the body of a request, told not to reason where its server knows how. */
function bodyWithout({ thinking, thinkingSwitch }: ModelSetUp, body: string): string {
  if (thinking === 'on' || !thinkingSwitch) return body
  return JSON.stringify({ ...(JSON.parse(body) as object), ...NO_REASONING[thinkingSwitch] })
}

/**
 * Returns the body of an answer as its adapter reads it. The one for OpenAI knows no content in parts, which other
 * servers of that protocol send: their text is joined, and parts of reasoning are left out.
 */
function bodyFor(kind: ModelKind, body: Buffer): string {
  const text = body.toString('utf8')
  if (kind !== 'openai' || !/"content"\s*:\s*\[/.test(text)) return text
  const answer = CompletionInParts.safeParse(JSON.parse(text))
  if (!answer.success) return text
  for (const { message } of answer.data.choices) {
    if (!Array.isArray(message.content)) continue
    message.content = message.content
      .map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : ''))
      .join('')
  }
  return JSON.stringify(answer.data)
}

const ContentPart = z.looseObject({ type: z.string(), text: z.unknown().optional() })
const CompletionInParts = z.looseObject({
  choices: z.array(
    z.looseObject({
      message: z.looseObject({ content: z.union([z.string(), z.array(ContentPart)]).nullish() }),
    }),
  ),
})

function openEar({ kind, baseUrl, key, transcriptionModel }: ModelSetUp, door: ModelHttpClient) {
  if (!transcriptionModel || kind === 'anthropic') return null
  const server = { url: baseUrl ?? OWN_BASE_URL[kind], key, modelName: transcriptionModel }
  return transcribeBy(server, door)
}

const JSON_ANSWER = { status: 200, headers: { 'content-type': 'application/json' } }
const UNREADABLE: Answer = {
  ok: false,
  failure: 'answer_unreadable',
  status: 200,
  retryAfterMs: null,
}

type Fetch = NonNullable<NonNullable<Parameters<typeof createOpenAI>[0]>['fetch']>

/** Base URL and key are always said: an adapter would else take them from the environment. */
function wireOf(
  { kind, modelName, baseUrl, key }: ModelSetUp,
  send: (url: unknown, init?: RequestInit) => Promise<Response>,
): LanguageModelV4 {
  const baseURL = baseUrl ?? OWN_BASE_URL[kind]
  const fetch = send as Fetch
  switch (kind) {
    case 'openai':
      return createOpenAI({ baseURL, apiKey: key ?? '', fetch }).chat(modelName)
    case 'anthropic':
      return createAnthropic({ baseURL, apiKey: key ?? '', fetch })(modelName)
    case 'openai_compatible':
      return createOpenAICompatible({
        name: 'model',
        baseURL,
        ...(key !== null && { apiKey: key }),
        fetch,
      }).chatModel(modelName)
  }
}
