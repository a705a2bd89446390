import type { ModelDeps } from '../models/model-access.ts'
import { transcribe } from '../models/transcribe.ts'
import { REPLY_MEDIA } from '../../core/limits/replies.ts'
import { audioLengthMs } from '../../rules/files/audio-length.ts'
import type { WithMedia } from './load-media.ts'
import type { VoiceNote } from './reply.ts'
import type { TranscribedNote, ReplyEffect } from './reply-context.ts'

type Deps = ModelDeps & { withMedia: WithMedia; stopping: AbortSignal }

/** Transcribes voice notes concurrently, within the deadline. Never throws for errors of servers. */
export async function transcribeNotes(
  deps: Deps,
  companyId: string,
  { accountId, notes, deadline }: Extract<ReplyEffect, { kind: 'hear' }>,
): Promise<TranscribedNote[]> {
  const leftMs = Math.max(0, deadline.getTime() - deps.clock.now().getTime())
  const signal = AbortSignal.any([deps.stopping, AbortSignal.timeout(leftMs)])
  return Promise.all(
    notes.map((note) =>
      deps.withMedia(companyId, [note.file], async ([bytes]) => {
        const heard = await transcribeNote(deps, { accountId, note, bytes: bytes ?? null, signal })
        return { messageId: note.messageId, ...heard }
      }),
    ),
  )
}

async function transcribeNote(
  deps: Deps,
  {
    accountId,
    note,
    bytes,
    signal,
  }: { accountId: string; note: VoiceNote; bytes: Buffer | null; signal: AbortSignal },
): Promise<Omit<TranscribedNote, 'messageId'>> {
  if (bytes === null) return { text: null, failure: 'not_read', model: null }
  const lengthMs = audioLengthMs(bytes)
  if (lengthMs !== null && lengthMs > REPLY_MEDIA.voiceNoteMs) {
    return { text: null, failure: 'too_long', model: null }
  }
  const recording = { bytes, mediaType: note.file.mediaType }
  return transcribe(deps, { accountId, recording, signal })
}
