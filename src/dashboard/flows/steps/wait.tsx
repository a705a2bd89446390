import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { Either, Minutes } from './fields.tsx'
import { lengthOf } from './length.ts'
import { mainNext, onlyNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type Wait = StepOf<'wait'>

const HOUR = 60

export const WAIT: StepKindDesign<Wait> = {
  icon: 'clock',
  group: 'decide',
  make: () => ({ kind: 'wait', until: { kind: 'minutes', minutes: HOUR }, next: null }),
  exits: onlyNext,
  main: mainNext,
  needsTemplateBefore: true,
  summary: ({ until }, say) => ({
    title: until.kind === 'open' ? say('until_open') : lengthOf(until.minutes, say),
  }),
  Form,
}

function Form({ id, step, set }: FormProps<Wait>) {
  const t = useWords(formWords)
  const { until } = step
  return (
    <>
      <Either
        label={t('wait_for')}
        value={until.kind}
        options={[
          { value: 'minutes', label: t('wait_length') },
          { value: 'open', label: t('wait_open') },
        ]}
        onChange={(kind) => set({ until: kind === 'open' ? { kind } : { kind, minutes: HOUR } })}
      />
      {until.kind === 'minutes' ? (
        <Minutes
          at={`steps.${id}.until.minutes`}
          label={t('wait_length')}
          help={t('wait_help')}
          value={until.minutes}
          onChange={(minutes) => set({ until: { kind: 'minutes', minutes } })}
        />
      ) : (
        <p>{t('wait_open_help')}</p>
      )}
    </>
  )
}
