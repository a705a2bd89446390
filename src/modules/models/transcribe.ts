import { MODEL_LIMITS } from '../../core/limits/models.ts'
import { countInFlight } from './count-in-flight.ts'
import { candidatesOf } from './candidates.ts'
import { readCandidates } from './candidates.sql.ts'
import { noUse, recordUsage, warnOfUsage, type Use } from './record-usage.ts'
import type { ModelDeps } from './model-access.ts'
import type { ModelFailure, Recording } from './model.ts'

/** The result of transcribing a voice note. */
export type Transcribed = {
  /** The text. Null when nothing was heard; `failure` is the reason. */
  text: string | null
  failure: ModelFailure | null
  /** The name of the model that transcribed it. */
  model: string | null
}

type VoiceNote = { accountId: string; recording: Recording; signal: AbortSignal }

/**
 * Transcribes a voice note by the first of the account's models whose server does that. Each is called once, and
 * counted. Does not throw for errors of a server. Spec: Assistant › Media.
 */
export async function transcribe(deps: ModelDeps, note: VoiceNote): Promise<Transcribed> {
  const { accountId, recording } = note
  const tokens = Math.ceil(recording.bytes.byteLength / MODEL_LIMITS.recordingBytesAToken)
  return countInFlight(deps.models, { accountId, tokens }, (tokensInFlight) =>
    transcribeWithinAllowance(deps, note, tokensInFlight),
  )
}

async function transcribeWithinAllowance(
  deps: ModelDeps,
  { accountId, recording, signal }: VoiceNote,
  tokensInFlight: number,
): Promise<Transcribed> {
  const { db, clock, models } = deps
  const day = clock.now().toISOString().slice(0, 10)
  const known = await readCandidates(db.kysely, { accountId, day })
  const allowance = Math.min(known.tokensPerDay ?? Infinity, models.tokensPerDay)
  const use = noUse()
  if (known.usedTokens + tokensInFlight >= allowance) {
    const usedBefore = known.usedTokens
    await warnOfUsage(deps, { accountId, day, purpose: 'customer', use, usedBefore, allowance })
    return unheard('allowance_used_up')
  }
  let failure: ModelFailure = 'no_model'
  try {
    for await (const { id, name, model } of candidatesOf(deps, accountId, known)) {
      if (!model.hear) continue
      // Transcription has a separate circuit, because its failures say nothing about answers.
      const circuitKey = `${id} hears`
      if (!models.circuit.allowsRequest(circuitKey, clock.now())) {
        failure = 'circuit_open'
        continue
      }
      use.requests += 1
      const heard = await model.hear(recording, signal)
      models.circuit.settle(
        circuitKey,
        heard.ok ? 'answered' : outcomeOf(heard.failure),
        clock.now(),
      )
      if (heard.ok) {
        countTranscription(use, heard)
        return { text: heard.text, failure: null, model: name }
      }
      failure = heard.failure
      if (signal.aborted) break
    }
    return unheard(failure)
  } finally {
    if (use.requests > 0) {
      const usedBefore = known.usedTokens
      const used = { accountId, day, purpose: 'customer', use, usedBefore, allowance } as const
      await recordUsage(deps, used, signal)
    }
  }
}

/** Adds the tokens of a transcription; estimates them from the text where the server reports no tokens. */
function countTranscription(
  use: Use,
  { text, tokensIn, tokensOut }: { text: string; tokensIn: number; tokensOut: number },
): void {
  const isReported = tokensIn > 0 && tokensOut > 0
  const estimated = Math.ceil(Buffer.byteLength(text) / MODEL_LIMITS.bytesAToken)
  use.tokensIn += tokensIn || estimated
  use.tokensOut += tokensOut || estimated
  use.estimated += isReported ? 0 : 1
}

/** Failures that result from the recording and not from the server. */
const OF_THE_RECORDING: readonly ModelFailure[] = ['bad_request', 'answer_empty', 'cancelled']

const outcomeOf = (failure: ModelFailure) =>
  OF_THE_RECORDING.includes(failure) ? null : ('failed' as const)

function unheard(failure: ModelFailure): Transcribed {
  return { text: null, failure, model: null }
}
