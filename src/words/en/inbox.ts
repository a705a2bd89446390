import type { InboxFacts } from '../../facts/inbox.ts'
import { counted } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const STATES: Readonly<Record<string, string>> = { done: 'done', cancelled: 'cancelled' }

export const EN_INBOX: Sentences<InboxFacts> = {
  no_such_conversation: () => 'This company has no such conversation.',
  conversation_moved_on: ({ status, handledBy, assignee }) => {
    if (status === 'resolved') return 'The conversation was resolved meanwhile. Look at it again.'
    const who =
      assignee === null
        ? `is with ${handledBy === 'staff' ? 'staff' : 'flows and the assistant'} and nobody is named for it`
        : `is assigned to ${quotedInEnglish(assignee)}`
    return `The conversation has gone on since you saw it: it ${who} now. Look at it again.`
  },
  conversation_resolved: () => 'The conversation was resolved.',
  conversation_has_contact: () =>
    'This conversation is with a contact: erase the contact, which empties all their conversations.',
  not_a_member: () => 'must be a person of this account',
  text_file_or_template: () => 'is given, or a file, or a template: exactly one of them',
  caption_without_file: () => 'is written below a file: give its fileId, or text instead',
  ids_or_filter: () => 'are given, or a filter: exactly one of them',
  placeholder_left: ({ placeholder }) =>
    `still has the placeholder ${quotedInEnglish(`{{${placeholder}}}`)}: fill it in or take it out`,
  placeholder_unknown: ({ placeholder, known }) =>
    `has the placeholder ${quotedInEnglish(`{{${placeholder}}}`)}, which is never filled in. Use ${known.map((name) => `{{${name}}}`).join(' or ')}`,
  no_such_message: () => 'The conversation has no such message.',
  message_not_queued: ({ status }) =>
    `The message is no longer waiting to be sent: it is ${inEnglish(status)}. It cannot be taken back.`,
  message_of_another: () => 'Only whoever wrote a message may take it back.',
  no_such_note: () => 'The conversation has no such note.',
  note_of_another: () => 'Only whoever wrote a note may change it.',
  no_such_canned_reply: () => 'This company has no such ready reply.',
  canned_reply_of_another: () =>
    'Agents can change or delete only the saved replies they created. Ask an Owner or Admin.',
  not_a_shortcut: () => 'must be 1 to 40 letters, digits, dashes or underscores',
  shortcut_taken: ({ shortcut }) =>
    `is ${quotedInEnglish(shortcut)}, which another ready reply has: choose another one`,
  canned_replies_full: ({ most }) =>
    `A company has at most ${counted(most, 'ready reply', 'ready replies')}. Delete one first.`,
  no_such_close_job: () => 'This company has no such job.',
  close_job_over: ({ state }) => `The job is ${inEnglish(STATES[state] ?? state)} already.`,
  bulk_filter_needs_admin: () =>
    'Only Owners and Admins close by a filter. Name the conversations instead.',
}
