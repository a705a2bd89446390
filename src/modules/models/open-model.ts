/** Opens a model with its settings: the protocol adapters over this service's HTTP client. */
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

/** The address and settings of a model. */
export type ModelSetUp = {
  kind: ModelKind
  modelName: string
  /** The base URL without a trailing slash. Null for the provider's default. */
  baseUrl: string | null
  /** Null when the server requires no key. */
  key: string | null
  /** The model that transcribes recordings; absent where the server does not. */
  transcriptionModel?: string | null
  /** True when photos are sent to it. */
  readsImages?: boolean
  /** Permission to reason before it answers; without it, `thinkingSwitch` stops the reasoning. */
  thinking?: Thinking
  /** The form of the switch. Null when none is sent. */
  thinkingSwitch?: ThinkingSwitch | null
}

/** Default base URLs of the providers. */
const OWN_BASE_URL: Record<ModelKind, string> = {
  openai: 'https://api.openai.com/v1',
  openai_compatible: '',
  anthropic: 'https://api.anthropic.com/v1',
}

/** Returns the host that receives customers' messages, with a port that is not the default one. */
export function hostOfModel({ kind, baseUrl }: Pick<ModelSetUp, 'kind' | 'baseUrl'>): string {
  return URL.parse(baseUrl ?? OWN_BASE_URL[kind])?.host ?? ''
}

/** Creates the client of one language model from its settings. */
export function openModel(setUp: ModelSetUp, client: ModelHttpClient): Model {
  return {
    async call(request, signal) {
      let refused: Extract<ModelHttpResponse, { ok: false }> | null = null
      const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
        const answer = await client.post({
          url: String(url),
          headers: init?.headers as Record<string, string>,
          body: bodyWithout(setUp, init?.body as string),
          signal,
        })
        if (answer.ok) return new Response(bodyFor(setUp.kind, answer.body), JSON_ANSWER)
        refused = answer
        throw new Error('no answer')
      }
      try {
        const result = await adapterOf(setUp, fetch).doGenerate(toCallOptions(request))
        return readResult(result, request)
      } catch {
        // The adapter's error contains the whole prompt and the server's text, so it is dropped.
        return refused ?? UNREADABLE
      }
    },
    hear: openTranscriber(setUp, client),
  }
}

/** Request fields that stop models from reasoning: Ollama; DeepSeek; vLLM, llama.cpp and SGLang. */
const NO_REASONING: Record<ThinkingSwitch, object> = {
  reasoning_effort: { reasoning_effort: 'none' },
  thinking_type: { thinking: { type: 'disabled' } },
  enable_thinking: { chat_template_kwargs: { enable_thinking: false } },
}

/** Returns the body of a request, with the switch that stops reasoning where its server has one. */
function bodyWithout({ thinking, thinkingSwitch }: ModelSetUp, body: string): string {
  if (thinking === 'on' || !thinkingSwitch) return body
  return JSON.stringify({ ...(JSON.parse(body) as object), ...NO_REASONING[thinkingSwitch] })
}

/**
 * Returns the body of an answer as its adapter reads it. The adapter for OpenAI does not support content in parts,
 * which other servers of that protocol send: their text is joined, and parts of reasoning are left out.
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

function openTranscriber(
  { kind, baseUrl, key, transcriptionModel }: ModelSetUp,
  client: ModelHttpClient,
) {
  if (!transcriptionModel || kind === 'anthropic') return null
  const server = { url: baseUrl ?? OWN_BASE_URL[kind], key, modelName: transcriptionModel }
  return transcribeBy(server, client)
}

const JSON_ANSWER = { status: 200, headers: { 'content-type': 'application/json' } }
const UNREADABLE: Answer = {
  ok: false,
  failure: 'answer_unreadable',
  status: 200,
  retryAfterMs: null,
}

type Fetch = NonNullable<NonNullable<Parameters<typeof createOpenAI>[0]>['fetch']>

/**
 * Returns the adapter of the protocol. Base URL and key are always given, because an adapter would otherwise take
 * them from the environment.
 */
function adapterOf(
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
