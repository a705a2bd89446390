import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { FilledText } from './fields.tsx'
import { mainNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type CancelAppointment = StepOf<'cancel_appointment'>

export const CANCEL_APPOINTMENT: StepKindDesign<CancelAppointment> = {
  icon: 'off',
  group: 'customer',
  make: () => ({ kind: 'cancel_appointment', reason: null, next: null, onNone: null }),
  exits: ({ next, onNone }) => [
    { exit: 'next', to: next, label: (say) => say('exit_cancelled'), tone: 'ok' },
    { exit: 'onNone', to: onNone, label: (say) => say('exit_none'), tone: 'bad' },
  ],
  main: mainNext,
  summary: ({ reason }, say) => ({
    title: say('cancel_summary'),
    ...(reason !== null && { detail: reason }),
  }),
  Form,
}

function Form({ text }: FormProps<CancelAppointment>) {
  const t = useWords(formWords)
  return (
    <>
      <p>{t('cancel_help')}</p>
      <FilledText label={t('reason')} {...text('reason')} />
    </>
  )
}
