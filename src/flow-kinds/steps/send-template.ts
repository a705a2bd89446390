import { z } from 'zod'
import { CAPABILITIES } from '../../rules/messaging/channel-capabilities.ts'
import { fact } from '../../core/facts/fact.ts'
import { pickTemplateVersion } from '../../rules/messaging/template-language.ts'
import {
  afterSend,
  filledText,
  ifNotSent,
  nextStep,
  stepIssue,
  variablesIn,
  type KnownTemplate,
  type StepDefinition,
  type StepIssue,
} from './step-design.ts'
import { INBOX_LIMITS } from '../../core/limits/inbox.ts'
import { TEMPLATE_FORM } from '../../core/limits/messaging.ts'

const schema = z.object({
  kind: z.literal('send_template'),
  template: z.string().min(1),
  /** The language of the template when the run's language has no approved version. */
  language: z.string().min(2),
  header: filledText.nullable(),
  /** One value per body variable, in the template's order or by its names. */
  body: z.array(z.object({ name: z.string(), text: filledText })).max(INBOX_LIMITS.templateValues),
  /** The ends of URL buttons with a variable; `index` counts all buttons. */
  urlSuffixes: z
    .array(z.object({ index: z.number().int().min(0), text: filledText }))
    .max(TEMPLATE_FORM.buttons)
    .default([]),
  next: nextStep,
  onNotSent: ifNotSent,
})
type SendTemplateStep = z.infer<typeof schema>

/** The step that sends a template with its values filled in. Spec: Flows › Steps; Flows › Automated templates. */
export const SEND_TEMPLATE = {
  schema,
  exits: ({ next, onNotSent }) => ({ next, onNotSent }),
  sends: 'template',
  template: ({ template: name, language }) => ({ name, language }),
  reads: ({ header, body, urlSuffixes }) =>
    variablesIn([header ?? '', ...[...body, ...urlSuffixes].map(({ text }) => text)]),
  enter({ template, language, header, body, urlSuffixes }, { fill, state }) {
    const content = {
      kind: 'template' as const,
      template,
      runLanguage: state.language,
      language,
      header: header === null ? null : fill(header),
      body: body.map(({ name, text }) => ({ name, text: fill(text) })),
      urlSuffixes: urlSuffixes.map(({ index, text }) => ({ index, text: fill(text) })),
    }
    return { kind: 'send', content }
  },
  resume: afterSend,
  issues(step, { channelType, templates }) {
    if (!channelType) return []
    if (CAPABILITIES[channelType].hasTemplates) return issuesOfTemplate(step, templates)
    return [stepIssue(null, 'channel_type', fact('channel_type_has_no_templates', { channelType }))]
  },
} satisfies StepDefinition<SendTemplateStep>

/**
 * Returns the issues of a template: it must exist on the channel, be approved in the step's language, and have a value
 * for each slot. Gaps of other language versions are warnings, because a run may never pick them.
 * Spec: Flows › Publishing; Concepts › Template.
 */
function issuesOfTemplate(
  step: SendTemplateStep,
  templates: readonly KnownTemplate[],
): StepIssue[] {
  const { template, language } = step
  const versions = templates.filter(({ name }) => name === template)
  if (versions.length === 0) {
    return [stepIssue('template', 'template_exists', fact('template_missing', { template }))]
  }
  const approved = versions.filter((version) => version.status === 'APPROVED')
  const own = pickTemplateVersion(approved, [language])
  if (!own) {
    const status = pickTemplateVersion(versions, [language])?.status
    const found = status
      ? fact('template_version_not_approved', { template, language, status })
      : fact('template_version_missing', { template, language })
    return [stepIssue('template', 'template_approved', found)]
  }
  return [
    ...issuesOfVersion(step, own),
    ...approved
      .filter((version) => version !== own)
      .flatMap((version) => issuesOfVersion(step, version))
      .map((found) => ({ ...found, isWarning: true })),
  ]
}

function issuesOfVersion(
  step: SendTemplateStep,
  { name: template, language, slots }: KnownTemplate,
): StepIssue[] {
  const version = { template, language }
  if (slots.unsupported) {
    const found = fact('template_version_not_fillable', { ...version, ...slots.unsupported })
    return [stepIssue('template', 'template_can_be_filled', found)]
  }
  const issues: StepIssue[] = []
  if (slots.header && !step.header?.trim()) {
    issues.push(stepIssue('header', 'value_given', fact('template_header_needed', version)))
  }
  for (const [place, variable] of slots.body.entries()) {
    const value = step.body.find((given) => given.name === variable) ?? step.body[place]
    if (value?.text.trim()) continue
    const needed = fact('template_value_needed', { ...version, variable })
    issues.push(stepIssue(`body[${place}]`, 'value_given', needed))
  }
  for (const { index, text: button } of slots.urlSuffixes) {
    if (step.urlSuffixes.find((given) => given.index === index)?.text.trim()) continue
    const needed = fact('template_link_needed', { ...version, button, index })
    issues.push(stepIssue('urlSuffixes', 'value_given', needed))
  }
  return issues
}
