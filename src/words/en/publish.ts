import type { PublishFacts } from '../../facts/publish.ts'
import { counted, written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'
import { lengthInEnglish, partInEnglish } from './runs.ts'

const version = ({ template, language }: { template: string; language: string }) =>
  `The template ${quotedInEnglish(template)} (${language})`

export const EN_PUBLISH: Sentences<PublishFacts> = {
  in_plan: ({ plan }) => `Automations are not part of the ${plan} plan.`,
  flows_of_plan: ({ plan, most }) =>
    `The ${plan} plan has ${counted(most, 'flow', 'flows')} that are published and switched on. Switch another one off first.`,
  calls_not_in_plan: ({ plan }) =>
    `Calling your system is not part of the ${plan} plan: such steps take their Failed path.`,
  channel_not_chosen: () => 'Choose the channel that the flow runs on.',
  channel_gone: () => 'The channel that the flow runs on is not there any more.',
  channel_connected: () => 'The channel is not connected. Connect it again.',
  channel_type_sends_nothing: ({ channelType }) =>
    `Nothing can be sent on a ${channelType} channel.`,
  channel_type_has_no_templates: ({ channelType }) => `A ${channelType} channel has no templates.`,

  start_exists: ({ step }) =>
    `The flow starts at the step ${quotedInEnglish(step)}, which is not there.`,
  reachable: ({ step }) => `No way from the start leads to the step ${quotedInEnglish(step)}.`,
  next_exists: ({ step, exit, to }) =>
    `${quotedInEnglish(exit)} of the step ${quotedInEnglish(step)} leads to ${quotedInEnglish(to)}, which is not there.`,
  loop_waits: ({ step }) =>
    `From the step ${quotedInEnglish(step)} the flow comes back to it without a wait between.`,
  calls_in_a_row: ({ most, calls }) =>
    `A flow makes at most ${counted(most, 'call', 'calls')} between two messages of the customer; on the way ${calls.map(quotedInEnglish).join(', ')} the last is one too many.`,
  template_first: ({ step }) =>
    `A flow that writes to the customer first must send a template before anything else; the step ${quotedInEnglish(step)} can come before one.`,
  template_first_or_window: ({ step }) =>
    `The step ${quotedInEnglish(step)} can come before a template: the flow can be started only for customers who wrote lately.`,
  template_never_sent: () =>
    'A flow that writes to the customer first must send a template; this one never does.',
  reply_window: ({ step, hours }) =>
    `The step ${quotedInEnglish(step)} can come before the customer has replied: it fails for a customer who did not write in the last ${counted(hours, 'hour', 'hours')}.`,
  variable_set: ({ step, variable }) =>
    `No step before ${quotedInEnglish(step)} sets the variable ${quotedInEnglish(variable)}; it is empty.`,

  text_length: ({ length, most, unit }) =>
    `The message is too long: it has ${lengthInEnglish(length, unit)}, and the channel takes at most ${written(most)}.`,
  template_version_missing: ({ template, language }) =>
    `The template ${quotedInEnglish(template)} has no version in ${language}.`,
  template_version_not_approved: ({ template, language, status }) =>
    `The template ${quotedInEnglish(template)} is not approved in ${language}: it is ${status}.`,
  template_version_not_fillable: (of) =>
    `${version(of)} has ${partInEnglish(of)}, which a flow cannot fill.`,
  template_header_needed: (of) => `${version(of)} needs a value for its header.`,
  template_value_needed: (of) =>
    `${version(of)} needs a value for ${inEnglish(`{{${of.variable}}}`)} of its text.`,
  template_link_needed: (of) =>
    `${version(of)} needs a value for the link of its button ${quotedInEnglish(of.button)} (${of.index}).`,
  options_given: () => 'A choice needs at least one option.',
  options_differ: ({ label }) =>
    `The option ${quotedInEnglish(label)} is there twice, by its label or its value: answers could not be told apart.`,
  option_label_length: ({ label, most }) =>
    `The option ${quotedInEnglish(label)} is too long: with so many options the channel shows ${counted(most, 'character', 'characters')} of each.`,
  bounds_in_order: () => 'The largest value that is taken is smaller than the smallest.',
  tags_given: () => 'Name a tag to add or to remove.',
  field_exists: ({ key }) => `Contacts have no field ${quotedInEnglish(key)}. Add it first.`,
  member_exists: () =>
    'Whoever is to have the conversation is no member of the account any more. Choose somebody else.',
  file_exists: () => 'The file is not there any more. Upload it for flows, or choose another one.',
  service_bookable: () =>
    'This service cannot be booked: choose one that is on and has people or rooms with hours.',
  service_needs_resource: () => 'This person or room is none that the service needs.',
  number_to_compare: () => 'What it is compared with is no number. Write one, such as 100 or 99.5.',
  list_to_compare: () =>
    'The list to compare with is empty. Write its words with commas between them.',
  opening_hours_set: () => "The company's opening hours are not set. Set them first.",
  connection_exists: () =>
    'The API connection of this call is not there any more. Choose another one.',
  connection_on: ({ name }) =>
    `The API connection ${quotedInEnglish(name)} is switched off: the step takes its Failed path until it is on.`,
  request_valid: ({ field, said }, tell) => `The ${field} ${tell(said)}.`,
}
