/** A model as it was set up, to be asked: the adapters of the wires over our own door. */
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { ModelKind } from '../vocabulary/models.ts'
import { hearBy } from './hear-by.ts'
import type { Answer, Model } from './model.ts'
import type { DoorAnswer, ModelDoor } from './model-door.ts'
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

export function openModel(setUp: ModelSetUp, door: ModelDoor): Model {
  return {
    async ask(ask, signal) {
      let refused: Extract<DoorAnswer, { ok: false }> | null = null
      const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
        const answer = await door.post({
          url: String(_url),
          headers: init?.headers as Record<string, string>,
          body: init?.body as string,
          signal,
        })
        if (answer.ok) return new Response(answer.body.toString('utf8'), JSON_ANSWER)
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

function openEar({ kind, baseUrl, key, transcriptionModel }: ModelSetUp, door: ModelDoor) {
  if (!transcriptionModel || kind === 'anthropic') return null
  const server = { url: baseUrl ?? OWN_BASE_URL[kind], key, modelName: transcriptionModel }
  return hearBy(server, door)
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
