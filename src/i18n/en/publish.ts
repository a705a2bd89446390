import type { PublishFacts } from '../../core/facts/publish.ts'
import { counted, written } from '../counted.ts'
import { inEnglish, quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'
import { lengthInEnglish, partInEnglish } from './runs.ts'

const version = ({ template, language }: { template: string; language: string }) =>
  `The template ${quotedInEnglish(template)} (${language})`

export const EN_PUBLISH: Catalog<PublishFacts> = {
  in_plan: ({ plan }) => `Automations aren’t included in the ${plan} plan.`,
  flows_of_plan: ({ plan, max }) =>
    `The ${plan} plan allows ${counted(max, 'active flow', 'active flows')}. Switch another one off first.`,
  calls_not_in_plan: ({ plan }) =>
    `Calling your system isn’t included in the ${plan} plan, so these steps take their Failed path.`,
  channel_not_chosen: () => 'Choose the channel this flow runs on.',
  channel_gone: () => 'The channel this flow runs on no longer exists. Choose another one.',
  channel_connected: () => 'The channel isn’t connected. Reconnect it.',
  channel_type_sends_nothing: ({ channelType }) =>
    `Messages can’t be sent on ${channelType} channels.`,
  channel_type_has_no_templates: ({ channelType }) =>
    `${channelType} channels don’t support templates.`,

  start_exists: ({ step }) =>
    `The flow starts at the step ${quotedInEnglish(step)}, which doesn’t exist.`,
  reachable: ({ step }) => `The step ${quotedInEnglish(step)} can’t be reached from the start.`,
  next_exists: ({ step, exit, to }) =>
    `${quotedInEnglish(exit)} of the step ${quotedInEnglish(step)} leads to ${quotedInEnglish(to)}, which doesn’t exist.`,
  loop_waits: ({ step }) =>
    `The flow loops back to the step ${quotedInEnglish(step)} without waiting in between.`,
  calls_in_a_row: ({ max, calls }) =>
    `A flow can make at most ${counted(max, 'call', 'calls')} between two customer messages. On the path ${calls.map(quotedInEnglish).join(', ')}, the last call is one too many.`,
  template_first: ({ step }) =>
    `A flow that messages the customer first must start with a template, but the step ${quotedInEnglish(step)} can come before one.`,
  template_first_or_window: ({ step }) =>
    `The step ${quotedInEnglish(step)} can come before a template, so this flow works only for customers who wrote recently.`,
  template_never_sent: () =>
    'A flow that messages the customer first must send a template, but this one never does.',
  reply_window: ({ step, hours }) =>
    `The step ${quotedInEnglish(step)} can come before the customer replies. It fails if they haven’t written in the last ${counted(hours, 'hour', 'hours')}.`,
  variable_set: ({ step, variable }) =>
    `No step before ${quotedInEnglish(step)} sets the variable ${quotedInEnglish(variable)}, so it’s empty.`,

  text_length: ({ length, max, unit }) =>
    `The message is too long: ${lengthInEnglish(length, unit)}. The channel allows at most ${written(max)}.`,
  template_version_missing: ({ template, language }) =>
    `The template ${quotedInEnglish(template)} has no version in ${language}.`,
  template_version_not_approved: ({ template, language, status }) =>
    `The template ${quotedInEnglish(template)} isn’t approved in ${language}: its status is ${status}.`,
  template_version_not_fillable: (of) =>
    `${version(of)} has ${partInEnglish(of)}, which flows can’t fill in.`,
  template_header_needed: (of) => `${version(of)} needs a value for its header.`,
  template_value_needed: (of) =>
    `${version(of)} needs a value for ${inEnglish(`{{${of.variable}}}`)} in its text.`,
  template_link_needed: (of) =>
    `${version(of)} needs a value for the link of button ${of.index}, ${quotedInEnglish(of.button)}.`,
  options_given: () => 'Add at least one option.',
  options_differ: ({ label }) =>
    `The option ${quotedInEnglish(label)} has the same label or value as another, so answers would be ambiguous.`,
  option_label_length: ({ label, max }) =>
    `The option ${quotedInEnglish(label)} is too long. With this many options, the channel shows only ${counted(max, 'character', 'characters')} of each.`,
  bounds_in_order: () => 'The maximum is smaller than the minimum.',
  tags_given: () => 'Enter a tag to add or remove.',
  field_exists: ({ key }) => `There’s no contact field ${quotedInEnglish(key)}. Add it first.`,
  member_exists: () => 'The assignee is no longer a member of this account. Choose someone else.',
  file_exists: () => 'The file no longer exists. Upload it again, or choose another one.',
  service_bookable: () =>
    'This service can’t be booked. Choose one that’s on and has people or rooms with hours.',
  service_needs_resource: () => 'The service doesn’t use this person or room. Choose another one.',
  number_to_compare: () =>
    'The value to compare with isn’t a number. Enter one, such as 100 or 99.5.',
  list_to_compare: () => 'The list to compare with is empty. Enter values separated by commas.',
  value_to_compare: () =>
    'The value to compare with is empty. Enter one, or choose “is empty” as the comparison.',
  opening_hours_set: () => 'Opening hours aren’t set. Set them in Settings first.',
  connection_exists: () => 'The API connection for this call no longer exists. Choose another one.',
  connection_on: ({ name }) =>
    `The API connection ${quotedInEnglish(name)} is switched off. Until it’s on, this step takes its Failed path.`,
  request_valid: ({ field, said }, format) => `The ${field} ${format(said)}.`,
}
