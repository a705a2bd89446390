import type { RunFacts, UnfillablePart } from '../../core/facts/runs.ts'
import { counted, written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

const PARTS: Record<UnfillablePart['part'], string> = {
  header: 'a header of type',
  button: 'a button of type',
  component: 'a component of type',
}

/** Returns the part of a template that a flow cannot fill, with the provider's name for it. */
export const partInEnglish = ({ part, type }: UnfillablePart): string =>
  `${PARTS[part]} ${inEnglish(type)}`

/** Formats the length of a text, in characters or bytes, for an English sentence. */
export const lengthInEnglish = (length: number, unit: 'code_points' | 'utf8_bytes'): string =>
  unit === 'utf8_bytes'
    ? `${counted(length, 'byte', 'bytes')} of UTF-8`
    : counted(length, 'character', 'characters')

export const EN_RUNS: Catalog<RunFacts> = {
  too_many_steps: ({ max }) => `Ran more than ${counted(max, 'step', 'steps')} without a wait.`,
  too_many_waits: ({ max }) => `Waited more than ${counted(max, 'time', 'times')} in one run.`,
  step_gone: ({ step }) =>
    `The step ${quotedInEnglish(step)} doesn’t exist in this version of the flow.`,
  flow_deleted: () => 'The flow was deleted.',
  opted_out_before_start: () => 'The customer had opted out before the run started.',
  opted_out: () => 'The customer opted out, so nothing more was sent.',
  run_ended_by_another: () => 'Another run handed over or resolved the conversation.',
  run_cancelled_by_member: () => 'A team member cancelled it.',
  run_contact_erased: () => 'The contact was erased.',
  run_visitor_erased: () => 'The website visitor was erased.',
  staff_handling: () => 'Your team is handling the conversation.',
  no_automations: () => 'The plan no longer includes automations.',
  run_not_taken_on: () => 'The service couldn’t process this run. Its operator can see why.',
  customer_not_reachable: () =>
    'Not sent. The number now belongs to someone else, and there’s no other known way to reach this customer.',
  sender_ended: () => 'It was no longer needed, so nothing was sent.',
  message_restored: () =>
    'The service was restored from a backup in which this message was still queued. It may have been sent since, so it isn’t sent automatically.',
  run_restored: () =>
    'The service was restored from a backup made while this run was in progress. We don’t know how far it got, so nothing more was sent or called.',
  channel_disconnected: ({ why }, format) =>
    `The channel isn’t connected. ${why ? `${format(why)} ` : ''}Reconnect it.`,
  customer_has_not_begun: () =>
    'On this channel only the customer can start a conversation, and they haven’t written yet.',
  channel_sends_nothing: () => 'Messages can’t be sent on this channel.',
  reply_window_not_opened: ({ templateMaySend }) =>
    `The reply window opens when the customer writes. Until then, ${templateMaySend ? 'you can only send a template' : 'you can’t send anything'}.`,
  reply_window_closed: ({ hours, templateMaySend }) =>
    `The customer last wrote more than ${counted(hours, 'hour', 'hours')} ago: ${templateMaySend ? 'you can only send a template' : 'you can’t send anything'}.`,
  text_empty: () => 'With its values filled in, the message was empty.',
  text_too_long: ({ length, max, unit }) =>
    `With its values filled in, the message was too long: ${lengthInEnglish(length, unit)}. The channel allows at most ${written(max)}.`,
  template_missing: ({ template }) => `The channel has no template ${quotedInEnglish(template)}.`,
  template_not_approved: ({ template, language, versions }) =>
    `The template ${quotedInEnglish(template)} isn’t approved in ${inEnglish(language)} (${versions.map((version) => inEnglish(`${version.language}: ${version.status}`)).join(', ')}).`,
  template_not_fillable: ({ template, ...part }) =>
    `The template ${quotedInEnglish(template)} has ${partInEnglish(part)}, which flows can’t fill in.`,
  template_value_empty: ({ template, value }) =>
    `The value ${quotedInEnglish(value)} of the template ${quotedInEnglish(template)} was empty.`,
  account_templates_used_up: ({ max }) =>
    `The account’s ${counted(max, 'automated template', 'automated templates')} for today (UTC) are used up.`,
  customer_templates_used_up: ({ max }) =>
    `The customer already got ${counted(max, 'automated template', 'automated templates')} in the last 24 hours.`,
  message_gone: () => 'This step’s message no longer exists.',
  send_unknown: () => 'No response yet; waiting for the provider to confirm.',
  send_never_told: () =>
    'The provider never confirmed whether this message was sent. It wasn’t sent again, so that the customer doesn’t get it twice.',
  provider_refused: ({ said, providerCode }) =>
    `The provider rejected it: ${inEnglish(said) || 'no reason given'}${providerCode ? ` (${inEnglish(providerCode)})` : ''}.`,
  message_undelivered: ({ why }, format) => `The message couldn’t be delivered. ${format(why)}`,
  not_sent_channel_gone: () => 'Nothing was sent: the channel no longer exists.',
  not_sent_credentials_unreadable: () =>
    'Nothing was sent: the channel’s credentials couldn’t be read.',
  not_sent_fault: ({ fault }) =>
    `Nothing was sent because of a problem on our side: ${inEnglish(fault)}.`,
  customer_without_address: () =>
    'Nothing was sent: the customer has no number or ID on this channel.',
  provider_not_reached: ({ fault }) =>
    `Nothing was sent: the provider couldn’t be reached (${inEnglish(fault)}).`,
  provider_answer_cut: ({ fault }) =>
    `The provider’s response was incomplete (${inEnglish(fault)}).`,
  call_not_begun: () => 'The service stopped before this call was made.',
  call_cut_off: () =>
    'The service stopped during this call, so we don’t know whether your system received it. Check there; the call wasn’t made again.',
  call_answer_not_json: () => 'The response wasn’t JSON, so no values were saved.',
  call_kept_nothing: ({ paths }) =>
    `The response had nothing to save at ${paths.map(quotedInEnglish).join(', ')}.`,
}
