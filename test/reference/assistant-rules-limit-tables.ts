/** The table of docs/reference/limits.md of what the assistant's rules look at, as the constants of the code have them. */
import * as assistant from '../../src/limits/assistant.ts'
import { MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { watched } from './watched-limits.ts'

const { AGREEMENT_LIMITS, GUARD_LIMITS, LOOP_LIMITS, PART_LIMITS, PERSON_REQUEST_LIMITS } =
  watched(assistant)

const text = (value: number) => value.toLocaleString('en-US')
const characters = (value: number) => `${text(value)} characters`
const minutes = (ms: number) => `${ms / MINUTE_MS} min`
const seconds = (ms: number) => `${ms / SECOND_MS} s`

/** A table by its title: what each limit is called, and its value in words. */
export const ASSISTANT_RULES_TABLES: readonly (readonly [string, Record<string, string>])[] = [
  [
    'What the assistant reads and writes',
    {
      'A text that may agree': `${text(AGREEMENT_LIMITS.textUnits)} UTF-16 units`,
      'A message that may ask for a person': characters(PERSON_REQUEST_LIMITS.textChars),
      'Parts of a reply': `${PART_LIMITS.parts}, ${PART_LIMITS.partsWhereSendsWait} on whatsapp_qr`,
      'Instructions repeated in a row': `fewer than ${characters(GUARD_LIMITS.instructionChars)}`,
      'A text of a model': `${text(GUARD_LIMITS.textUnits)} UTF-16 units`,
      'Messages of a customer': `${LOOP_LIMITS.messages} in ${minutes(LOOP_LIMITS.messagesMs)}`,
      'Media of one album come within': seconds(LOOP_LIMITS.albumGapMs),
      'Replies of a conversation': `${LOOP_LIMITS.replies} in ${minutes(LOOP_LIMITS.repliesMs)}, ${LOOP_LIMITS.repliesOfDay} a UTC day`,
      'Messages in a row right behind ours': `fewer than ${LOOP_LIMITS.quick} within ${seconds(LOOP_LIMITS.quickMs)}`,
      'The same text': `fewer than ${LOOP_LIMITS.sameText} times in ${minutes(LOOP_LIMITS.sameTextMs)}, from ${characters(LOOP_LIMITS.sameTextLeastChars)} on`,
      'Echoes of our last messages': `fewer than ${LOOP_LIMITS.echoes}, of the last ${LOOP_LIMITS.echoedMessages}`,
    },
  ],
]
