import type { RunFacts, UnfillablePart } from '../../facts/runs.ts'
import { counted, written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

const PARTS: Record<UnfillablePart['part'], string> = {
  header: 'a header of format',
  button: 'a button of type',
  component: 'the component',
}

/** What of a template a flow cannot fill, with the provider's word for it. */
export const partInEnglish = ({ part, type }: UnfillablePart): string =>
  `${PARTS[part]} ${inEnglish(type)}`

export const lengthInEnglish = (length: number, unit: 'code_points' | 'utf8_bytes'): string =>
  unit === 'utf8_bytes'
    ? `${counted(length, 'byte', 'bytes')} of UTF-8`
    : counted(length, 'character', 'characters')

export const EN_RUNS: Sentences<RunFacts> = {
  too_many_steps: ({ most }) => `More than ${counted(most, 'step', 'steps')} without a wait.`,
  too_many_waits: ({ most }) => `More than ${counted(most, 'wait', 'waits')} in one run.`,
  step_gone: ({ step }) => `This version of the flow has no step ${quotedInEnglish(step)}.`,
  flow_deleted: () => 'The flow was deleted.',
  opted_out_before_start: () => 'The customer had opted out before the run began.',
  opted_out: () => 'The customer has opted out; nothing more was sent.',
  run_ended_by_another: () => 'A step of another run handed the conversation over, or resolved it.',
  run_cancelled_by_member: () => 'A member cancelled it.',
  run_contact_erased: () => 'The contact was erased.',
  run_visitor_erased: () => 'The visitor was erased.',
  staff_handling: () => 'Staff is handling the conversation.',
  no_automations: () => 'The plan no longer has automations.',
  run_not_taken_on: () => 'The service could not take this run on: its operator can see why.',
  customer_not_reachable: () =>
    'Not sent: the number belongs to somebody else now, and no other way to reach this customer is known.',
  sender_ended: () => 'What it was for had ended; nothing was sent.',
  message_restored: () =>
    'The service was restored from a backup in which this was still to be sent. Whether it went out since is not known: it is not sent by itself.',
  run_restored: () =>
    'The service was restored from a backup that was made while this run was under way. How far it had come is not known: nothing more was sent or called.',
  channel_disconnected: ({ why }, tell) =>
    `The channel is not connected. ${why ? `${tell(why)} ` : ''}Connect it again.`,
  customer_has_not_begun: () =>
    'On this channel only the customer begins a conversation, and they have not written yet: wait until they do.',
  channel_sends_nothing: () => 'Nothing can be sent on this channel.',
  reply_window_not_opened: ({ templateMaySend }) =>
    `The reply window opens when the customer writes: until then ${templateMaySend ? 'only a template can be sent' : 'nothing can be sent'}.`,
  reply_window_closed: ({ hours, templateMaySend }) =>
    `More than ${counted(hours, 'hour', 'hours')} since the customer last wrote: ${templateMaySend ? 'only a template can be sent' : 'nothing can be sent'}.`,
  text_empty: () => 'The message to send came out empty.',
  text_too_long: ({ length, most, unit }) =>
    `The message to send came out too long: it has ${lengthInEnglish(length, unit)}, and the channel takes at most ${written(most)}.`,
  template_missing: ({ template }) => `The channel has no template ${quotedInEnglish(template)}.`,
  template_not_approved: ({ template, language, versions }) =>
    `The template ${quotedInEnglish(template)} is not approved in ${inEnglish(language)} (${versions.map((version) => inEnglish(`${version.language}: ${version.status}`)).join(', ')}).`,
  template_not_fillable: ({ template, ...part }) =>
    `The template ${quotedInEnglish(template)} has ${partInEnglish(part)}, which a flow cannot fill.`,
  template_value_empty: ({ template, value }) =>
    `The value ${quotedInEnglish(value)} of the template ${quotedInEnglish(template)} came out empty.`,
  account_templates_used_up: ({ most }) =>
    `The account's ${counted(most, 'automated template', 'automated templates')} of this day (UTC) are used up.`,
  customer_templates_used_up: ({ most }) =>
    `The customer had ${counted(most, 'automated template', 'automated templates')} in the last 24 hours.`,
  message_gone: () => 'The message of this step is gone.',
  send_unknown: () => 'No answer came; waiting for the provider to tell.',
  send_never_told: () =>
    'The provider never told whether this message went out. It was not sent again, so that the customer does not get it twice.',
  provider_refused: ({ said, providerCode }) =>
    `The provider refused: ${inEnglish(said) || 'no reason given'}${providerCode ? ` (${inEnglish(providerCode)})` : ''}.`,
  message_undelivered: ({ why }, tell) => `The message could not be delivered. ${tell(why)}`,
  not_sent_channel_gone: () => 'Nothing was sent: the channel is gone.',
  not_sent_credentials_unreadable: () =>
    "Nothing was sent: the channel's credentials could not be read here.",
  not_sent_fault: ({ fault }) =>
    `Nothing was sent, by a fault of the service: ${inEnglish(fault)}.`,
  customer_without_address: () =>
    "Nothing was sent: the customer has neither a number nor an id of the channel's.",
  provider_not_reached: ({ fault }) =>
    `Nothing was sent: the provider could not be reached (${inEnglish(fault)}).`,
  provider_answer_cut: ({ fault }) => `The provider gave no complete answer (${inEnglish(fault)}).`,
  call_not_begun: () => 'The service stopped before this call went out. It was not made.',
  call_cut_off: () =>
    'The service stopped while this call was under way. Whether your system received it is not known: look for it there. It was not sent again.',
  call_answer_not_json: () => 'The answer was not JSON, so nothing was kept.',
  call_kept_nothing: ({ paths }) =>
    `The answer had nothing to keep at ${paths.map(quotedInEnglish).join(', ')}.`,
}
