/** The port of language models: requests and answers, independent of the provider. */
import type { OfferedTool } from '../../rules/assistant/offered-tool.ts'
import type { Carried } from './carried-forms.ts'

/** A part of the instructions; parts that do not change come first, so that providers can cache them. */
export type InstructionPart = { text: string }

/** A photo of the customer, for the models that read images. */
export type ShownImage = {
  /** `image/png`, `image/jpeg` or `image/webp`. */
  mediaType: string
  bytes: Buffer
  /** The text next to the photo, in place of the message's text, which is for models that read no images. */
  text: string
}

/** A message of the conversation, oldest first. */
export type ChatMessage =
  | { by: 'customer'; text: string; image?: ShownImage }
  | {
      by: 'assistant'
      text: string
      calls: readonly ToolCall[]
      /** The step of this reply that the message belongs to. */
      step?: string
      /** Opaque data, which only the model that sent it gets back. */
      carried?: Carried
    }
  | { by: 'tool'; callId: string; name: string; text: string }

/** A call of a tool. `input` is the JSON text as the model wrote it; it may be empty or invalid. */
export type ToolCall = { id: string; name: string; input: string }

/** A request to a model. */
export type ModelRequest = {
  instructions: readonly InstructionPart[]
  messages: readonly ChatMessage[]
  tools: readonly OfferedTool[]
  toolChoice: 'auto' | 'none'
  maxOutputTokens: number
}

/** The amount of reasoning: in UTF-16 units, as far as it was shown, and in tokens, where the server counts them. */
export type Thought = {
  chars: number
  tokens: number | null
  /** True when it was part of the text, and not in a separate field. */
  isInText: boolean
}

/** The tokens of an exchange. `isEstimated` is true when the answer contained no numbers. */
export type Usage = { tokensIn: number; tokensOut: number; isEstimated: boolean }

/** The reasons why a model gave no answer. */
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
  /** The answer contained only reasoning. */
  'answer_only_reasoned',
  /** The model used tools where only text was requested. */
  'called_unasked',
  'filtered',
  /** The caller's signal ended the request. */
  'cancelled',
  /** The model was not called because it failed repeatedly. */
  'circuit_open',
  /** The account has no model that could be called. */
  'no_model',
  /** The account has used up its tokens of the day. */
  'allowance_used_up',
] as const
export type ModelFailure = (typeof MODEL_FAILURES)[number]

/** The answer of a model, or its failure. */
export type Answer =
  | {
      ok: true
      text: string
      calls: readonly ToolCall[]
      finish: 'stop' | 'tools' | 'length'
      usage: Usage
      /** The reasoning before the answer. Null when its server shows none. Its text is not kept. */
      thought: Thought | null
      /** Opaque data that the server requires back with the results of the calls. */
      carried: Carried | null
    }
  /** A failure, without any text of a body, a prompt or a key. */
  | { ok: false; failure: ModelFailure; status: number | null; retryAfterMs: number | null }

/** A voice note as its customer sent it. `mediaType` is that of its bytes, such as `audio/ogg`. */
export type Recording = { bytes: Buffer; mediaType: string }

/** The transcription of a recording. `tokensIn` and `tokensOut` are 0 where the server reports none. */
export type Transcription =
  | { ok: true; text: string; tokensIn: number; tokensOut: number }
  | Extract<Answer, { ok: false }>

/** A language model. It does not throw for errors of the model's server. */
export type Model = {
  call(request: ModelRequest, signal: AbortSignal): Promise<Answer>
  /** Transcribes a recording. Null where the server does not transcribe. */
  hear: ((recording: Recording, signal: AbortSignal) => Promise<Transcription>) | null
}
