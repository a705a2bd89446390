import { CAPABILITIES } from '../../../rules/messaging/channel-capabilities.ts'
import { useWords } from '../../words/use-words.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { StepOf } from '../draft.ts'
import { formWords } from '../words-forms.ts'
import { FilledText, WayNotSent } from './fields.tsx'
import { mainNext, onlyNext, sideWay, type FormProps, type StepKindDesign } from './step-kind.ts'

type SendMessage = StepOf<'send_message'>

export const SEND_MESSAGE: StepKindDesign<SendMessage> = {
  icon: 'channels',
  group: 'talk',
  make: () => ({ kind: 'send_message', text: '', next: null, onNotSent: null }),
  exits: (step) => [...onlyNext(step), ...sideWay('onNotSent', step.onNotSent, 'exit_not_sent')],
  main: mainNext,
  needsWindow: true,
  summary: ({ text }, say) => ({ title: text || say('nothing_yet') }),
  Form,
}

function Form({ id, step, set, openWay, closeWay }: FormProps<SendMessage>) {
  const t = useWords(formWords)
  const { channel } = useBuilderContext()
  return (
    <>
      <FilledText
        at={`steps.${id}.text`}
        label={t('text')}
        value={step.text}
        stepId={id}
        max={(channel && CAPABILITIES[channel.type].longestText) ?? undefined}
        unit={channel ? CAPABILITIES[channel.type].textUnit : undefined}
        onChange={(text) => set({ text })}
      />
      <WayNotSent step={step} openWay={openWay} closeWay={closeWay} />
    </>
  )
}
