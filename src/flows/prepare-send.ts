/**
 * The checks at the moment of effect, and the message that a step sends. What was true when the run
 * started may no longer be: the customer opted out, staff took over, the plan was left, the template
 * was paused, the service window closed.
 */
import type { Transaction } from 'kysely'
import {
  capabilitiesOf,
  mayReply,
  whyTooLong,
  type Capabilities,
} from '../channels/capabilities.ts'
import type { Outbound, TemplateComponent } from '../channels/channel-adapter.ts'
import { cleanParameter, readTemplateSlots } from '../channels/whatsapp/template-slots.ts'
import type { DB } from '../database/tables.ts'
import { HOUR_MS, TEMPLATE_LIMITS } from '../limits.ts'
import { reserveTemplate, type TemplateSend } from '../messaging/template-allowance.ts'
import { renderTemplate } from '../messaging/render-template.ts'
import { fillText, type Fillings } from '../rules/placeholders.ts'
import { pickLanguage } from '../rules/template-language.ts'
import { failed, type RunEnd, type SendStep, type Variables } from './advance.ts'
import type { RunDropped } from './end-run.ts'
import { mayNotAct } from './interruption.ts'
import type { RunInHand } from './read-run.ts'

export type PreparedSend =
  | {
      kind: 'ready'
      message: Outbound
      text: string
      /** The places of the allowances that a template has taken. */
      templateSend?: TemplateSend
    }
  | RunEnd
  | RunDropped

export async function prepareSend(
  tx: Transaction<DB>,
  now: Date,
  hand: RunInHand,
  step: SendStep,
  variables: Variables,
): Promise<PreparedSend> {
  const { run, conversation } = hand
  const refusal = mayNotAct(hand, now)
  if (refusal) return refusal
  const channel = await tx
    .selectFrom('channel')
    .select(['isConnected', 'disconnectedReason'])
    .where('id', '=', run.channelId)
    .executeTakeFirstOrThrow()
  if (!channel.isConnected) {
    return failed(
      'error',
      `The channel is not connected${channel.disconnectedReason ? ` (${channel.disconnectedReason})` : ''}. Connect it again.`,
    )
  }
  const fillings = { vars: variables, contact: contactFillings(hand) }
  if (step.kind === 'send_template') return prepareTemplate(tx, now, hand, step, fillings)
  const capabilities = capabilitiesOf(conversation.channelType)
  if (!mayReply(capabilities, conversation.serviceWindowEndsAt, now)) {
    return failed('error', whyNoReply(capabilities))
  }
  const text = fillText(step.text, fillings).trim()
  if (text === '') return failed('error', 'The message to send came out empty.')
  const tooLong = whyTooLong(text, capabilities)
  if (tooLong) return failed('error', `The message to send came out too long: ${tooLong}.`)
  return { kind: 'ready', message: { kind: 'text', text }, text }
}

function whyNoReply({ reply, afterWindow }: Capabilities): string {
  if (reply.kind !== 'window') return 'Nothing can be sent on this channel.'
  const sendable =
    afterWindow === 'template' ? 'only a template can be sent' : 'nothing can be sent'
  return `More than ${reply.windowMs / HOUR_MS} hours since the customer last wrote: ${sendable}.`
}

/**
 * Takes a place of the template allowances for a template that is about to go out; the run's end when
 * one of them is used up. Spec: Flows › Automated templates.
 */
async function reserveSend(
  tx: Transaction<DB>,
  now: Date,
  { accountId, run, templatesPerDay }: RunInHand,
): Promise<TemplateSend | RunEnd> {
  const send = {
    accountId,
    companyId: run.companyId,
    contactId: run.contactId,
    runId: run.id,
    perDay: templatesPerDay,
  }
  switch (await reserveTemplate(tx, now, send)) {
    case 'reserved':
      return send
    case 'account':
      return failed(
        'limit_exceeded',
        `The account's ${templatesPerDay} automated templates of this day (UTC) are used up.`,
      )
    case 'customer':
      return failed(
        'limit_exceeded',
        `The customer had ${TEMPLATE_LIMITS.perCustomer} automated templates in the last 24 hours.`,
      )
  }
}

/** What `{{contact.…}}` stands for in a run. */
export function contactFillings({ contact }: RunInHand): Fillings['contact'] {
  return { name: contact?.name ?? null, phone: contact?.phone ?? null }
}

async function prepareTemplate(
  tx: Transaction<DB>,
  now: Date,
  hand: RunInHand,
  step: Extract<SendStep, { kind: 'send_template' }>,
  fillings: Fillings,
): Promise<PreparedSend> {
  const { run } = hand
  const versions = await tx
    .selectFrom('template')
    .selectAll()
    .where('channelId', '=', run.channelId)
    .where('name', '=', step.template)
    .orderBy('language')
    .execute()
  const approved = versions.filter((version) => version.status === 'APPROVED')
  const template = pickLanguage(approved, [run.language, step.language])
  if (!template) return failed('error', whyNoTemplate(step, versions))
  const components = JSON.parse(template.components) as TemplateComponent[]
  const slots = readTemplateSlots(components)
  if (slots.unsupported) {
    return failed(
      'error',
      `The template "${step.template}" has ${slots.unsupported}, which a flow cannot fill.`,
    )
  }
  const filled = (text: string) => cleanParameter(fillText(text, fillings))
  const body = slots.body.map((name, place) => ({
    name,
    text: filled(
      step.body.find((value) => value.name === name)?.text ?? step.body[place]?.text ?? '',
    ),
  }))
  const header = slots.header ? { name: slots.header, text: filled(step.header ?? '') } : undefined
  const urlSuffixes = slots.urlSuffixes.map(({ index }) => ({
    index,
    name: `button ${index + 1}`,
    text: filled(step.urlSuffixes.find((suffix) => suffix.index === index)?.text ?? ''),
  }))
  const values = [...body, ...(header ? [header] : []), ...urlSuffixes]
  const empty = values.find((value) => value.text === '')
  if (empty) {
    return failed(
      'error',
      `The value "${empty.name}" of the template "${step.template}" came out empty.`,
    )
  }
  const message: Outbound = {
    kind: 'template',
    name: template.name,
    language: template.language,
    parameterFormat: template.parameterFormat === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    body,
    ...(header ? { header } : {}),
    quickReplies: slots.quickReplies.map(({ index }) => ({
      index,
      payload: `run:${run.id}:${index}`,
    })),
    urlSuffixes: urlSuffixes.map(({ index, text }) => ({ index, text })),
  }
  const templateSend = await reserveSend(tx, now, hand)
  if ('kind' in templateSend) return templateSend
  return { kind: 'ready', message, text: renderTemplate(components, message), templateSend }
}

/** In the words of whoever must mend it: what the channel has of the template, and its status. */
function whyNoTemplate(
  step: Extract<SendStep, { kind: 'send_template' }>,
  versions: readonly { language: string; status: string }[],
): string {
  if (versions.length === 0) return `The channel has no template "${step.template}".`
  const known = versions.map(({ language, status }) => `${language}: ${status}`).join(', ')
  return `The template "${step.template}" is not approved in ${step.language} (${known}).`
}
