import type { None } from './none.ts'

/** Reasons why members' actions on conversations are refused. */
export type InboxFacts = {
  no_such_conversation: None
  /** `turn` is the current one; `assignee` is the name of the assignee, null without an assignee or a name. */
  conversation_moved_on: {
    turn: number
    status: string
    handledBy: string
    assigneeId: string | null
    assignee: string | null
  }
  conversation_resolved: None
  /** The visitor is a contact, so the contact is erased instead. */
  conversation_has_contact: None
  not_a_member: None
  text_file_or_template: None
  caption_without_file: None
  ids_or_filter: None
  placeholder_left: { placeholder: string }
  /** `known` are the placeholders that are allowed. */
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
  canned_replies_full: { max: number }
  no_such_close_job: None
  close_job_over: { state: string }
  bulk_filter_needs_admin: None
}
