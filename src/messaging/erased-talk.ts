/** What a conversation is filed under begins so once the customer was erased: nobody writes in it any more. */
export const ERASED_TALK = 'erased:'
