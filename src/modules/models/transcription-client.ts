/** Transcribes recordings by a server with OpenAI's protocol. */
import { createHash } from 'node:crypto'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { cleanText, cutCodePoints, readJson } from '../../rules/text/json-text.ts'
import type { Transcription, Model, Recording } from './model.ts'
import type { ModelHttpClient } from './model-http-client.ts'

type Server = {
  /** Base URL, without a slash at its end. */
  url: string
  key: string | null
  /** The name of the model that transcribes. */
  modelName: string
}

/**
 * Creates the function that transcribes recordings by a server with OpenAI's transcription API.
 *
 * Spec: Assistant › Media.
 */
export function transcribeBy(
  { url, key, modelName }: Server,
  client: ModelHttpClient,
): NonNullable<Model['hear']> {
  return async (recording, signal) => {
    const { type, body } = formOf(modelName, recording)
    const answer = await client.post({
      url: `${url}/audio/transcriptions`,
      headers: {
        'content-type': type,
        ...(key !== null && { authorization: `Bearer ${key}` }),
      },
      body,
      signal,
    })
    return answer.ok ? readHeard(answer.body) : answer
  }
}

/** File name extensions by media type: servers derive the type of a recording from its name. */
const NAME_ENDS: Readonly<Record<string, string>> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'video/mp4': 'mp4',
  'audio/wav': 'wav',
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'video/webm': 'webm',
}

function formOf(modelName: string, { bytes, mediaType }: Recording) {
  const boundary = boundaryFor(bytes)
  const fields = { model: modelName, response_format: 'json' }
  const before = Object.entries(fields).map(
    ([name, value]) =>
      `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const file = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="voice.${NAME_ENDS[mediaType] ?? 'bin'}"\r\ncontent-type: ${mediaType}\r\n\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([
      Buffer.from(before.join('') + file),
      bytes,
      Buffer.from(`\r\n--${boundary}--\r\n`),
    ]),
  }
}

/**
 * Returns a form boundary that the bytes cannot contain, because it has their SHA-256. A search for an unused boundary
 * would take quadratic time for a recording that a sender has filled with boundaries.
 */
function boundaryFor(bytes: Buffer): string {
  return `wasla-${createHash('sha256').update(bytes).digest('hex')}`
}

type TranscriptionBody = {
  text?: unknown
  usage?: { input_tokens?: unknown; output_tokens?: unknown }
}

function readHeard(body: Buffer): Transcription {
  const read = readJson(body.toString('utf8'), { mustBeContainer: true })
  const given = (read.ok ? read.value : {}) as TranscriptionBody | null
  if (typeof given?.text !== 'string') return failed('answer_unreadable')
  const text = cutCodePoints(cleanText(given.text).trim(), MODEL_LIMITS.transcriptChars)
  if (text === '') return failed('answer_empty')
  return {
    ok: true,
    text,
    tokensIn: count(given.usage?.input_tokens),
    tokensOut: count(given.usage?.output_tokens),
  }
}

/** Maximum number that is accepted from a server. */
const MAX_COUNT = 1_000_000

const count = (given: unknown): number =>
  Number.isSafeInteger(given) && (given as number) > 0 && (given as number) <= MAX_COUNT
    ? (given as number)
    : 0

function failed(failure: 'answer_unreadable' | 'answer_empty'): Transcription {
  return { ok: false, failure, status: 200, retryAfterMs: null }
}
