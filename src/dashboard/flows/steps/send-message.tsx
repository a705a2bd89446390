import { CAPABILITIES } from '../../../rules/messaging/channel-capabilities.ts'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { FilledText, NotSentExit } from './fields.tsx'
import {
  mainNext,
  onlyNext,
  optionalExit,
  type FormProps,
  type StepKindDesign,
} from './step-kind.ts'

type SendMessage = StepOf<'send_message'>

export const SEND_MESSAGE: StepKindDesign<SendMessage> = {
  icon: 'channels',
  group: 'talk',
  make: () => ({ kind: 'send_message', text: '', next: null, onNotSent: null }),
  exits: (step) => [
    ...onlyNext(step),
    ...optionalExit('onNotSent', step.onNotSent, 'exit_not_sent'),
  ],
  main: mainNext,
  needsTemplateBefore: true,
  summary: ({ text }, say) => ({ title: text || say('nothing_yet') }),
  Form,
}

function Form({ step, openExit, closeExit, field }: FormProps<SendMessage>) {
  const t = useWords(formWords)
  const { channel } = useBuilderContext()
  return (
    <>
      <FilledText
        label={t('text')}
        max={(channel && CAPABILITIES[channel.type].longestText) ?? undefined}
        unit={channel ? CAPABILITIES[channel.type].textUnit : undefined}
        {...field('text')}
      />
      <NotSentExit step={step} openExit={openExit} closeExit={closeExit} />
    </>
  )
}
