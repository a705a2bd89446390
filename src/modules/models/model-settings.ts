/** The operator's language model, from the environment. */
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { MODEL_KINDS } from '../../core/vocabulary/models.ts'
import type { ModelSetUp } from './open-model.ts'

/** The operator's settings of language models. */
export type ModelSettings = {
  /** The operator's model. Null while accounts have only the models that they set up themselves. */
  model: ModelSetUp | null
  /** Maximum tokens of an account per day (UTC). */
  tokensPerDay: number
}

type Name =
  | 'MODEL_KIND'
  | 'MODEL_BASE_URL'
  | 'MODEL_API_KEY'
  | 'MODEL_NAME'
  | 'MODEL_TRANSCRIPTION_NAME'
  | 'MODEL_READS_IMAGES'
  | 'MODEL_TOKENS_PER_DAY'

/** The functions of `config.ts` that read a setting and report an invalid one. */
type Reading = {
  text(name: Name): string | null
  integer(name: Name, fallback: number, min: number, max: number): number
  wrong(name: Name, rule: string): void
}

const MIN_TOKENS = 1_000
const MAX_TOKENS = 2_000_000_000

/**
 * Reads the settings of the operator's own language model from the environment. Any address is allowed, also `http` on
 * this machine. The kind is `openai_compatible` where a base URL is given, else `openai`. No message repeats the key.
 */
export function readModelSettings(reading: Reading): ModelSettings {
  const tokensPerDay = reading.integer(
    'MODEL_TOKENS_PER_DAY',
    MODEL_LIMITS.tokensPerDay,
    MIN_TOKENS,
    MAX_TOKENS,
  )
  return { model: readModel(reading), tokensPerDay }
}

function readModel({ text, wrong }: Reading): ModelSetUp | null {
  const [baseUrl, key, modelName] = [
    text('MODEL_BASE_URL')?.replace(/\/+$/, '') ?? null,
    text('MODEL_API_KEY'),
    text('MODEL_NAME'),
  ]
  const kindText = text('MODEL_KIND')
  const transcriptionModel = text('MODEL_TRANSCRIPTION_NAME')
  const images = text('MODEL_READS_IMAGES')
  const given = [baseUrl, key, modelName, kindText, transcriptionModel, images]
  if (given.every((value) => value === null)) return null
  const kind = MODEL_KINDS.find((one) => one === kindText)
  const meant = kind ?? (baseUrl === null ? 'openai' : 'openai_compatible')
  if (kindText !== null && kind === undefined) {
    wrong('MODEL_KIND', `must be one of ${MODEL_KINDS.join(', ')}, not "${kindText}"`)
  }
  if (modelName === null) wrong('MODEL_NAME', 'is needed too: the name of the model to be asked')
  else if (modelName.length > MODEL_LIMITS.modelNameChars) {
    wrong('MODEL_NAME', `must have ${MODEL_LIMITS.modelNameChars} characters or fewer`)
  }
  if (transcriptionModel !== null && meant === 'anthropic') {
    wrong('MODEL_TRANSCRIPTION_NAME', 'must be left out: models of this kind transcribe nothing')
  }
  if (images !== null && !['true', 'false'].includes(images)) {
    wrong('MODEL_READS_IMAGES', `must be true or false, not "${images}"`)
  }
  if (baseUrl !== null) validateBaseUrl(baseUrl, wrong)
  else if (meant === 'openai_compatible') {
    wrong('MODEL_BASE_URL', 'is needed too: a model of this kind has none of its own')
  }
  if (key === null && meant !== 'openai_compatible') {
    wrong('MODEL_API_KEY', `is needed too: the kind ${meant} asks for a key`)
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (key !== null && !/^[\u0021-\u007e]+$/.test(key)) {
    wrong('MODEL_API_KEY', 'must be letters, digits and signs of ASCII, without spaces')
  }
  return {
    kind: meant,
    modelName: modelName ?? '',
    baseUrl,
    key,
    transcriptionModel,
    readsImages: images === 'true',
  }
}

function validateBaseUrl(baseUrl: string, wrong: Reading['wrong']): void {
  const url = URL.parse(baseUrl)
  const isPlain = url !== null && /^https?:$/.test(url.protocol) && !url.search && !url.hash
  if (isPlain && !url.username && !url.password) return
  wrong(
    'MODEL_BASE_URL',
    'must be an http:// or https:// address without a password and a query, most end in /v1',
  )
}
