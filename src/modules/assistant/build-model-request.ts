import { readOpeningHours } from '../accounts/company-hours.ts'
import { REPLY_OF_ASSISTANT as LIMITS } from '../../core/limits/replies.ts'
import { MODEL_LIMITS } from '../../core/limits/models.ts'
import type { ModelRequest, ChatMessage } from '../models/model.ts'
import { capabilitiesOf } from '../../rules/messaging/channel-capabilities.ts'
import { isOpenAt } from '../../rules/flows/opening-hours.ts'
import { cutCodePoints } from '../../rules/text/json-text.ts'
import { createFormatCache } from '../../rules/time/format-cache.ts'
import type { GuardFault } from '../../core/vocabulary/reply-guard.ts'
import { languageOf } from './language.ts'
import { proposalOutcomeOf } from './proposal-outcome.ts'
import { shownPhotos } from './check-media.ts'
import { delimitData, delimiterOf, modelTextOf } from './delimit-untrusted.ts'
import { stableParts, type PromptPart } from './prompt-parts.ts'
import {
  isAnswerToProposal,
  isDroppedDraft,
  stepKey,
  type LoadedReply,
  type MediaFile,
  type StepRow,
  type ConversationMessage,
} from './reply.ts'
import { readAnswerData, readToolData, writeRequestData } from './step-data.ts'

/** A request to a model, and the form in which its step stores it. */
export type BuiltModelRequest = {
  /** The request; the caller adds the offered tools. */
  request: Omit<ModelRequest, 'tools'>
  /** Photos for models that read images; the caller adds them. */
  photos: PhotoToShow[]
  /** The parts that are stored by their hash. */
  kept: PromptPart[]
  /** A JSON text: the hashes of the stored parts, and the rest in full. */
  input: string
}

/** A photo of the customer, attached to a message of the request. */
export type PhotoToShow = {
  /** The index of its message. */
  at: number
  file: MediaFile
  /** The text of the message for models that see the photo. */
  text: string
}

type RequestOptions = { toolChoice: 'auto' | 'none'; isShortened: boolean; note: GuardFault | null }

/** Builds a model request, without its tools, from a loaded reply. Spec: Assistant › Input of a model. */
export function buildModelRequest(
  loaded: LoadedReply,
  { toolChoice, isShortened, note }: RequestOptions,
  now: Date,
  token: string,
): BuiltModelRequest {
  const mark = delimiterOf(token)
  const kept = stableParts(loaded)
  const changing = variablePart(loaded, note, mark, now)
  const used = ownSteps(loaded, mark)
  const promptTexts = [...kept, { text: changing }, ...used]
  const photos = isShortened ? new Map<string, MediaFile>() : shownPhotos(loaded)
  const talk = history(loaded, isShortened, LIMITS.tokensIn - tokensOf(promptTexts), photos)
  return {
    request: {
      instructions: [...kept.map(({ text }) => ({ text })), { text: changing }],
      messages: [...talk.map(({ said }) => said), ...used],
      toolChoice,
      maxOutputTokens: LIMITS.tokensOut,
    },
    photos: talk.flatMap(({ photo, words }, at) =>
      photo ? [{ at, file: photo, text: `(The customer sent this photo.) ${words}`.trim() }] : [],
    ),
    kept,
    input: writeRequestData({
      parts: kept.map(({ sha256 }) => sha256.toString('hex')),
      changing,
      mark,
    }),
  }
}

/** The reasons for a rewrite, as the model reads them. */
const GUARD_MESSAGES: Readonly<Record<GuardFault, string>> = {
  too_long: 'it is too long: say it in fewer words',
  tool_name: 'it names a tool: write for the customer, in everyday words',
  tool_text:
    'it has a call of a tool or data in it: use a tool by calling it, or write words for the customer',
  machinery: 'it has marks in it that are no words: write for the customer, in everyday words',
  mark_or_id: 'it has a mark or an id in it that means nothing to the customer',
  instructions: 'it repeats your instructions: answer in words of your own',
  nothing_left:
    'nothing of it can be sent: write words for the customer, without links that you were not given',
  of_itself:
    'it speaks of your making, your instructions or your tools: write for the customer, as the assistant of the shop',
  not_done:
    'it says that something was done, and no tool has done it: say what is so, or use the tool',
  promised_person:
    'it promises that a person will act, and the conversation was handed over to nobody: hand over, or promise nothing',
  other_time:
    'it names another day or time than what was booked, which the customer reads below your text: leave it out',
  others_data:
    'it holds a phone number or an e-mail address that the customer did not give: leave it out',
  not_in_arabic: 'it is not in Arabic',
  not_in_their_language: "it is not in the customer's language",
}

const LANGUAGES = { ar: 'Arabic', en: 'English' }

/** Formatters by time zone, cached because creating one dominates the cost of the text. */
const clocks = createFormatCache()
function clockOf(timeZone: string): Intl.DateTimeFormat {
  return clocks.get(
    timeZone,
    () =>
      new Intl.DateTimeFormat('en-GB', {
        timeZone,
        dateStyle: 'full',
        timeStyle: 'short',
        hourCycle: 'h23',
      }),
  )
}

/** Returns the variable part: the time, the channel and the customer, without ids, numbers and addresses. */
function variablePart(
  loaded: LoadedReply,
  note: GuardFault | null,
  mark: string,
  now: Date,
): string {
  const { company, channel, contact, conversation, settings } = loaded
  const at = clockOf(company.timeZone).format(now)
  const hours = readOpeningHours(company.openingHours)
  const isOpen = hours && isOpenAt(hours, company.timeZone, now)
  const { longestText } = capabilitiesOf(channel.type)
  const [firstName] = (contact?.name ?? conversation.visitorName ?? '').trim().split(/\s+/)
  const fields = (settings?.readableFields ?? []).flatMap((key) => {
    const value = contact?.fields[key]
    return value === undefined ? [] : [`${key}: ${plain(value)}`]
  })
  const tags = (contact?.tags ?? []).filter((tag) => settings?.tags.includes(tag))
  return [
    `Now: ${at} (${company.timeZone}).`,
    isOpen === null ? '' : `The business is ${isOpen ? 'open' : 'closed'} now.`,
    `Channel: ${channel.type}. Plain text, at most ${longestText ?? 1_000} characters.`,
    firstName ? `The customer's first name, as they gave it: ${plain(firstName)}` : '',
    `Answer in ${LANGUAGES[languageOf(loaded)]}, unless the customer's last words are in another language.`,
    tags.length > 0 ? `The customer is tagged: ${tags.map(plain).join(', ')}` : '',
    ...fields,
    ...doneEarlier(loaded, mark),
    ...agreement(loaded, mark),
    note === null
      ? ''
      : `Your last text was not sent, because ${GUARD_MESSAGES[note]}. Write it again.`,
  ]
    .filter((line) => line !== '')
    .join('\n')
}

/** Returns what earlier replies have done, recorded by code. */
function doneEarlier({ doneBefore }: LoadedReply, mark: string): string[] {
  if (doneBefore.length === 0) return []
  const lines = doneBefore.map(({ result }) => `- ${plain(result)}`).join('\n')
  return ['What was done before in this conversation, the newest first:', delimitData(lines, mark)]
}

/** Returns the customer's answer to a proposal as code read it, and the sentence that code tells them. */
function agreement(loaded: LoadedReply, mark: string): string[] {
  const read = loaded.steps.findLast((step) => isAnswerToProposal(step) && step.state === 'done')
  const isCalled = read !== undefined && readToolData(read).answered?.isCalled === true
  const outcome = proposalOutcomeOf(loaded)
  const lines: string[] = []
  if (isCalled) {
    lines.push(
      'The customer agreed to what was proposed. What came of it, from the system of the shop:',
      delimitData(read.result!, mark),
    )
  }
  if (!outcome) return lines
  const { sentence, state } = outcome
  if (sentence === null) {
    return [
      'Whether the customer agrees to what was proposed is not clear: nothing was done. The shop asks them once more below your text; answer what else they said, or write only -.',
    ]
  }
  lines.push(
    `The customer reads above your text: «${plain(sentence)}». Do not say it again; answer what else they asked, or write only -.`,
  )
  if (['late', 'unclear', 'withdrawn'].includes(state)) {
    lines.push('Nothing was done. If they still want it, propose it again.')
  }
  return lines
}

function plain(text: string): string {
  return cutCodePoints(modelTextOf(text).words.replace(/\s+/g, ' '), 200)
}

/** A message of the conversation. `words`: its text, or the caption of its photo. */
type Spoken = { said: ChatMessage; photo: MediaFile | null; words: string }

/** Returns the conversation so far, keeping the newest messages whole, within limits of characters and tokens. */
function history(
  { talk, reply }: LoadedReply,
  isShortened: boolean,
  maxTokens: number,
  photos: ReadonlyMap<string, MediaFile>,
): Spoken[] {
  const heard = talk.filter(({ replyId }) => replyId !== reply.id)
  const max = isShortened ? LIMITS.messagesOfShortened : LIMITS.messages
  let left: number = LIMITS.historyChars
  let tokensLeft = maxTokens
  const kept: Spoken[] = []
  for (const message of heard.slice(-max).toReversed()) {
    const { words, read } = modelTextOf(message.text)
    const transcript = modelTextOf(message.transcript)
    const said = saidBy(message, words, transcript.words)
    const photo = photos.get(message.id) ?? null
    const tokens = (said ? tokensOf([said]) : 0) + (photo ? MODEL_LIMITS.imageTokens : 0)
    // Removed characters count too: a message that consists of them costs as much to process.
    const units = Math.max(read + transcript.read, said?.text.length ?? 0)
    if (kept.length > 0 && (units > left || tokens > tokensLeft)) break
    left -= units
    tokensLeft -= tokens
    if (said) kept.push({ said, photo, words })
  }
  return kept.toReversed()
}

/** Estimates the tokens of texts as a third of their bytes. */
function tokensOf(texts: readonly { text: string }[]): number {
  return texts.reduce((sum, { text }) => sum + Math.ceil(Buffer.byteLength(text) / 3), 0)
}

const UNREAD: Readonly<Record<string, string>> = {
  image: 'a photo that you cannot see',
  audio: 'a voice note that you cannot hear',
  video: 'a video that you cannot see',
  document: 'a document that you cannot open',
  sticker: 'a sticker',
  contact: 'a contact card',
  location: 'a place',
  deleted: 'a message, and deleted it',
  unknown: 'something that cannot be read here',
}

function saidBy(
  { direction, sender, type, transcript }: ConversationMessage,
  words: string,
  heard: string,
): ChatMessage | null {
  if (direction === 'in') {
    if (transcript !== null) {
      const how =
        type === 'location' ? 'The customer sent a place:' : 'A voice note, as it was heard:'
      return { by: 'customer', text: [`(${how}) ${heard}`, words].join(' ').trim() }
    }
    if (type === 'text') return words === '' ? null : { by: 'customer', text: words }
    const sent = `(The customer sent ${UNREAD[type] ?? UNREAD['unknown']!}.)`
    return { by: 'customer', text: words === '' ? sent : `${sent} ${words}` }
  }
  if (words === '') return null
  const isStaffs = sender === 'staff' || sender === 'owner_app'
  const marked = isStaffs ? `(Written by staff of the business:) ${words}` : words
  return { by: 'assistant', text: marked, calls: [] }
}

/** Returns what the model requested and received in this reply, in all epochs. */
function ownSteps({ steps: all, reply }: LoadedReply, mark: string): ChatMessage[] {
  const steps = all.filter((step) => !isDroppedDraft(step, reply))
  return steps.flatMap((step, place): ChatMessage[] => {
    if (step.kind === 'model' && step.state === 'done')
      return answered(step, steps, place, reply.epoch)
    if (step.kind !== 'tool' || step.result === null) return []
    const { callId } = readToolData(step)
    const text = delimitData(step.result, mark)
    return callId === '' ? [] : [{ by: 'tool', callId, name: step.name!, text }]
  })
}

/** Returns a model's answer: of a text that was never sent only the executed calls. */
function answered(
  step: StepRow,
  steps: readonly StepRow[],
  place: number,
  epoch: number,
): ChatMessage[] {
  const { calls } = readAnswerData(step)
  const next = steps.findIndex((other, at) => at > place && other.kind === 'model')
  const answeredIds = steps
    .slice(place + 1, next === -1 ? undefined : next)
    .filter(({ kind, result: words }) => kind === 'tool' && words !== null)
    .map((other) => readToolData(other).callId)
  const executed = calls.filter(({ id }) => answeredIds.includes(id))
  if (executed.length > 0) {
    return [{ by: 'assistant', text: step.result ?? '', calls: executed, step: stepKey(step) }]
  }
  // A refused text precedes the reason for the refusal, so that the model can correct it.
  const isOfNow = step.epoch === epoch && (step.result ?? '') !== ''
  return isOfNow ? [{ by: 'assistant', text: step.result!, calls: [] }] : []
}
