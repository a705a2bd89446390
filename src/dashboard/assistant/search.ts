import type { ReplyOutcome } from '../../core/vocabulary/assistant-setup.ts'
import { REPLY_OUTCOMES } from '../../core/vocabulary/assistant-setup.ts'
import { oneIn, type RawSearch } from '../app/search-params.ts'

const FEEDBACK = ['good', 'bad'] as const

/** The filters of the list of replies, as the URL contains them. */
export type RepliesSearch = {
  outcome?: ReplyOutcome
  /** Only replies with feedback of this kind. */
  feedback?: (typeof FEEDBACK)[number]
}

/**
 * Returns the filters of the list of replies from the search parameters of the URL. An unknown value becomes undefined;
 * a missing name would make the router keep the raw value.
 */
export const readRepliesSearch = (raw: RawSearch): RepliesSearch =>
  ({
    outcome: oneIn(raw, 'outcome', REPLY_OUTCOMES),
    feedback: oneIn(raw, 'feedback', FEEDBACK),
  }) as RepliesSearch

/**
 * Returns the first message of the playground from the search parameters of the URL. `heard` is the id of a reply whose
 * customer message starts the conversation.
 */
export const readTrialSearch = ({ heard }: RawSearch): { heard?: string } =>
  ({ heard: typeof heard === 'string' ? heard : undefined }) as { heard?: string }
