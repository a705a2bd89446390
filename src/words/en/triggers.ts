import type { TriggerFacts } from '../../facts/triggers.ts'
import { counted } from '../counted.ts'
import { quotedInEnglish } from '../isolate.ts'
import type { Sentences } from '../sentences.ts'

export const EN_TRIGGERS: Sentences<TriggerFacts> = {
  trigger_hooks_not_in_plan: ({ plan }) =>
    `Starting flows from your system is not part of the ${plan} plan: the hook URL answers not_in_plan.`,
  trigger_cannot_begin: ({ channelType }) =>
    `A flow that writes to the customer first needs a channel that may begin a conversation; ${channelType} does not.`,
  trigger_keyword_empty: ({ word }) =>
    `The keyword ${quotedInEnglish(word)} has nothing that a customer could write: give it a letter, a digit or a sign.`,
  trigger_keyword_too_long: ({ word }) =>
    `The keyword ${quotedInEnglish(word)} is too long once its signs are written out: use fewer of them.`,
  trigger_keyword_taken: ({ word, flow }) =>
    `The flow ${quotedInEnglish(flow)} has the keyword ${quotedInEnglish(word)} on this channel too: the one that was published first starts.`,
  trigger_first_message_taken: ({ flow }) =>
    `The flow ${quotedInEnglish(flow)} is already started by a customer's first message on this channel. Switch it off first.`,
  trigger_template_missing: ({ template }) =>
    `The channel has no template ${quotedInEnglish(template)}.`,
  trigger_button_missing: ({ template, button, buttons }) =>
    `The template ${quotedInEnglish(template)} has no button ${quotedInEnglish(button)}${buttons.length === 0 ? '; it has none that a customer can answer with' : `. Choose ${buttons.map(quotedInEnglish).join(' or ')}`}.`,
  trigger_button_taken: ({ template, button, flow }) =>
    `The flow ${quotedInEnglish(flow)} is started by the button ${quotedInEnglish(button)} of the template ${quotedInEnglish(template)} too: the one that was published first starts.`,
  run_left_for_another: () => 'The customer began another flow instead of replying.',
  flow_changed: () =>
    'Somebody else changed this flow meanwhile. Look at it again before you save.',
  start_flow_off: () =>
    'The flow is not published or is switched off. Publish it or switch it on first.',
  start_flow_beyond_plan: ({ plan, most }) =>
    `The flow is beyond the ${counted(most, 'flow', 'flows')} of the ${plan} plan. Switch another one off first.`,
  start_flow_not_manual: ({ trigger }) =>
    `Members start flows with the trigger "manual"; this one is started by "${trigger}".`,
  start_channel_not_connected: () => 'The channel of the flow is not connected. Connect it again.',
  start_contact_not_on_channel: () =>
    'has neither a conversation on the channel of the flow nor a phone number: choose another contact',
  contact_without_number: () =>
    'The contact has no phone number to write to. Add one, or wait until they write.',
  start_opted_out: () => 'The customer has opted out. Do not message them another way.',
  start_window_closed: ({ step }) =>
    `The customer has not written lately, so the flow must send a template before anything else; the step ${quotedInEnglish(step)} can come before one.`,
}
