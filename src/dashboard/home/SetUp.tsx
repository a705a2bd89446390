import { Button } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import type { PageAddress } from '../app/pages.ts'
import type { SetUpSteps } from '../../contract/dashboard/home.ts'
import { useSession } from '../app/session.ts'
import { CodeBlock, Ltr } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Meter, Panel } from '../parts/Page.tsx'
import { PageButton, PageLink } from '../parts/PageLink.tsx'
import { useFormat } from '../words/format.ts'
import { Rich, useWords } from '../words/use-words.tsx'
import styles from './home.module.css'
import { countDone, isDone, STEP_COUNT, STEPS, type Step } from './steps.ts'
import { homeWords } from './words.ts'

/** The number belongs to no person: its range is reserved for fiction. */
const REQUEST = `curl -X POST "$WASLA_HOOK_URL" \\
  -H "Content-Type: application/json" \\
  -H "Idempotency-Key: order-10482-shipped" \\
  -d '{"order":{"number":"10482"},"customer":{"name":"Noura","phone":"+12025550143"}}'`

/** The six steps of the setup until the merchant's system sends messages, each with its progress. */
export function SetUp({ setUp, companyName }: { setUp: SetUpSteps; companyName: string | null }) {
  const t = useWords(homeWords)
  const done = countDone(setUp)
  const isAllDone = done === STEP_COUNT
  const [isOpen, setOpen] = useState(false)
  const current = STEPS.find((step) => !isDone(setUp, step))
  return (
    <Panel
      isFlush
      title={companyName === null ? t('set_up_unnamed') : t('set_up', { name: companyName })}
      end={
        <span className={styles.progress}>
          {t('done_of', { n: done, limit: STEP_COUNT })}
          <span className={styles.progressBar}>
            <Meter value={done} limit={STEP_COUNT} label={t('set_up_unnamed')} isGoal />
          </span>
          {isAllDone && (
            <Button size="compact-sm" variant="subtle" onClick={() => setOpen(!isOpen)}>
              {isOpen ? t('hide_steps') : t('show_steps')}
            </Button>
          )}
        </span>
      }
    >
      {(!isAllDone || isOpen) && (
        <ol className={styles.steps}>
          {STEPS.map((step, at) => (
            <li key={step} className={styles.step} data-current={step === current}>
              <Mark number={at + 1} isDone={isDone(setUp, step)} isCurrent={step === current} />
              <div className={styles.stepText}>
                <div className={styles.stepTitle} data-done={isDone(setUp, step)}>
                  {t(step)}
                </div>
                <div className={styles.stepDetail}>
                  <StepDetail step={step} setUp={setUp} />
                </div>
                {step === 'request' && setUp.hookRequest === null && setUp.hookUrl !== null && (
                  <Request hookUrl={setUp.hookUrl} isListening={step === current} />
                )}
              </div>
              <StepAct step={step} setUp={setUp} />
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function Mark({
  number,
  isDone: isStepDone,
  isCurrent,
}: {
  number: number
  isDone: boolean
  isCurrent: boolean
}) {
  const t = useWords(homeWords)
  if (isStepDone) {
    return <Icon name="ok" size={20} className={styles.markDone} label={t('done')} />
  }
  return (
    <span className={styles.mark} data-current={isCurrent}>
      {number}
    </span>
  )
}

function StepDetail({ step, setUp }: { step: Step; setUp: SetUpSteps }): ReactNode {
  const t = useWords(homeWords)
  const { developer: isInPlan } = useSession().account.features
  const format = useFormat()
  switch (step) {
    case 'channel': {
      const { channel } = setUp
      if (channel === null) return t('channel_why')
      const number = channel.number === null ? channel.name : <Ltr>+{channel.number}</Ltr>
      const date = format.date(channel.connectedAt)
      return <Rich words={homeWords} say="channel_done" with={{ number, date }} />
    }
    case 'templates': {
      if (setUp.templates === null) return t('templates_why')
      const { count, approved, readAt } = setUp.templates
      return t('templates_done', { n: count, approved, time: format.dateTime(readAt) })
    }
    case 'flow': {
      if (setUp.flow === null) return t('flow_why')
      const { name, isPublished, state, steps } = setUp.flow
      const why = state === 'on' || state === 'draft' ? '' : ` ${t(`flow_${state}`)}`
      return t(isPublished ? 'flow_published' : 'flow_draft', { name, n: steps }) + why
    }
    case 'request':
      return <RequestDetail setUp={setUp} />
    case 'endpoint': {
      if (setUp.endpoint === null) return t('endpoint_why')
      const { name, count, isOn } = setUp.endpoint
      if (!isInPlan) return t('endpoint_not_in_plan')
      return isOn ? t('endpoint_done', { name, n: count }) : t('endpoint_off', { name })
    }
    case 'delivery': {
      if (setUp.delivery === null) return t('delivery_why')
      const { endpointName, deliveredAt } = setUp.delivery
      return t('delivery_done', { name: endpointName, time: format.dateTime(deliveredAt) })
    }
  }
}

/** The response of a hook URL whose flow does not run. */
const ANSWERS = {
  draft: '409 flow_off',
  off: '409 flow_off',
  beyond_plan: '409 flow_off',
  not_in_plan: '403 not_in_plan',
  channel_off: '409 channel_unavailable',
} as const

function RequestDetail({ setUp: { hookRequest, hookUrl } }: { setUp: SetUpSteps }) {
  const t = useWords(homeWords)
  const format = useFormat()
  const { developer: isInPlan } = useSession().account.features
  if (hookRequest !== null) {
    const { flowName: name, answerStatus, receivedAt } = hookRequest
    const time = format.dateTime(receivedAt)
    if (answerStatus === null) return t('request_done', { name, time })
    const code = <Ltr>{answerStatus}</Ltr>
    return <Rich words={homeWords} say="request_answered" with={{ name, time, code }} />
  }
  if (hookUrl === null) return t('request_why')
  const state = isInPlan ? hookUrl.flowState : 'not_in_plan'
  if (state === 'on') return t('request_published', { name: hookUrl.flowName })
  const say = state === 'draft' ? 'request_draft' : 'request_refused'
  return <Rich words={homeWords} say={say} with={{ code: <Ltr>{ANSWERS[state]}</Ltr> }} />
}

/** The request to copy, and whether it has arrived. */
function Request({
  hookUrl,
  isListening,
}: {
  hookUrl: NonNullable<SetUpSteps['hookUrl']>
  isListening: boolean
}) {
  const t = useWords(homeWords)
  return (
    <>
      <div className={styles.request}>
        <CodeBlock code={REQUEST} label={t('curl')} />
      </div>
      <div className={styles.stepDetail}>
        {t('request_url')}{' '}
        <PageLink
          to="flows/$flowId/hook"
          params={{ flowId: hookUrl.flowId }}
          className={styles.link}
        >
          {t('to_hook_url')}
        </PageLink>
      </div>
      {isListening && (
        <div className={styles.listening} role="status">
          <span className={styles.dot} />
          <strong>{t('listening')}</strong> {t('nothing_received')}
        </div>
      )}
    </>
  )
}

const PLACES: Readonly<Record<Step, (setUp: SetUpSteps) => PageAddress | null>> = {
  channel: ({ channel }) => (channel === null ? 'channels/connect' : null),
  templates: ({ templates }) => (templates === null ? null : 'templates'),
  flow: ({ flow }) => (flow === null ? 'flows' : `flows/${flow.id}`),
  request: ({ hookRequest, hookUrl, flow }) =>
    hookRequest !== null
      ? `flows/${hookRequest.flowId}/hook`
      : hookUrl === null && flow !== null
        ? `flows/${flow.id}/hook`
        : null,
  endpoint: ({ endpoint }) => (endpoint === null ? 'webhooks/new' : `webhooks/${endpoint.id}`),
  delivery: ({ delivery, endpoint }) =>
    delivery !== null
      ? `webhooks/deliveries/${delivery.id}`
      : endpoint === null
        ? null
        : `webhooks/${endpoint.id}`,
}

function StepAct({ step, setUp }: { step: Step; setUp: SetUpSteps }) {
  const t = useWords(homeWords)
  const place = PLACES[step](setUp)
  if (place === null) return null
  const adds = !isDone(setUp, step) && step !== 'delivery'
  return (
    <PageButton
      at={place}
      size="compact-md"
      variant={adds ? 'default' : 'subtle'}
      color="gray"
      aria-label={`${adds ? t('add') : t('open')}: ${t(step)}`}
    >
      {adds ? t('add') : t('open')}
    </PageButton>
  )
}
