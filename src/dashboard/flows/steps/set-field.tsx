import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { FilledText, OneOf } from './fields.tsx'
import { mainNext, onlyNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type SetField = StepOf<'set_field'>

export const SET_FIELD: StepKindDesign<SetField> = {
  icon: 'edit',
  group: 'customer',
  make: ({ fields }) => ({ kind: 'set_field', key: fields[0]?.key ?? '', text: '', next: null }),
  exits: onlyNext,
  main: mainNext,
  summary: ({ key, text }, say, { fields }) => ({
    title: fields.find((field) => field.key === key)?.label ?? (key || say('nothing_yet')),
    detail: text || say('empty'),
  }),
  Form,
}

function Form({ step, field }: FormProps<SetField>) {
  const t = useWords(formWords)
  const { fields } = useBuilderContext()
  const isGone = step.key !== '' && !fields.some(({ key }) => key === step.key)
  return (
    <>
      <OneOf
        label={t('contact_field')}
        help={fields.length === 0 ? t('no_fields') : undefined}
        options={[
          ...fields.map(({ key, label }) => ({ value: key, label })),
          ...(isGone ? [{ value: step.key, label: step.key }] : []),
        ]}
        {...field('key')}
      />
      <FilledText label={t('value')} help={t('field_value_help')} {...field('text')} />
    </>
  )
}
