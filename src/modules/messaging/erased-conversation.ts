/** What a conversation is filed under begins so once the customer was erased: nobody writes in it any more. */
export const ERASED_CONVERSATION = 'erased:'

/** As of an erased customer, of one whose account went on with another contact when a merge was taken apart. */
export const RETURNED_TALK = 'returned:'
