/** The prefix of `filed_under` once the customer was erased: nothing more is written in the conversation. */
export const ERASED_CONVERSATION = 'erased:'

/** The prefix of `filed_under` once undoing a merge moved the account to another contact; as for an erased customer. */
export const RETURNED_CONVERSATION = 'returned:'
