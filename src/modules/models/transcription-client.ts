/** Has recordings written down by a server that speaks as OpenAI does. */
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { cleanText, cutCodePoints, readJson } from '../../rules/text/json-text.ts'
import type { Transcription, Model, Recording } from './model.ts'
import type { ModelHttpClient } from './model-http-client.ts'

type Server = {
  /** Base URL, without a slash at its end. */
  url: string
  key: string | null
  /** Of the model that transcribes. */
  modelName: string
}

/** Spec: Assistant › Media. */
export function transcribeBy(
  { url, key, modelName }: Server,
  door: ModelHttpClient,
): NonNullable<Model['hear']> {
  return async (recording, signal) => {
    const { type, body } = formOf(modelName, recording)
    const answer = await door.post({
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

/** Servers tell what a recording is by the end of its name. */
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

/** Nothing that a customer sent can end its part of the form. */
function boundaryFor(bytes: Buffer): string {
  let number = 0
  while (bytes.includes(`wasla-${number}-voice`)) number += 1
  return `wasla-${number}-voice`
}

type Told = { text?: unknown; usage?: { input_tokens?: unknown; output_tokens?: unknown } }

function readHeard(body: Buffer): Transcription {
  const read = readJson(body.toString('utf8'), { mustBeContainer: true })
  const told = (read.ok ? read.value : {}) as Told | null
  if (typeof told?.text !== 'string') return failed('answer_unreadable')
  const text = cutCodePoints(cleanText(told.text).trim(), MODEL_LIMITS.transcriptChars)
  if (text === '') return failed('answer_empty')
  return {
    ok: true,
    text,
    tokensIn: count(told.usage?.input_tokens),
    tokensOut: count(told.usage?.output_tokens),
  }
}

/** What a server tells is no number until it is looked at. */
const MOST_TOLD = 1_000_000

const count = (told: unknown): number =>
  Number.isSafeInteger(told) && (told as number) > 0 && (told as number) <= MOST_TOLD
    ? (told as number)
    : 0

function failed(failure: 'answer_unreadable' | 'answer_empty'): Transcription {
  return { ok: false, failure, status: 200, retryAfterMs: null }
}
