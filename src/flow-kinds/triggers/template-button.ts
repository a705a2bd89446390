import { z } from 'zod'
import { fact } from '../../core/facts/fact.ts'
import { foldText } from '../../rules/text/fold-text.ts'
import type { TriggerDefinition, TriggerIssue } from './trigger-design.ts'
import { TEMPLATE_FORM } from '../../core/limits/messaging.ts'

const schema = z.object({
  kind: z.literal('template_button'),
  /** The template's name, which matches any language version. */
  template: z.string().max(TEMPLATE_FORM.nameChars),
  /** The label that the customer reads. */
  button: z.string().max(TEMPLATE_FORM.buttonLabelChars),
})

/** The trigger for a tap on a template's button. Spec: Flows › Triggers; readings F22, E10. */
export const TEMPLATE_BUTTON = {
  schema,
  opensWindow: true,
  needsTemplateFirst: false,
  mayRunDuringStaffHandling: false,
  sets: () => [],
  issues({ template, button }, { channelType, templates, others }) {
    const issues: TriggerIssue[] = []
    const phrase = foldText(button)
    const versions = templates.filter(({ name }) => name === template)
    if (versions.length === 0) {
      const missing = fact('trigger_template_missing', { template })
      if (channelType) issues.push({ rule: 'template_exists', fact: missing, isWarning: false })
    } else if (!versions.some(({ buttons }) => buttons.some((one) => foldText(one) === phrase))) {
      const buttons = [...new Set(versions.flatMap((version) => version.buttons))]
      const missing = fact('trigger_button_missing', { template, button, buttons })
      issues.push({ rule: 'button_exists', fact: missing, isWarning: false })
    }
    for (const other of others) {
      const isSame =
        other.kind === 'template_button' && other.key === template && other.phrase === phrase
      if (!isSame) continue
      const taken = fact('trigger_button_taken', { template, button, flow: other.flowName })
      issues.push({ rule: 'trigger_unique', fact: taken, isWarning: true })
    }
    return issues
  },
  byMessage: {
    precedence: 1,
    isExclusive: false,
    entriesOf: ({ template, button }) => [
      { key: template, phrase: foldText(button), isExact: true, interrupts: false },
    ],
    keysOf: ({ pressedTemplate }) => (pressedTemplate === null ? [] : [pressedTemplate]),
    fit: ({ phrase }, { text }) => (text === phrase ? { rank: 0, waitingRun: 'goes_on' } : null),
  },
} satisfies TriggerDefinition<z.infer<typeof schema>>
