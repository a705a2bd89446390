import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReplyDetail, StepView } from '../../../contract/dashboard/assistant-reply.ts'
import { GUARD_FAULTS } from '../../../vocabulary/reply-guard.ts'
import { useCompanyId } from '../../app/company.ts'
import { useMay } from '../../app/session.ts'
import { Ltr } from '../../parts/Code.tsx'
import type { IconName } from '../../parts/icons.ts'
import { Pill, type Tone } from '../../parts/Pill.tsx'
import { Time } from '../../parts/Time.tsx'
import { Timeline, type Moment } from '../../parts/Timeline.tsx'
import { useFormat } from '../../words/format.ts'
import { Rich, useWords } from '../../words/use-words.tsx'
import { useReasonName } from '../../inbox/Marks.tsx'
import { LongText } from './LongText.tsx'
import styles from './replies.module.css'
import { useDetailName } from './use-detail-name.ts'
import { stepWords } from './words-steps.ts'

/** What happened for a reply, oldest first, each with where in its time it lies. */
export function TraceSteps({ reply }: { reply: ReplyDetail }) {
  const t = useWords(stepWords)
  const reasonName = useReasonName()
  const ends = [
    ...(reply.endedAt === null ? [] : [Date.parse(reply.endedAt)]),
    ...reply.said.map(({ at }) => Date.parse(at)),
    ...reply.steps.map(({ at, durationMs }) => Date.parse(at) + (durationMs ?? 0)),
  ]
  const begins = Date.parse(reply.thinkingAt ?? reply.startedAt)
  const span: Span = { begins, ms: Math.max(1, Math.max(begins, ...ends) - begins) }
  const moments: Moment[] = [
    {
      key: 'heard',
      tone: 'off',
      icon: 'inbox',
      content: (
        <Step title={t('heard')} at={reply.heard.at(-1)?.at ?? reply.startedAt}>
          {reply.heard.length === 0 && <p className={styles.small}>{t('heard_gone')}</p>}
          {reply.heard.map(({ id, type, text, transcript }) => (
            <blockquote key={id} className={styles.quote} dir="auto">
              {text ?? transcript ?? <Ltr>{type}</Ltr>}
            </blockquote>
          ))}
        </Step>
      ),
    },
    ...momentsOf(reply.steps, span),
  ]
  if (reply.handover) {
    const { reason, reasonText, at } = reply.handover
    moments.push({
      key: 'handover',
      tone: 'warn',
      icon: 'hand_over',
      content: (
        <Step title={t('handed_over')} at={at}>
          <p className={styles.small}>{reasonName(reason)}</p>
          {reasonText !== null && (
            <blockquote className={styles.quote} dir="auto">
              {reasonText}
            </blockquote>
          )}
        </Step>
      ),
    })
  }
  moments.push(...reply.said.map(saidMoment))
  if (reply.said.length === 0 && reply.endedAt !== null) {
    moments.push({
      key: 'nothing',
      tone: 'off',
      icon: 'off',
      content: (
        <Step title={t('said_nothing')} at={reply.endedAt}>
          <p className={styles.small}>{reply.why?.text}</p>
        </Step>
      ),
    })
  }
  return <Timeline label={t('steps')} moments={moments} />
}

/** The steps alone, of a reply that was only thought out. */
export function StepList({ steps }: { steps: readonly StepView[] }) {
  const t = useWords(stepWords)
  const begins = Math.min(...steps.map(({ at }) => Date.parse(at)))
  const ends = steps.map(({ at, durationMs }) => Date.parse(at) + (durationMs ?? 0))
  const span: Span = { begins, ms: Math.max(1, Math.max(...ends) - begins) }
  return <Timeline label={t('steps')} moments={momentsOf(steps, span)} />
}

type Span = { begins: number; ms: number }

const NOT_GONE: readonly (string | null)[] = ['failed', 'cancelled', 'unknown']

function saidMoment({ id, text, status, at }: ReplyDetail['said'][number]): Moment {
  const isGone = !NOT_GONE.includes(status)
  return {
    key: id,
    tone: isGone ? 'ok' : 'bad',
    icon: 'send',
    content: <Said text={text} status={status} at={at} isGone={isGone} />,
  }
}

function Said({
  text,
  status,
  at,
  isGone,
}: {
  text: string | null
  status: string | null
  at: string
  isGone: boolean
}) {
  const t = useWords(stepWords)
  return (
    <Step title={t(isGone ? 'said' : 'not_said')} at={at}>
      <blockquote className={styles.said} dir="auto">
        {text}
      </blockquote>
      {!isGone && status !== null && (
        <p className={styles.small}>
          <Ltr>{status}</Ltr>
        </p>
      )}
    </Step>
  )
}

const LOOKS: Readonly<Record<StepView['kind'], { tone: Tone; icon: IconName }>> = {
  model: { tone: 'busy', icon: 'sparkles' },
  tool: { tone: 'accent', icon: 'bolt' },
  search: { tone: 'accent', icon: 'book' },
  guard: { tone: 'warn', icon: 'edit' },
  hear: { tone: 'accent', icon: 'play' },
}

/** With the pieces marked that the newest text names by their numbers. */
function momentsOf(steps: readonly StepView[], span: Span): Moment[] {
  const wrote = steps.findLast(({ kind, text }) => kind === 'model' && text !== null && text !== '')
  const cited = [...(wrote?.text ?? '').matchAll(/\[(\d{1,3})\]/g)].map(([, n]) => Number(n))
  return steps.map((step) => momentOf(step, span, cited))
}

function momentOf(step: StepView, span: Span, cited: readonly number[]): Moment {
  const isSearch = step.name === 'search_knowledge'
  const { tone, icon } = LOOKS[isSearch ? 'search' : step.kind]
  const isBad = step.state === 'failed' && tone !== 'warn'
  return {
    key: `${step.epoch}-${step.number}`,
    tone: isBad ? 'bad' : tone,
    icon,
    content: <TraceStep step={step} span={span} cited={cited} />,
  }
}

type Given = { step: StepView; cited: readonly number[] }

const BODIES: Readonly<Record<StepView['kind'], (given: Given) => ReactNode>> = {
  model: ModelStep,
  guard: GuardStep,
  tool: ToolStep,
  search: ToolStep,
  hear: HearStep,
}

function TraceStep({ step, span, cited }: Given & { span: Span }) {
  const Body = BODIES[step.kind]
  const t = useWords(stepWords)
  const title = useTitle(step)
  return (
    <Step title={title} durationMs={step.durationMs} at={step.at} span={span}>
      {step.state === 'interrupted' && <p className={styles.small}>{t('interrupted')}</p>}
      {step.state === 'started' && <p className={styles.small}>{t('under_way')}</p>}
      <Body step={step} cited={cited} />
    </Step>
  )
}

/** By this name the customer's answer to what was stated to them is read. */
const AGREEMENT = '(agreement)'

const TOOLS = [
  'search_knowledge',
  'hand_over',
  'record_lead',
  'find_slots',
  'book_appointment',
  'cancel_appointment',
  'set_customer',
] as const

function useTitle({ kind, name, input, isDone, state, answered, statement }: StepView): ReactNode {
  const t = useWords(stepWords)
  if (kind === 'model') return t(state === 'failed' ? 'no_answer' : 'asked_model')
  if (kind === 'guard') return t('mended')
  if (kind === 'hear') return t(state === 'failed' ? 'not_listened' : 'listened')
  if (name === AGREEMENT && input === null)
    return t(answered === null ? 'agreement' : `agreement_${answered}`)
  const known = TOOLS.find((tool) => tool === name)
  const ofAction = statement === null ? 'tool_action' : 'tool_asks'
  const words = known ? t(`tool_${known}`) : t(ofAction)
  return (
    <>
      {isDone === false && state === 'done' ? t('not_done', { what: words }) : words}{' '}
      {name !== null && <Ltr>{name}</Ltr>}
    </>
  )
}

function ModelStep({ step }: Given) {
  const t = useWords(stepWords)
  const detailName = useDetailName()
  const { tokensIn, tokensOut, calls, tried, failure, text } = step
  return (
    <>
      {tried.map(({ model, failure: why }, at) => (
        <p key={at} className={styles.small}>
          <Rich words={stepWords} say="gave_no_answer" with={{ model, failure: detailName(why) }} />
        </p>
      ))}
      {failure !== null && <p className={styles.small}>{detailName(failure)}</p>}
      {tokensIn !== null && (
        <p className={styles.small}>{t('tokens', { in: tokensIn, out: tokensOut ?? 0 })}</p>
      )}
      {calls.map(({ name, input }, at) => (
        <p key={at} className={styles.small}>
          {t('chose')} <Ltr>{name}</Ltr> <Ltr>{input}</Ltr>
        </p>
      ))}
      {text !== null && text !== '' && <LongText label={t('wrote')} text={text} />}
    </>
  )
}

const DEAF = ['too_long', 'not_read'] as const

/** Who wrote voice notes down, or why nobody did. */
function HearStep({ step: { name, failure } }: Given) {
  const t = useWords(stepWords)
  const known = DEAF.find((why) => why === failure)
  return (
    <p className={styles.small}>
      {name !== null && <Ltr>{name}</Ltr>} {known ? t(`deaf_${known}`) : <Ltr>{failure}</Ltr>}
    </p>
  )
}

function GuardStep({ step: { failure } }: Given) {
  const t = useWords(stepWords)
  const known = GUARD_FAULTS.find((fault) => fault === failure)
  return <p className={styles.small}>{known ? t(`guard_${known}`) : t('guard_other')}</p>
}

/** Why what was stated is withdrawn. */
const WITHDRAWN = ['refused', 'unclear', 'too_late'] as const

function ToolStep({
  step: { name, input, text, isDone, chunks, answered, statement },
  cited,
}: Given) {
  const t = useWords(stepWords)
  const format = useFormat()
  const company = useCompanyId()
  const { setUp } = useMay()
  if (answered !== null && answered !== 'agreed') {
    const why = WITHDRAWN.find((one) => one === text) ?? 'asked_again'
    return <p className={styles.small}>{t(`agreement_${why}`)}</p>
  }
  return (
    <>
      {answered !== null && isDone === false && (
        <p className={styles.small}>{t('agreement_not_done')}</p>
      )}
      {statement !== null && (
        <blockquote className={styles.said} dir="auto">
          {statement}
        </blockquote>
      )}
      {input !== null && name !== 'search_knowledge' && (
        <p className={styles.small}>
          {t('with')} <Ltr>{input}</Ltr>
        </p>
      )}
      {chunks.map(({ number, sourceId, title, heading, score }) => (
        <div key={number} className={styles.chunk}>
          <span>
            {sourceId === null || !setUp ? (
              <bdi>{title}</bdi>
            ) : (
              <Link
                to="/p/$company/assistant/knowledge/$source"
                params={{ company, source: sourceId }}
              >
                <bdi>{title}</bdi>
              </Link>
            )}
            {heading !== null && heading !== title && (
              <>
                {' · '}
                <bdi>{heading}</bdi>
              </>
            )}
          </span>
          {cited.includes(number) && <Pill tone="ok">{t('cited')}</Pill>}
          <span className={styles.score}>{t('match', { score: format.number(round(score)) })}</span>
        </div>
      ))}
      {text !== null && <LongText label={t('was_told')} text={text} />}
    </>
  )
}

function round(score: number): number {
  return Math.round(score * 100) / 100
}

/** A line of the trace: what, when or how long, and where in the whole. */
function Step({
  title,
  at,
  durationMs,
  span,
  children,
}: {
  title: ReactNode
  at: string
  durationMs?: number | null
  span?: Span
  children: ReactNode
}) {
  const format = useFormat()
  const isTimed = durationMs !== undefined && durationMs !== null
  return (
    <div className={styles.step}>
      <div className={styles.stepHead}>
        <h2 className={styles.stepTitle}>{title}</h2>
        <span className={styles.figure}>
          {isTimed ? format.milliseconds(durationMs) : <Time at={at} as="timeWithSeconds" />}
        </span>
        {span && (
          <span className={styles.bar} aria-hidden>
            <span style={placeOf(at, durationMs ?? 0, span)} />
          </span>
        )}
      </div>
      {children}
    </div>
  )
}

function placeOf(at: string, durationMs: number, { begins, ms }: Span) {
  const from = Math.min(0.98, Math.max(0, (Date.parse(at) - begins) / ms))
  const width = Math.min(1 - from, Math.max(0.02, durationMs / ms))
  return { insetInlineStart: `${from * 100}%`, inlineSize: `${width * 100}%` }
}
