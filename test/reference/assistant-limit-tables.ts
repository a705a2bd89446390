/** The tables of docs/reference/limits.md of the assistant, as the constants of the code have them. */
import * as assistantSetup from '../../src/limits/assistant-setup.ts'
import * as knowledge from '../../src/limits/knowledge.ts'
import * as tools from '../../src/limits/tools.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { watched } from './watched-limits.ts'

const { ASSISTANT_DEFAULTS, ASSISTANT_SETUP_LIMITS, REPLY_RETENTION } = watched(assistantSetup)
const { TOOL_LIMITS } = watched(tools)
const { CHUNK_LIMITS, KNOWLEDGE_LIMITS, KNOWLEDGE_SEARCH } = watched(knowledge)

const text = (value: number) => value.toLocaleString('en-US')
const characters = (value: number) => `${text(value)} characters`
const days = (ms: number) => `${ms / DAY_MS} days`
const seconds = (ms: number) => `${ms / SECOND_MS} s`
const megabytes = (bytes: number) => `${bytes / 1_048_576} MB`

/** A table by its title: what each limit is called, and its value in words. */
export const ASSISTANT_TABLES: readonly (readonly [string, Record<string, string>])[] = [
  [
    'Assistant',
    {
      'Name of the assistant': characters(ASSISTANT_SETUP_LIMITS.nameChars),
      'Profile of the business': characters(ASSISTANT_SETUP_LIMITS.profileChars),
      Guidance: characters(ASSISTANT_SETUP_LIMITS.guidanceChars),
      'Criteria of leads': characters(ASSISTANT_SETUP_LIMITS.leadCriteriaChars),
      'A sentence of a handover': characters(ASSISTANT_SETUP_LIMITS.textChars),
      'Waiting for a further message': `${seconds(ASSISTANT_DEFAULTS.gatherMs)} unless said`,
      'Waiting for a further message, at most': seconds(ASSISTANT_SETUP_LIMITS.gatherMs),
      'Score from which a lead is qualified': `${ASSISTANT_DEFAULTS.qualifyAt} unless said`,
      'Tags that it may give': text(ASSISTANT_SETUP_LIMITS.tags),
      'Note to a reply that was good or bad': characters(ASSISTANT_SETUP_LIMITS.feedbackChars),
      "Customer's words in the list of replies": characters(ASSISTANT_SETUP_LIMITS.questionChars),
      'Messages of a talk that is tried out': `${ASSISTANT_SETUP_LIMITS.trialMessages}, of ${characters(ASSISTANT_SETUP_LIMITS.trialChars)}`,
      'Steps and instructions of a reply are kept': days(REPLY_RETENTION.stepMs),
      'Replies and what was said of them are kept': days(REPLY_RETENTION.replyMs),
      'Fields of contacts that it may see': text(ASSISTANT_SETUP_LIMITS.readableFields),
      'A time that was told can be booked for': `${TOOL_LIMITS.timeOfferedMs / MINUTE_MS} min`,
      'Free times found at once': `${TOOL_LIMITS.timesFound} of one day, up to ${TOOL_LIMITS.timesLookDays} days ahead`,
      'Words of its handover': characters(TOOL_LIMITS.reasonTextChars),
    },
  ],
  [
    'Knowledge',
    {
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
      'Piece of a source': `${CHUNK_LIMITS.leastChars} to ${characters(CHUNK_LIMITS.mostChars)}`,
      'Wordings of a search': `${KNOWLEDGE_SEARCH.wordings} of ${characters(KNOWLEDGE_SEARCH.wordingChars)}`,
      'Found by a search': `${KNOWLEDGE_SEARCH.chunks} pieces, ${characters(KNOWLEDGE_SEARCH.chars)}`,
      "Words of a company's own": `${KNOWLEDGE_LIMITS.synonyms} of ${characters(KNOWLEDGE_LIMITS.synonymChars)}, with ${KNOWLEDGE_LIMITS.meanings} meanings`,
    },
  ],
]
