/** The table of docs/reference/limits.md of language models, as the constants of the code have them. */
import * as models from '../../src/limits/models.ts'
import { SECOND_MS } from '../../src/limits/units.ts'
import { watched } from './watched-limits.ts'

const { MODEL_LIMITS, MODEL_WARNING_PERCENTS } = watched(models)

const text = (value: number) => value.toLocaleString('en-US')
const characters = (value: number) => `${text(value)} characters`
const seconds = (ms: number) => `${ms / SECOND_MS} s`
const tokens = (value: number) => `${text(value)} tokens`

/** A table by its title: what each limit is called, and its value in words. */
export const MODEL_TABLES: readonly (readonly [string, Record<string, string>])[] = [
  [
    'Models',
    {
      'Models of an account': text(MODEL_LIMITS.perAccount),
      'Name of a model': characters(MODEL_LIMITS.modelNameChars),
      Key: characters(MODEL_LIMITS.keyChars),
      'Key whose end is shown': `${characters(MODEL_LIMITS.lastFourFromChars)} or more`,
      'Context of a model': `${text(MODEL_LIMITS.contextTokensLeast)} to ${text(MODEL_LIMITS.contextTokensMost)}, ${tokens(MODEL_LIMITS.contextTokensDefault)} unless said`,
      'What is kept of a voice note': characters(MODEL_LIMITS.transcriptChars),
      'Tests of models': `${MODEL_LIMITS.testsPerMinute} a minute`,
      'Time of a request': seconds(MODEL_LIMITS.requestMs),
      'Answer of a model': `${text(MODEL_LIMITS.answerBytes)} bytes`,
      '`Retry-After` that is kept to': `up to ${seconds(MODEL_LIMITS.retryAfterMostMs)}, else ${seconds(MODEL_LIMITS.retryMs)}`,
      'Failures after which a model is left alone': `${MODEL_LIMITS.circuitFailures} in ${seconds(MODEL_LIMITS.circuitWindowMs)}, for ${seconds(MODEL_LIMITS.circuitOpenMs)}`,
      'Use of an account': `${tokens(MODEL_LIMITS.tokensPerDay)} a UTC day, unless the operator says`,
      'Owners are told at': `${MODEL_WARNING_PERCENTS[0]} and ${MODEL_WARNING_PERCENTS[1]} %`,
    },
  ],
]
