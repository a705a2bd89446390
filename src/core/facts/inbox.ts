import type { None } from './none.ts'

/** Conversations, and what members do with them. */
export type InboxFacts = {
  no_such_conversation: None
  /** `turn` is the present one; `assignee` the name of who has it, null where nobody or no name. */
  conversation_moved_on: {
    turn: number
    status: string
    handledBy: string
    assigneeId: string | null
    assignee: string | null
  }
  conversation_resolved: None
  /** Who is erased there is the contact. */
  conversation_has_contact: None
  not_a_member: None
  text_file_or_template: None
  caption_without_file: None
  ids_or_filter: None
  placeholder_left: { placeholder: string }
  /** `known` are those that may stand there. */
  placeholder_unknown: { placeholder: string; known: string[] }
  no_such_message: None
  message_not_queued: { status: string }
  message_of_another: None
  no_such_note: None
  note_of_another: None
  no_such_canned_reply: None
  canned_reply_of_another: None
  not_a_shortcut: None
  shortcut_taken: { shortcut: string }
  canned_replies_full: { most: number }
  no_such_close_job: None
  close_job_over: { state: string }
  bulk_filter_needs_admin: None
}
