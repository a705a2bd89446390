/** The table of docs/reference/limits.md of the assistant's replies, as the constants of the code have it. */
import * as replies from '../../src/limits/replies.ts'
import * as messaging from '../../src/limits/messaging.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { watched } from './watched-limits.ts'

const { REPLY_OF_ASSISTANT: REPLY, REPLY_MEDIA: MEDIA } = watched(replies)
const { TYPING_LIMITS: TYPING } = watched(messaging)
const MEGABYTE = 1_048_576

const text = (value: number) => value.toLocaleString('en-US')
const seconds = (ms: number) => `${ms / SECOND_MS} s`

/** A table by its title: what each limit is called, and its value in words. */
export const REPLY_TABLES: readonly (readonly [string, Record<string, string>])[] = [
  [
    'Replies of the assistant',
    {
      'From the first message to the first request': seconds(REPLY.gatherMostMs),
      'Begun anew for further messages': `${REPLY.restarts} times`,
      'Requests to models': text(REPLY.modelRequests),
      'Time of one request, of all': `${seconds(REPLY.requestMs)}, ${seconds(REPLY.allMs)}`,
      'Tokens of a prompt, of an answer': `${text(REPLY.tokensIn)}, ${text(REPLY.tokensOut)}`,
      Searches: text(REPLY.searches),
      'Uses of one tool with the same arguments': text(REPLY.sameCalls),
      'Refused tools, before none are offered': text(REPLY.refusedTools),
      'History that a model is told of': `${REPLY.messages} messages, ${text(REPLY.historyChars)} characters`,
      'Voice note that is heard': `${MEDIA.voiceNoteMs / MINUTE_MS} minutes, ${MEDIA.bytes / MEGABYTE} MB`,
      'Voice notes heard, photos shown in a reply': `${MEDIA.voiceNotes}, ${MEDIA.images}`,
      'Photo that is shown': `${MEDIA.bytes / MEGABYTE} MB`,
      'Wait for what is heard or shown': seconds(MEDIA.waitMs),
      'Typing is shown': `after ${seconds(TYPING.afterMs)}; again after ${seconds(TYPING.whatsAppEveryMs)} on WhatsApp, ${seconds(TYPING.messagingEveryMs)} on Messenger and Instagram, ${seconds(TYPING.telegramEveryMs)} on Telegram`,
      "Words of the model's handover": `${REPLY.reasonTextChars} characters`,
    },
  ],
]
