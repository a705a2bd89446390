/** The tables of docs/reference/limits.md of the assistant, as the constants of the code have them. */
import * as assistantSetup from '../../src/limits/assistant-setup.ts'
import * as tools from '../../src/limits/tools.ts'
import { DAY_MS, MINUTE_MS, SECOND_MS } from '../../src/limits/units.ts'
import { watched } from './watched-limits.ts'

const { ASSISTANT_DEFAULTS, ASSISTANT_SETUP_LIMITS, REPLY_RETENTION } = watched(assistantSetup)
const { TOOL_LIMITS } = watched(tools)

const text = (value: number) => value.toLocaleString('en-US')
const characters = (value: number) => `${text(value)} characters`
const days = (ms: number) => `${ms / DAY_MS} days`
const seconds = (ms: number) => `${ms / SECOND_MS} s`

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
]
