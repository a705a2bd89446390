import type { TemplateComponent } from '../channels/channel-adapter.ts'
import { readTemplateSlots } from '../channels/whatsapp/template-slots.ts'
import type { SendTemplateStep } from '../contract/flow-definition.ts'
import { pickLanguage } from '../rules/template-language.ts'
import type { PublishRule } from '../vocabulary.ts'

/** A template of the flow's channel, as the provider listed it last. */
export type KnownTemplate = {
  name: string
  language: string
  status: string
  components: readonly TemplateComponent[]
}

export type StepFault = { rule: PublishRule; message: string; isWarning: boolean }

/**
 * What is wrong with a step that sends a template: it must exist on the channel, be approved in the
 * step's language, and have a value for each of its places. What only another language version lacks
 * is a warning: a run may never pick it. Spec: Flows › Publishing; Concepts › Template.
 */
export function checkTemplateStep(
  step: SendTemplateStep,
  templates: readonly KnownTemplate[],
): StepFault[] {
  const versions = templates.filter((template) => template.name === step.template)
  if (versions.length === 0) {
    return [fault('template_exists', `The channel has no template "${step.template}".`)]
  }
  const approved = versions.filter((version) => version.status === 'APPROVED')
  const own = pickLanguage(approved, [step.language])
  if (!own) {
    const status = pickLanguage(versions, [step.language])?.status
    return [
      fault(
        'template_approved',
        status
          ? `The template "${step.template}" is not approved in ${step.language}: it is ${status}.`
          : `The template "${step.template}" has no version in ${step.language}.`,
      ),
    ]
  }
  return [
    ...faultsOfVersion(step, own),
    ...approved
      .filter((version) => version !== own)
      .flatMap((version) => faultsOfVersion(step, version))
      .map((found) => ({ ...found, isWarning: true })),
  ]
}

function faultsOfVersion(step: SendTemplateStep, version: KnownTemplate): StepFault[] {
  const called = `The template "${version.name}" (${version.language})`
  const slots = readTemplateSlots(version.components)
  if (slots.unsupported) {
    return [
      fault(
        'template_can_be_filled',
        `${called} has ${slots.unsupported}, which a flow cannot fill.`,
      ),
    ]
  }
  const missing = (what: string) => fault('value_given', `${called} needs a value for ${what}.`)
  const faults: StepFault[] = []
  if (slots.header && !step.header?.trim()) faults.push(missing('its header'))
  for (const [place, name] of slots.body.entries()) {
    const value = step.body.find((given) => given.name === name) ?? step.body[place]
    if (!value?.text.trim()) faults.push(missing(`{{${name}}} of its text`))
  }
  for (const { index, text } of slots.urlSuffixes) {
    const suffix = step.urlSuffixes.find((given) => given.index === index)
    if (!suffix?.text.trim()) faults.push(missing(`the link of its button "${text}" (${index})`))
  }
  return faults
}

function fault(rule: PublishRule, message: string): StepFault {
  return { rule, message, isWarning: false }
}
