/**
 * The message that a step sends, filled in. What was true when the run started may no longer be: the
 * template was paused, the service window closed.
 */
import type { Outbound } from '../../channels/channel-adapter.ts'
import { fact } from '../../../core/facts/fact.ts'
import { TEMPLATE_LIMITS } from '../../../core/limits/messaging.ts'
import { fillTemplate } from '../../messaging/fill-template.ts'
import { refusalOfSend } from '../../messaging/may-send.ts'
import type { KeptFile } from '../../files/files-to-send.ts'
import { prepareMedia } from '../../messaging/prepare-media.ts'
import type { TemplateVersion } from '../../messaging/read-templates-to-send.sql.ts'
import { buttonPayload } from '../../../rules/flows/button-payload.ts'
import { numbered, shapeQuestion } from '../../../rules/flows/shape-question.ts'
import { capabilitiesOf } from '../../../rules/messaging/channel-capabilities.ts'
import { failed, type RunEnd, type SendContent } from './interpret-flow.ts'
import type { LoadedRun } from './load-runs.sql.ts'

export type PreparedSend = { kind: 'ready'; content: Outbound; text: string | null } | RunEnd

/** What the sends of a batch name. */
export type SendMaterial = {
  /** Of the templates, in every language that the channels have them in. */
  versions: readonly TemplateVersion[]
  files: readonly KeptFile[]
}

type TemplateContent = Extract<SendContent, { kind: 'template' }>

export function prepareSend(
  hand: LoadedRun,
  content: SendContent,
  { versions, files }: SendMaterial,
  now: Date,
): PreparedSend {
  if (content.kind === 'template') {
    const ofStep = versions.filter(
      ({ channelId, name }) => channelId === hand.channel.id && name === content.template,
    )
    return whyNotSent(hand, A_TEMPLATE, now) ?? prepareTemplate(hand, content, ofStep)
  }
  if (content.kind === 'media') return prepareFile(hand, content, files, now)
  const text = content.text.trim()
  const options = content.kind === 'question' ? content.options : []
  const capabilities = capabilitiesOf(hand.conversation.channelType)
  const message: Outbound = shapeQuestion(capabilities, text, options)
  const refused = whyNotSent(hand, message, now)
  if (refused) return refused
  if (text === '') return failed('error', fact('text_empty'))
  const shown = options.length === 0 ? text : numbered(text, options)
  return { kind: 'ready', content: message, text: shown }
}

function prepareFile(
  hand: LoadedRun,
  { fileId, caption }: Extract<SendContent, { kind: 'media' }>,
  files: readonly KeptFile[],
  now: Date,
): PreparedSend {
  const file = files.find(({ id, companyId }) => id === fileId && companyId === hand.run.companyId)
  if (!file) return failed('error', fact('file_exists'))
  const { channelType } = hand.conversation
  const prepared = prepareMedia(file, { channelType, caption })
  if (!prepared.ok) return failed('error', prepared.reason)
  const refused = whyNotSent(hand, prepared.content, now)
  return refused ?? { kind: 'ready', content: prepared.content, text: prepared.content.caption }
}

/** Whether any template may go does not depend on what it says. */
const A_TEMPLATE = { kind: 'template' } as Outbound

function whyNotSent(
  { conversation, contact, plan, channel }: LoadedRun,
  content: Outbound,
  now: Date,
): RunEnd | null {
  const refusal = refusalOfSend(
    {
      channel: { ...channel, type: conversation.channelType },
      plan,
      by: 'flow',
      optedOutAt: contact?.optedOutAt ?? null,
      // Whether staff's handling keeps the run out was asked when it went to the step.
      handling: null,
      lastCustomerAt: conversation.lastCustomerAt,
    },
    content,
    now,
  )
  return refusal && failed('error', refusal.detail)
}

/** The end of a run for whose template an allowance has no place. Spec: Flows › Automated templates. */
export function quotaExceeded({ templatesPerDay }: LoadedRun, by: 'account' | 'customer'): RunEnd {
  return failed(
    'limit_exceeded',
    by === 'account'
      ? fact('account_templates_used_up', { most: templatesPerDay })
      : fact('customer_templates_used_up', { most: TEMPLATE_LIMITS.perCustomer }),
  )
}

function prepareTemplate(
  hand: LoadedRun,
  content: TemplateContent,
  versions: readonly TemplateVersion[],
): PreparedSend {
  const filled = fillTemplate(
    {
      ...content,
      name: content.template,
      languages: [content.runLanguage, content.language],
    },
    versions,
    (option) => buttonPayload({ runId: hand.run.id, stepId: null, option }),
  )
  return filled.ok ? { kind: 'ready', ...filled.value } : failed('error', filled.why)
}
