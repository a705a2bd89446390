import type { BroadcastFacts } from '../../facts/broadcasts.ts'
import type { BroadcastState, SkipReason } from '../../vocabulary/broadcasts.ts'
import { counted } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const STATES: Readonly<Record<BroadcastState, string>> = {
  draft: 'a draft',
  scheduled: 'scheduled',
  preparing: 'being prepared',
  sending: 'being sent',
  paused: 'paused',
  done: 'done',
  cancelled: 'cancelled',
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  opted_out: 'has opted out',
  marketing_stopped: 'has told WhatsApp to stop marketing from this number',
  no_number: 'has no number to write to on this channel',
  same_number: 'has the number of another recipient',
  value_missing: 'lacks a value that the template needs',
}

export const EN_BROADCASTS: Sentences<BroadcastFacts> = {
  no_such_broadcast: () => 'This company has no such broadcast.',
  broadcast_is: ({ state }) => `The broadcast is ${STATES[state]}: this cannot be done now.`,
  broadcast_not_ready: () => 'The broadcast cannot be sent yet. See what is missing in each field.',
  too_many_broadcasts: ({ most }) =>
    `A company has at most ${counted(most, 'broadcast', 'broadcasts')} that are not over. Delete a draft or cancel one first.`,
  opt_out_needed: ({ template }) =>
    `${quotedInEnglish(template)} is a marketing template: put {{opt_out_link}} into a value of its body or header, or use a template with a STOP button`,
  opt_out_link_in_ending: () =>
    'is the ending of a button’s address, where a whole link does not fit: put {{opt_out_link}} into the body',
  broadcast_placeholder_unknown: ({ placeholder }) =>
    `has the placeholder ${quotedInEnglish(`{{${placeholder}}}`)}, which is none: use contact.name, contact.phone, contact.email, contact.fields.KEY of a field that you have, or opt_out_link`,
  broadcast_pace_too_high: ({ most }) =>
    `is at most ${counted(most, 'message', 'messages')} a second on this number, which its owner uses in the WhatsApp app too`,
  send_at_passed: () => 'has passed: choose a later time, or leave it out to begin at once',
  send_at_too_far: ({ days }) => `is at most ${counted(days, 'day', 'days')} ahead`,
  broadcast_not_over: () => 'The broadcast is not over yet. Wait for its end, or cancel it.',
  broadcast_none_failed: () =>
    'Nobody is left to send it again to: no message has failed, or its recipients are no longer kept.',
  recipient_skipped: ({ reason }) => `${SKIPPED[reason]}, so nothing is sent`,
  placeholder_empty: ({ placeholder }) =>
    `The contact has nothing for ${quotedInEnglish(`{{${placeholder}}}`)}.`,
  broadcast_refused: ({ why }, tell) => `The provider takes nothing more: ${tell(why)}`,
  broadcast_failing: ({ most }) =>
    `The last ${counted(most, 'message', 'messages')} all failed. See why before you let it go on.`,
  template_recategorised: ({ template, language, was, is }) =>
    `The provider has moved the template ${quotedInEnglish(template)} in ${inEnglish(language)} from ${inEnglish(was)} to ${inEnglish(is)}, which may cost more and reach fewer. Look at it before you let it go on.`,
  broadcast_restored: () =>
    'The service was restored from a backup that was made while this was being sent. How far it had come is not known: going on may write to some a second time.',
}
