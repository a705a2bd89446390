/** What the assistant asks a language model, and what comes back, whoever's server it is. */
import type { Carried } from './carried-forms.ts'

/** A piece of the instructions; pieces that do not change come first, so that providers may keep them. */
export type Part = { text: string }

/** A photo of the customer, for the models that read images. */
export type ShownImage = {
  /** `image/png`, `image/jpeg` or `image/webp`. */
  mediaType: string
  bytes: Buffer
  /** ChatMessage beside it in place of the message's text, which is for who sees nothing. */
  text: string
}

/** A piece of the talk, oldest first. */
export type ChatMessage =
  | { by: 'customer'; text: string; image?: ShownImage }
  | {
      by: 'assistant'
      text: string
      calls: readonly ToolCall[]
      /** The step of this reply that it is of. */
      step?: string
      /** Given back to the model that said it, and to no other. */
      carried?: Carried
    }
  | { by: 'tool'; callId: string; name: string; text: string }

/** `input` is the JSON text as the model wrote it, which may be none. */
export type ToolCall = { id: string; name: string; input: string }

/** A tool as a model is given it; `parameters` is a JSON schema. */
export type OfferedTool = {
  name: string
  description: string
  parameters: {
    type: 'object'
    properties: Record<string, object>
    required: string[]
    additionalProperties: false
  }
}

export type ModelRequest = {
  instructions: readonly Part[]
  messages: readonly ChatMessage[]
  tools: readonly OfferedTool[]
  toolChoice: 'auto' | 'none'
  maxOutputTokens: number
}

/** How much was reasoned: in UTF-16 units, as far as it was shown, and in tokens, where the server counts them. */
export type Thought = {
  chars: number
  tokens: number | null
  /** It stood in the text, and not in a field of its own. */
  isInText: boolean
}

/** `isEstimated`: the answer told none. */
export type Usage = { tokensIn: number; tokensOut: number; isEstimated: boolean }

/** Why a model gave no answer. */
export const MODEL_FAILURES = [
  'timeout',
  'unreachable',
  'address_refused',
  'rate_limited',
  'server_error',
  'unauthorized',
  'not_found',
  'context_too_long',
  'bad_request',
  'redirect_refused',
  'answer_too_large',
  'answer_unreadable',
  'answer_empty',
  /** Nothing but reasoning came. */
  'answer_only_reasoned',
  /** It used tools where it was asked for words alone. */
  'called_unasked',
  'filtered',
  /** The asker's signal ended it. */
  'cancelled',
  /** Not asked for a while, because it failed again and again. */
  'circuit_open',
  /** The account has none that could be asked. */
  'no_model',
  /** The account's tokens of the day. */
  'allowance_used_up',
] as const
export type ModelFailure = (typeof MODEL_FAILURES)[number]

export type Answer =
  | {
      ok: true
      text: string
      calls: readonly ToolCall[]
      finish: 'stop' | 'tools' | 'length'
      usage: Usage
      /** What the model reasoned before it answered; null: nothing that its server shows. The words are not kept. */
      thought: Thought | null
      /** What its server wants back with what the calls were told. */
      carried: Carried | null
    }
  /** Nothing of a body, a prompt or a key is in it. */
  | { ok: false; failure: ModelFailure; status: number | null; retryAfterMs: number | null }

/** A voice note as its customer sent it. `mediaType`: of its bytes, such as `audio/ogg`. */
export type Recording = { bytes: Buffer; mediaType: string }

/** What was heard in a recording. `tokensIn` and `tokensOut` are 0 where the server tells none. */
export type Transcription =
  | { ok: true; text: string; tokensIn: number; tokensOut: number }
  | Extract<Answer, { ok: false }>

/** One language model. Never throws for what the model's server does. */
export type Model = {
  ask(ask: ModelRequest, signal: AbortSignal): Promise<Answer>
  /** Null of one whose server transcribes nothing. */
  hear: ((recording: Recording, signal: AbortSignal) => Promise<Transcription>) | null
}
