import type { RunCall, RunMessage, RunStepView } from '../../contract/dashboard/run.ts'
import type { StepKind } from '../flows/draft.ts'
import { stepWords } from '../flows/words-steps.ts'
import type { IconName } from '../parts/icons.ts'
import { Pill, type Tone } from '../parts/Pill.tsx'
import { Time } from '../parts/Time.tsx'
import { Timeline } from '../parts/Timeline.tsx'
import { useFormat } from '../words/format.ts'
import { useLanguageName } from '../words/use-language-name.ts'
import { useWords } from '../words/use-words.tsx'
import styles from './runs.module.css'
import { runsWords } from './words.ts'

/** The tone and icon of each status of a step. */
export const STEP_LOOKS = {
  started: ['busy', 'clock'],
  done: ['ok', 'check'],
  failed: ['bad', 'close'],
  interrupted: ['warn', 'rotate'],
} as const satisfies Record<RunStepView['status'], readonly [Tone, IconName]>

const MESSAGE_TONES: Readonly<Partial<Record<RunMessage['status'], Tone>>> = {
  failed: 'bad',
  unknown: 'warn',
  delivered: 'ok',
  read: 'ok',
}

/** The steps that a run has taken, as a timeline, oldest first. */
export function RunSteps({ steps }: { steps: readonly RunStepView[] }) {
  const t = useWords(runsWords)
  if (steps.length === 0) return t('no_steps')
  return (
    <Timeline
      label={t('steps')}
      moments={steps.map((step) => {
        const [tone, icon] = STEP_LOOKS[step.status]
        return { key: String(step.number), tone, icon, content: <Step step={step} /> }
      })}
    />
  )
}

/** A step type that this version does not know is shown by its code. */
const isKnown = (kind: string): kind is StepKind => Object.hasOwn(stepWords.en, kind)

function Step({ step }: { step: RunStepView }) {
  const t = useWords(runsWords)
  const say = useWords(stepWords)
  return (
    <>
      <div className={styles.stepHead}>
        <strong title={step.stepId}>
          {isKnown(step.kind) ? say(step.kind) : <bdi dir="ltr">{step.kind}</bdi>}
        </strong>
        <span {...(step.status === 'done' && { className: 'visually-hidden' })}>
          {t(`step_${step.status}`)}
        </span>
        <Time at={step.startedAt} as="timeWithSeconds" />
      </div>
      {step.detail !== null && <div>{step.detail.text}</div>}
      {step.message !== null && <Message message={step.message} />}
      {step.call !== null && <Call call={step.call} />}
    </>
  )
}

function Message({ message }: { message: RunMessage }) {
  const t = useWords(runsWords)
  const languageName = useLanguageName()
  const { status, text, templateName, templateLanguage, errorDetail } = message
  return (
    <div className={styles.message}>
      {templateName !== null && (
        <div>
          {t('template', {
            name: templateName,
            language: languageName(templateLanguage ?? ''),
          })}
        </div>
      )}
      {text !== null && <bdi className={styles.text}>{text}</bdi>}
      <Pill tone={MESSAGE_TONES[status] ?? 'busy'}>{t(`message_${status}`)}</Pill>
      {errorDetail !== null && <div>{errorDetail.text}</div>}
    </div>
  )
}

function Call({ call }: { call: RunCall }) {
  const t = useWords(runsWords)
  const format = useFormat()
  const request = `${call.method} ${call.host ?? ''}${call.path}`
  const time = format.milliseconds(call.durationMs)
  const { httpStatus } = call
  return (
    <div className={styles.message}>
      <div>
        {httpStatus === null
          ? t('call_failed', { request, time })
          : t('call_took', { request, time, status: String(httpStatus) })}
      </div>
      <div>{t('attempts', { n: call.attempts })}</div>
      {call.kept.length > 0 && <div>{t('kept', { names: format.list(call.kept) })}</div>}
    </div>
  )
}
