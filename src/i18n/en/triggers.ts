import type { TriggerFacts } from '../../core/facts/triggers.ts'
import { counted } from '../counted.ts'
import { quotedInEnglish } from '../isolate.ts'
import type { Catalog } from '../catalog.ts'

export const EN_TRIGGERS: Catalog<TriggerFacts> = {
  trigger_hooks_not_in_plan: ({ plan }) =>
    `Starting flows from your system isn’t included in the ${plan} plan, so the hook URL returns not_in_plan.`,
  trigger_cannot_begin: ({ channelType }) =>
    `A flow that messages the customer first needs a channel that can start conversations; ${channelType} can’t.`,
  trigger_keyword_empty: ({ word }) =>
    `The keyword ${quotedInEnglish(word)} has nothing a customer could type. Add a letter, digit or symbol.`,
  trigger_keyword_too_long: ({ word }) =>
    `The keyword ${quotedInEnglish(word)} is too long once its symbols are written out. Use fewer of them.`,
  trigger_keyword_taken: ({ word, flow }) =>
    `The flow ${quotedInEnglish(flow)} also uses the keyword ${quotedInEnglish(word)} on this channel. The one published first starts.`,
  trigger_first_message_taken: ({ flow }) =>
    `The flow ${quotedInEnglish(flow)} already starts on a customer’s first message on this channel. Switch it off first.`,
  trigger_template_missing: ({ template }) =>
    `The channel has no template ${quotedInEnglish(template)}.`,
  trigger_button_missing: ({ template, button, buttons }) =>
    `The template ${quotedInEnglish(template)} has no button ${quotedInEnglish(button)}${buttons.length === 0 ? '; it has no reply buttons' : `. Choose ${buttons.map(quotedInEnglish).join(' or ')}`}.`,
  trigger_button_taken: ({ template, button, flow }) =>
    `The flow ${quotedInEnglish(flow)} also starts on the button ${quotedInEnglish(button)} of the template ${quotedInEnglish(template)}. The one published first starts.`,
  run_left_for_another: () => 'The customer started another flow instead of replying.',
  flow_changed: () =>
    'Someone else changed this flow while you were editing. Review it before you save.',
  start_flow_off: () =>
    'The flow isn’t published or is switched off. Publish it or switch it on first.',
  start_flow_beyond_plan: ({ plan, max }) =>
    `The flow is over the ${plan} plan’s limit of ${counted(max, 'flow', 'flows')}. Switch another one off first.`,
  start_flow_not_manual: ({ trigger }) =>
    `Only flows with the trigger "manual" can be started by hand; this one is started by "${trigger}".`,
  start_channel_not_connected: () => 'The flow’s channel isn’t connected. Reconnect it.',
  start_contact_not_on_channel: () =>
    'has no conversation on the flow’s channel and no phone number. Choose another contact',
  contact_without_number: () =>
    'The contact has no phone number. Add one, or wait until they write.',
  start_opted_out: () => 'The customer has opted out. Don’t message them another way.',
  start_window_closed: ({ step }) =>
    `The customer hasn’t written recently, so the flow must send a template first, but the step ${quotedInEnglish(step)} can come before one.`,
}
