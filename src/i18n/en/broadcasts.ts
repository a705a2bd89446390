import type { BroadcastFacts } from '../../core/facts/broadcasts.ts'
import type { BroadcastState, SkipReason } from '../../core/vocabulary/broadcasts.ts'
import { counted } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const STATES: Readonly<Record<BroadcastState, string>> = {
  draft: 'a draft',
  scheduled: 'scheduled',
  preparing: 'being prepared',
  sending: 'being sent',
  paused: 'paused',
  done: 'completed',
  cancelled: 'cancelled',
}

const SKIPPED: Readonly<Record<SkipReason, string>> = {
  opted_out: 'has opted out',
  marketing_stopped: 'has opted out of marketing messages from this number on WhatsApp',
  no_number: 'has no number that can be messaged on this channel',
  same_number: 'has the same number as another recipient',
  value_missing: 'is missing a value the template needs',
}

export const EN_BROADCASTS: Catalog<BroadcastFacts> = {
  no_such_broadcast: () => 'No broadcast with this ID.',
  broadcast_is: ({ state }) => `The broadcast is ${STATES[state]}, so this can’t be done now.`,
  broadcast_not_ready: () =>
    'The broadcast isn’t ready to send. Check what’s missing in each field.',
  too_many_broadcasts: ({ max }) =>
    `You can have at most ${counted(max, 'unfinished broadcast', 'unfinished broadcasts')}. Delete a draft or cancel one first.`,
  opt_out_needed: ({ template }) =>
    `${quotedInEnglish(template)} is a marketing template. Put {{opt_out_link}} into a body or header value, or use a template with a STOP button`,
  opt_out_link_in_ending: () =>
    'is the end of a button’s link, where a full link doesn’t fit. Put {{opt_out_link}} into the body instead',
  broadcast_placeholder_unknown: ({ placeholder }) =>
    `has the unknown placeholder ${quotedInEnglish(`{{${placeholder}}}`)}. Use contact.name, contact.phone, contact.email, contact.fields.KEY (KEY being one of your custom fields) or opt_out_link`,
  broadcast_pace_too_high: ({ max }) =>
    `must be at most ${counted(max, 'message', 'messages')} per second, because this number is also used in the WhatsApp Business app`,
  send_at_passed: () => 'is in the past. Choose a later time, or leave it out to send now',
  send_at_too_far: ({ days }) => `must be at most ${counted(days, 'day', 'days')} ahead`,
  broadcast_not_over: () =>
    'The broadcast hasn’t finished yet. Wait until it finishes, or cancel it.',
  broadcast_none_failed: () =>
    'There’s no one to send this to again: no message failed, or the recipients are no longer stored.',
  recipient_skipped: ({ reason }) => `${SKIPPED[reason]}, so nothing is sent`,
  placeholder_empty: ({ placeholder }) =>
    `The contact has no value for ${quotedInEnglish(`{{${placeholder}}}`)}.`,
  broadcast_refused: ({ why }, format) => `The provider stopped accepting messages: ${format(why)}`,
  broadcast_failing: ({ max }) =>
    `The last ${counted(max, 'message', 'messages')} all failed. Check why before you resume.`,
  template_recategorised: ({ template, language, was, is }) =>
    `The provider moved the template ${quotedInEnglish(template)} (${inEnglish(language)}) from ${inEnglish(was)} to ${inEnglish(is)}, which may cost more and reach fewer people. Check it before you resume.`,
  broadcast_restored: () =>
    'The service was restored from a backup made while this broadcast was being sent, so we don’t know how far it got. If you resume it, some people may get the message twice.',
}
