import type { InboxFacts } from '../../core/facts/inbox.ts'
import { counted } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const STATES: Readonly<Record<string, string>> = { done: 'done', cancelled: 'cancelled' }

export const EN_INBOX: Catalog<InboxFacts> = {
  no_such_conversation: () => 'No conversation with this ID.',
  conversation_moved_on: ({ status, handledBy, assignee }) => {
    if (status === 'resolved')
      return 'This conversation was resolved after you opened it. Review it before you continue.'
    const who =
      assignee === null
        ? `is with ${handledBy === 'staff' ? 'your team' : 'flows and the assistant'} and unassigned`
        : `is assigned to ${quotedInEnglish(assignee)}`
    return `This conversation has changed since you opened it. It now ${who}. Review it before you continue.`
  },
  conversation_resolved: () => 'The conversation was resolved.',
  conversation_has_contact: () =>
    'This conversation belongs to a contact. Erase the contact instead, which erases all their conversations.',
  not_a_member: () => 'must be a member of this account',
  text_file_or_template: () =>
    'is required unless you send a file or a template. Send exactly one of them',
  caption_without_file: () => 'is a caption, so send a fileId with it, or use text instead',
  ids_or_filter: () => 'are required unless you send a filter. Send exactly one of them',
  placeholder_left: ({ placeholder }) =>
    `still contains the placeholder ${quotedInEnglish(`{{${placeholder}}}`)}. Fill it in or remove it`,
  placeholder_unknown: ({ placeholder, known }) =>
    `contains the placeholder ${quotedInEnglish(`{{${placeholder}}}`)}, which is never filled in. Use ${known.map((name) => `{{${name}}}`).join(' or ')}`,
  no_such_message: () => 'No message with this ID in this conversation.',
  message_not_queued: ({ status }) =>
    `The message is no longer queued: it’s ${inEnglish(status)}. Sending can’t be cancelled.`,
  message_of_another: () => 'Only the person who wrote a message can cancel sending it.',
  no_such_note: () => 'No note with this ID in this conversation.',
  note_of_another: () => 'Only the person who wrote a note can change it.',
  no_such_canned_reply: () => 'No saved reply with this ID.',
  canned_reply_of_another: () =>
    'Agents can change or delete only the saved replies they created. Ask an Owner or Admin.',
  not_a_shortcut: () => 'must be 1 to 40 letters, digits, dashes or underscores',
  shortcut_taken: ({ shortcut }) =>
    `is ${quotedInEnglish(shortcut)}, which another saved reply already uses. Choose another shortcut`,
  canned_replies_full: ({ max }) =>
    `You can have at most ${counted(max, 'saved reply', 'saved replies')}. Delete one first.`,
  no_such_close_job: () => 'No job with this ID.',
  close_job_over: ({ state }) => `The job is already ${inEnglish(STATES[state] ?? state)}.`,
  bulk_filter_needs_admin: () =>
    'Only Owners and Admins can resolve conversations by filter. Select conversations instead.',
}
