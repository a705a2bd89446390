import type { StepRow } from './reply.ts'
import { writeTranscriptData } from './step-data.ts'
import type { TranscribedNote, ReplyContext } from './reply-context.ts'

/**
 * Stores transcripts with their messages, so that both are erased together, and ends the step that transcribed them,
 * `open`, which it modifies.
 */
export async function storeTranscripts(
  { tx, loaded, now }: ReplyContext,
  open: StepRow,
  heard: readonly TranscribedNote[],
): Promise<void> {
  for (const { messageId, text } of heard) {
    if (text === null) continue
    const { numUpdatedRows } = await tx
      .updateTable('message')
      .set({ transcript: text })
      .where('id', '=', messageId)
      .where('conversationId', '=', loaded.conversation.id)
      .where('fileId', 'is not', null)
      .executeTakeFirst()
    const message = loaded.talk.find(({ id }) => id === messageId)
    if (message && numUpdatedRows > 0n) message.transcript = text
  }
  const isHeard = heard.some(({ text }) => text !== null)
  Object.assign(open, {
    state: isHeard ? 'done' : 'failed',
    name: heard.find(({ model }) => model !== null)?.model ?? null,
    failure: heard.find(({ failure }) => failure !== null)?.failure ?? null,
    data: writeTranscriptData({
      heard: heard.map(({ messageId, failure }) => ({ messageId, failure })),
    }),
    endedAt: now,
  })
}
