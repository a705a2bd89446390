/**
 * Prepares the message that a step sends. Conditions may have changed since the run started: the template was paused,
 * the service window closed.
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

/** A message ready to queue, or the end of a run that cannot send it. */
export type PreparedSend = { kind: 'ready'; content: Outbound; text: string | null } | RunEnd

/** The templates and files that the sends of a batch refer to. */
export type SendMaterial = {
  /** Versions of the templates, in every language of the channels. */
  versions: readonly TemplateVersion[]
  files: readonly KeptFile[]
}

type TemplateContent = Extract<SendContent, { kind: 'template' }>

/** Returns a step's message, or the end of the run when it may not be sent. */
export function prepareSend(
  loaded: LoadedRun,
  content: SendContent,
  { versions, files }: SendMaterial,
  now: Date,
): PreparedSend {
  if (content.kind === 'template') {
    const ofStep = versions.filter(
      ({ channelId, name }) => channelId === loaded.channel.id && name === content.template,
    )
    return whyNotSent(loaded, A_TEMPLATE, now) ?? prepareTemplate(loaded, content, ofStep)
  }
  if (content.kind === 'media') return prepareFile(loaded, content, files, now)
  const text = content.text.trim()
  const options = content.kind === 'question' ? content.options : []
  const capabilities = capabilitiesOf(loaded.conversation.channelType)
  const message: Outbound = shapeQuestion(capabilities, text, options)
  const refused = whyNotSent(loaded, message, now)
  if (refused) return refused
  if (text === '') return failed('error', fact('text_empty'))
  const shown = options.length === 0 ? text : numbered(text, options)
  return { kind: 'ready', content: message, text: shown }
}

function prepareFile(
  loaded: LoadedRun,
  { fileId, caption }: Extract<SendContent, { kind: 'media' }>,
  files: readonly KeptFile[],
  now: Date,
): PreparedSend {
  const file = files.find(
    ({ id, companyId }) => id === fileId && companyId === loaded.run.companyId,
  )
  if (!file) return failed('error', fact('file_exists'))
  const { channelType } = loaded.conversation
  const prepared = prepareMedia(file, { channelType, caption })
  if (!prepared.ok) return failed('error', prepared.reason)
  const refused = whyNotSent(loaded, prepared.content, now)
  return refused ?? { kind: 'ready', content: prepared.content, text: prepared.content.caption }
}

/** A placeholder: whether a template may be sent does not depend on its content. */
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
      // Staff handling was checked when the run proceeded to the step.
      handling: null,
      lastCustomerAt: conversation.lastCustomerAt,
    },
    content,
    now,
  )
  return refusal && failed('error', refusal.detail)
}

/** Returns the end of a run that has no template quota left. Spec: Flows › Automated templates. */
export function quotaExceeded({ templatesPerDay }: LoadedRun, by: 'account' | 'customer'): RunEnd {
  return failed(
    'limit_exceeded',
    by === 'account'
      ? fact('account_templates_used_up', { max: templatesPerDay })
      : fact('customer_templates_used_up', { max: TEMPLATE_LIMITS.perCustomer }),
  )
}

function prepareTemplate(
  loaded: LoadedRun,
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
    (option) => buttonPayload({ runId: loaded.run.id, stepId: null, option }),
  )
  return filled.ok ? { kind: 'ready', ...filled.value } : failed('error', filled.why)
}
