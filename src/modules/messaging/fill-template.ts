import type { Outbound } from '../channels/channel-adapter.ts'
import type { TemplateComponent } from '../channels/outbound.ts'
import { cleanParameter, readTemplateSlots } from '../channels/template-slots.ts'
import { fact, type Fact } from '../../core/facts/fact.ts'
import { pickTemplateVersion } from '../../rules/messaging/template-language.ts'
import type { TemplateVersion } from './read-templates-to-send.sql.ts'

type TemplateMessage = Extract<Outbound, { kind: 'template' }>

/** Returns the text that the customer will read: header, body and footer with the values filled in. */
function renderTemplate(
  components: readonly TemplateComponent[],
  message: Pick<TemplateMessage, 'body' | 'header'>,
): string {
  const part = (type: string) =>
    components.find((component) => component.type.toUpperCase() === type)?.text ?? ''
  const fill = (text: string, values: { name: string; text: string }[]) =>
    text.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (whole, name: string) => {
      return values.find((value) => value.name === name)?.text ?? whole
    })
  return [
    fill(part('HEADER'), message.header ? [message.header] : []),
    fill(part('BODY'), message.body),
    part('FOOTER'),
  ]
    .filter((text) => text !== '')
    .join('\n\n')
}

/** A template to send, with the values of its slots. */
export type TemplateToFill = {
  name: string
  /** Preferred languages, the best first. */
  languages: readonly (string | null)[]
  body: readonly { name: string; text: string }[]
  header: string | null
  urlSuffixes: readonly { index: number; text: string }[]
}

/** A message made from a template, and its text as the customer will read it. */
export type FilledTemplate = { content: Outbound; text: string }

/**
 * Returns the message of a template in the first preferred language that exists, with its text. Refuses a template
 * that is not approved, has slots that cannot be filled, or lacks a value.
 *
 * @param versions the channel's versions of the template, one per language.
 * @param payloadOf returns the payload of the quick reply at an index.
 * Spec: Flows › Automated templates.
 */
export function fillTemplate(
  wanted: TemplateToFill,
  versions: readonly TemplateVersion[],
  payloadOf: (index: number) => string,
): { ok: true; value: FilledTemplate } | { ok: false; why: Fact } {
  const refuse = (why: Fact) => ({ ok: false, why }) as const
  const approved = versions.filter((version) => version.status === 'APPROVED')
  const template = pickTemplateVersion(approved, wanted.languages)
  if (!template) return refuse(whyNoTemplate(wanted, versions))
  const components = JSON.parse(template.components) as TemplateComponent[]
  const slots = readTemplateSlots(components)
  if (slots.unsupported) {
    return refuse(fact('template_not_fillable', { template: wanted.name, ...slots.unsupported }))
  }
  const body = slots.body.map((name, index) => ({
    name,
    text: cleanParameter(
      wanted.body.find((value) => value.name === name)?.text ?? wanted.body[index]?.text ?? '',
    ),
  }))
  const header = slots.header
    ? { name: slots.header, text: cleanParameter(wanted.header ?? '') }
    : undefined
  const urlSuffixes = slots.urlSuffixes.map(({ index }) => ({
    index,
    name: `button ${index + 1}`,
    text: cleanParameter(wanted.urlSuffixes.find((suffix) => suffix.index === index)?.text ?? ''),
  }))
  const values = [...body, ...(header ? [header] : []), ...urlSuffixes]
  const empty = values.find((value) => value.text === '')
  if (empty) {
    return refuse(fact('template_value_empty', { template: wanted.name, value: empty.name }))
  }
  const content: Extract<Outbound, { kind: 'template' }> = {
    kind: 'template',
    name: template.name,
    language: template.language,
    parameterFormat: template.parameterFormat === 'NAMED' ? 'NAMED' : 'POSITIONAL',
    body,
    ...(header ? { header } : {}),
    quickReplies: slots.quickReplies.map(({ index }) => ({ index, payload: payloadOf(index) })),
    urlSuffixes: urlSuffixes.map(({ index, text }) => ({ index, text })),
  }
  return { ok: true, value: { content, text: renderTemplate(components, content) } }
}

/** Returns why no template can be sent, for the member who can fix it: the channel's versions and their status. */
function whyNoTemplate(
  { name: template, languages }: TemplateToFill,
  versions: readonly { language: string; status: string }[],
): Fact {
  if (versions.length === 0) return fact('template_missing', { template })
  return fact('template_not_approved', {
    template,
    language: languages.findLast((language) => language !== null) ?? '',
    versions: versions.map((version) => ({ language: version.language, status: version.status })),
  })
}
