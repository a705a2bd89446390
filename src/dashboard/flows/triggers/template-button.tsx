import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { TriggerOf } from '../draft.ts'
import { OneOf } from '../steps/fields.tsx'
import { formWords } from '../words-forms.ts'
import type { TriggerFormProps, TriggerKindDesign } from './trigger-kind.ts'

type TemplateButton = TriggerOf<'template_button'>

export const TEMPLATE_BUTTON: TriggerKindDesign<TemplateButton> = {
  icon: 'template',
  make: () => ({ kind: 'template_button', template: '', button: '' }),
  sets: () => [],
  summary: ({ template, button }, say) => ({
    title: button || say('nothing_yet'),
    ...(template !== '' && { detail: template }),
  }),
  Form,
}

function Form({ trigger, set, field }: TriggerFormProps<TemplateButton>) {
  const t = useWords(formWords)
  const { templates } = useBuilderContext()
  const withButtons = templates.filter(({ slots }) => slots.quickReplies.length > 0)
  const names = [...new Set(withButtons.map(({ name }) => name))]
  const buttonsOf = (name: string) => [
    ...new Set(
      withButtons
        .filter((one) => one.name === name)
        .flatMap(({ slots }) => slots.quickReplies.map(({ text }) => text)),
    ),
  ]
  return (
    <>
      <p>{t('template_button_help')}</p>
      <OneOf
        at="trigger.template"
        label={t('template')}
        value={trigger.template}
        options={withMissing(names, trigger.template)}
        onChange={(template) => set({ template, button: buttonsOf(template)[0] ?? '' })}
      />
      <OneOf
        label={t('button')}
        options={withMissing(buttonsOf(trigger.template), trigger.button)}
        {...field('button')}
      />
    </>
  )
}

/** Adds the chosen name to the list, so that it stays visible when the provider no longer lists it. */
function withMissing(names: readonly string[], chosen: string) {
  const all = chosen === '' || names.includes(chosen) ? names : [...names, chosen]
  return all.map((value) => ({ value, label: value }))
}
