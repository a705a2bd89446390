import { useWords } from '../../words/use-words.tsx'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { Minutes, SaveAs } from './fields.tsx'
import { lengthOf } from './length.ts'
import { mainNext, type FormProps, type StepKindDesign } from './step-kind.ts'

type WaitForReply = StepOf<'wait_for_reply'>

export const WAIT_FOR_REPLY: StepKindDesign<WaitForReply> = {
  icon: 'reply',
  group: 'talk',
  make: () => ({
    kind: 'wait_for_reply',
    saveAs: 'answer',
    timeoutMinutes: 24 * 60,
    next: null,
    onTimeout: null,
  }),
  exits: ({ next, onTimeout }) => [
    { exit: 'next', to: next, label: (say) => say('exit_replied'), tone: 'ok' },
    { exit: 'onTimeout', to: onTimeout, label: (say) => say('exit_timeout'), tone: 'bad' },
  ],
  main: mainNext,
  needsTemplateBefore: true,
  sets: ({ saveAs }, exit) => (saveAs !== null && exit === 'next' ? [saveAs] : []),
  summary: ({ saveAs, timeoutMinutes }, say) => ({
    title: say('up_to', { length: lengthOf(timeoutMinutes, say) }),
    ...(saveAs !== null && { detail: say('kept_as', { name: saveAs }) }),
  }),
  Form,
}

function Form({ field }: FormProps<WaitForReply>) {
  const t = useWords(formWords)
  return (
    <>
      <Minutes
        label={t('waits_at_most')}
        help={t('waits_at_most_help')}
        {...field('timeoutMinutes')}
      />
      <SaveAs {...field('saveAs')} />
    </>
  )
}
