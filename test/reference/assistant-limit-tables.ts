/** The tables of docs/reference/limits.md of the assistant and of models, as the constants of the code have them. */
import * as assistant from '../../src/core/limits/assistant.ts'
import * as assistantSetup from '../../src/core/limits/assistant-setup.ts'
import * as knowledge from '../../src/core/limits/knowledge.ts'
import * as messaging from '../../src/core/limits/messaging.ts'
import * as models from '../../src/core/limits/models.ts'
import * as replies from '../../src/core/limits/replies.ts'
import * as tools from '../../src/core/limits/tools.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/core/limits/units.ts'
import type { LimitTables } from './limit-words.ts'
import { characters, days, megabytes, minutes, seconds, text, tokens } from './limit-words.ts'
import { watched } from './watched-limits.ts'

const { AGREEMENT_LIMITS, GUARD_LIMITS, LOOP_LIMITS, PART_LIMITS, PERSON_REQUEST_LIMITS } =
  watched(assistant)
const { ASSISTANT_DEFAULTS, ASSISTANT_SETUP_LIMITS, REPLY_RETENTION } = watched(assistantSetup)
const { CHUNK_LIMITS, KNOWLEDGE_LIMITS, KNOWLEDGE_SEARCH } = watched(knowledge)
const { MODEL_LIMITS, MODEL_WARNING_PERCENTS } = watched(models)
const { REPLY_OF_ASSISTANT: REPLY, REPLY_MEDIA: MEDIA } = watched(replies)
const { TOOL_LIMITS } = watched(tools)
const { TYPING_LIMITS: TYPING } = watched(messaging)

export const ASSISTANT_TABLES: LimitTables = {
  Assistant: {
    'Name of the assistant': characters(ASSISTANT_SETUP_LIMITS.nameChars),
    'Profile of the business': characters(ASSISTANT_SETUP_LIMITS.profileChars),
    Guidance: characters(ASSISTANT_SETUP_LIMITS.guidanceChars),
    'Criteria of leads': characters(ASSISTANT_SETUP_LIMITS.leadCriteriaChars),
    'A sentence of a handover': characters(ASSISTANT_SETUP_LIMITS.textChars),
    'Waiting for another message': `${seconds(ASSISTANT_DEFAULTS.debounceMs)} by default`,
    'Waiting for another message, at most': seconds(ASSISTANT_SETUP_LIMITS.debounceMs),
    'Score from which a lead is qualified': `${ASSISTANT_DEFAULTS.qualifyAt} by default`,
    'Tags that it may add': text(ASSISTANT_SETUP_LIMITS.tags),
    'Note to a reply that was good or bad': characters(ASSISTANT_SETUP_LIMITS.feedbackChars),
    "Customer's words in the list of replies": characters(ASSISTANT_SETUP_LIMITS.questionChars),
    'Messages of an invented conversation': `${ASSISTANT_SETUP_LIMITS.trialMessages}, of ${characters(ASSISTANT_SETUP_LIMITS.trialChars)}`,
    'Steps and instructions of a reply are kept': days(REPLY_RETENTION.stepMs),
    'Replies and their ratings are kept': days(REPLY_RETENTION.replyMs),
    'Fields of contacts that it may see': text(ASSISTANT_SETUP_LIMITS.readableFields),
    'An offered time can be booked for': `${TOOL_LIMITS.timeOfferedMs / MINUTE_MS} min`,
    'Free times found in one search': `${TOOL_LIMITS.timesFound} of one day, up to ${TOOL_LIMITS.timesLookDays} days ahead`,
    'Words of its handover': characters(TOOL_LIMITS.reasonTextChars),
  },
  Knowledge: {
    'Sources of a company': text(KNOWLEDGE_LIMITS.sources),
    "Pieces of a company's sources": text(KNOWLEDGE_LIMITS.chunks),
    'Title of a text': characters(KNOWLEDGE_LIMITS.titleChars),
    'Text that is written': characters(KNOWLEDGE_LIMITS.textChars),
    'Question of a question and answer': characters(KNOWLEDGE_LIMITS.questionChars),
    'Its answer': characters(KNOWLEDGE_LIMITS.answerChars),
    'Uploaded document': megabytes(KNOWLEDGE_LIMITS.fileBytes),
    'Document, unpacked': megabytes(KNOWLEDGE_LIMITS.unpackedBytes),
    'Pages of a PDF': text(KNOWLEDGE_LIMITS.pdfPages),
    'Reading a document': `${seconds(KNOWLEDGE_LIMITS.readMs)}, ${KNOWLEDGE_LIMITS.readMemoryMb} MB`,
    'Address of a page': characters(KNOWLEDGE_LIMITS.urlChars),
    Page: `${megabytes(KNOWLEDGE_LIMITS.pageBytes)}, after ${KNOWLEDGE_LIMITS.redirects} redirects`,
    'A page is fetched again': `after ${KNOWLEDGE_LIMITS.pageEveryMs / HOUR_MS} h`,
    'Piece of a source': `${CHUNK_LIMITS.minChars} to ${characters(CHUNK_LIMITS.maxChars)}`,
    'Wordings of a search': `${KNOWLEDGE_SEARCH.wordings} of ${characters(KNOWLEDGE_SEARCH.wordingChars)}`,
    'Found by a search': `${KNOWLEDGE_SEARCH.chunks} pieces, ${characters(KNOWLEDGE_SEARCH.chars)}`,
    "Words of a company's own": `${KNOWLEDGE_LIMITS.synonyms} of ${characters(KNOWLEDGE_LIMITS.synonymChars)}, with ${KNOWLEDGE_LIMITS.meanings} meanings`,
  },
  'Texts of the assistant': {
    'A text that may agree': `${text(AGREEMENT_LIMITS.textUnits)} UTF-16 units`,
    'A message that may ask for a person': characters(PERSON_REQUEST_LIMITS.textChars),
    'Parts of a reply': `${PART_LIMITS.parts}, ${PART_LIMITS.partsWhereSendsWait} on whatsapp_qr`,
    'Instructions repeated in a row': `fewer than ${characters(GUARD_LIMITS.instructionChars)}`,
    'A text of a model': `${text(GUARD_LIMITS.textUnits)} UTF-16 units`,
    'Messages of a customer': `${LOOP_LIMITS.messages} in ${minutes(LOOP_LIMITS.messagesMs)}`,
    'Media of one album come within': seconds(LOOP_LIMITS.albumGapMs),
    'Replies of a conversation': `${LOOP_LIMITS.replies} in ${minutes(LOOP_LIMITS.repliesMs)}, ${LOOP_LIMITS.repliesOfDay} a UTC day`,
    'Messages in a row right behind an outbound one': `fewer than ${LOOP_LIMITS.quick} within ${seconds(LOOP_LIMITS.quickMs)}`,
    'The same text': `fewer than ${LOOP_LIMITS.sameText} times in ${minutes(LOOP_LIMITS.sameTextMs)}, from ${characters(LOOP_LIMITS.minSameTextChars)} on`,
    'Echoes of the last outbound messages': `fewer than ${LOOP_LIMITS.echoes}, of the last ${LOOP_LIMITS.echoedMessages}`,
  },
}

export const MODEL_TABLES: LimitTables = {
  Models: {
    'Models of an account': text(MODEL_LIMITS.perAccount),
    'Name of a model': characters(MODEL_LIMITS.modelNameChars),
    Key: characters(MODEL_LIMITS.keyChars),
    'Key whose end is shown': `${characters(MODEL_LIMITS.lastFourFromChars)} or more`,
    'Context of a model': `${text(MODEL_LIMITS.minContextTokens)} to ${text(MODEL_LIMITS.maxContextTokens)}, ${tokens(MODEL_LIMITS.contextTokensDefault)} by default`,
    'Transcript of a voice note': characters(MODEL_LIMITS.transcriptChars),
    'Tests of models': `${MODEL_LIMITS.testsPerMinute} a minute`,
    'Time of a request': seconds(MODEL_LIMITS.requestMs),
    'Answer of a model': `${text(MODEL_LIMITS.answerBytes)} bytes`,
    '`Retry-After` that is kept to': `up to ${seconds(MODEL_LIMITS.maxRetryAfterMs)}, else ${seconds(MODEL_LIMITS.retryMs)}`,
    'Tokens of an answer with reasoning': `${text(MODEL_LIMITS.tokensOutReasoning)}, asked again ${text(MODEL_LIMITS.maxReasoningTokensOut)}`,
    'Failures after which a model is not called': `${MODEL_LIMITS.circuitFailures} in ${seconds(MODEL_LIMITS.circuitWindowMs)}, for ${seconds(MODEL_LIMITS.circuitOpenMs)}`,
    'Use of an account': `${tokens(MODEL_LIMITS.tokensPerDay)} a UTC day, unless the operator sets it`,
    'Owners are notified at': `${MODEL_WARNING_PERCENTS[0]} and ${MODEL_WARNING_PERCENTS[1]} %`,
  },
  'Replies of the assistant': {
    'From the first message to the first request': seconds(REPLY.maxDebounceMs),
    'Restarts for new messages': `${REPLY.restarts} times`,
    'Requests to models': text(REPLY.modelRequests),
    'Time of one request, of all': `${seconds(REPLY.requestMs)}, ${seconds(REPLY.allMs)}`,
    'Tokens of a prompt, of an answer': `${text(REPLY.tokensIn)}, ${text(REPLY.tokensOut)}`,
    Searches: text(REPLY.searches),
    'Uses of one tool with the same arguments': text(REPLY.sameCalls),
    'Refused tools, before none are offered': text(REPLY.refusedTools),
    'History that a model receives': `${REPLY.messages} messages, ${text(REPLY.historyChars)} characters`,
    'Part of one message that is read': characters(REPLY.messageUnits),
    'Voice note that is transcribed': `${MEDIA.voiceNoteMs / MINUTE_MS} minutes, ${megabytes(MEDIA.bytes)}`,
    'Voice notes transcribed, photos shown in a reply': `${MEDIA.voiceNotes}, ${MEDIA.images}`,
    'Photo that is shown': megabytes(MEDIA.bytes),
    'Wait for transcripts and photos': seconds(MEDIA.waitMs),
    'Typing is shown': `after ${seconds(TYPING.afterMs)}; again after ${seconds(TYPING.whatsAppEveryMs)} on WhatsApp, ${seconds(TYPING.messagingEveryMs)} on Messenger and Instagram, ${seconds(TYPING.telegramEveryMs)} on Telegram`,
    "Words of the model's handover": `${REPLY.reasonTextChars} characters`,
  },
}
