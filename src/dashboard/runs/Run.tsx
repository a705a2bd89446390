import { SegmentedControl } from '@mantine/core'
import { useInfiniteQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import type { RunDetail } from '../../contract/dashboard/run.ts'
import { useApi } from '../app/resources.ts'
import { IdChip } from '../parts/Code.tsx'
import { ConversationLink } from '../parts/ConversationLink.tsx'
import { ConfirmButton } from '../parts/Dialogs.tsx'
import { ShowMore } from '../parts/ListTable.tsx'
import { Details, PageHeader, Panel, ReadState, Skeleton } from '../parts/Page.tsx'
import { PersonLink } from '../parts/PersonLink.tsx'
import { Time } from '../parts/Time.tsx'
import { useIsPhoneWidth } from '../parts/use-is-phone-width.ts'
import { useFormat } from '../words/format.ts'
import { useLanguageName } from '../words/use-language-name.ts'
import { useWords } from '../words/use-words.tsx'
import { RunPill } from './RunPill.tsx'
import layout from '../parts/layout.module.css'
import styles from './runs.module.css'
import { RunSteps } from './RunSteps.tsx'
import { RUN_AGAIN_MS, stepsAgain, type ShownRun } from './steps-again.ts'
import { runsWords } from './words.ts'

const RunMap = lazy(() => import('./RunMap.tsx').then(({ RunMap: it }) => ({ default: it })))

/** The page of one run: its steps, its map, its variables and how it ended. */
export function Run() {
  const t = useWords(runsWords)
  const api = useApi()
  const { run: runId } = useParams({ from: '/p/$company/runs/$run' })
  const { data: run, dataUpdatedAt } = useSuspenseQuery({
    ...api.get('runs/:runId', { runId }),
    refetchInterval: ({ state }) => (state.data?.endedAt == null ? RUN_AGAIN_MS : false),
  })
  return (
    <>
      <PageHeader
        isBelow
        title={<bdi>{run.flow.name}</bdi>}
        pill={<RunPill status={run.status} />}
        lead={run.endDetail?.text ?? <WaitsFor run={run} />}
        acts={
          run.endedAt === null && (
            <ConfirmButton
              label={t('cancel')}
              title={t('cancel_title')}
              keep={t('cancel_keep')}
              send={() => api.post('runs/:runId/cancel', { runId })}
              done={t('was_cancelled')}
            >
              {t('cancel_why')}
            </ConfirmButton>
          )
        }
      />
      <div className={layout.columns}>
        <RunCourse run={run} readAt={dataUpdatedAt} />
        <div className={layout.stack}>
          <RunFacts run={run} />
          <Values variables={run.variables} />
          {run.replies.length > 0 && (
            <Panel title={t('replies')}>
              {run.replies.map(({ messageId, text, type, receivedAt }) => (
                <p key={messageId} className={styles.reply}>
                  <bdi>{text ?? type}</bdi>
                  <Time at={receivedAt} as="timeWithSeconds" />
                </p>
              ))}
            </Panel>
          )}
        </div>
      </div>
    </>
  )
}

/** The course of the run: step by step, or on the map of the flow, for which a phone has no space. */
function RunCourse({ run, readAt }: ShownRun) {
  const t = useWords(runsWords)
  const isPhone = useIsPhoneWidth()
  const { view } = useSearch({ from: '/p/$company/runs/$run' })
  const navigate = useNavigate({ from: '/p/$company/runs/$run' })
  const isMap = view === 'map' && !isPhone
  return (
    <Panel
      title={t('steps')}
      end={
        !isPhone && (
          <SegmentedControl
            aria-label={t('view')}
            size="xs"
            value={isMap ? 'map' : 'list'}
            data={[
              { value: 'list', label: t('as_list') },
              { value: 'map', label: t('as_map') },
            ]}
            onChange={(value) =>
              void navigate({ search: value === 'map' ? { view: 'map' } : {}, replace: true })
            }
          />
        )
      }
    >
      {isMap ? (
        <Suspense fallback={<Skeleton />}>
          <RunMap run={run} readAt={readAt} />
        </Suspense>
      ) : (
        <StepList run={run} readAt={readAt} />
      )}
    </Panel>
  )
}

function StepList(shown: ShownRun) {
  const api = useApi()
  const list = useInfiniteQuery({
    ...api.list('runs/:runId/steps', { runId: shown.run.id }),
    refetchInterval: stepsAgain(shown),
  })
  if (!list.isSuccess) return <ReadState of={list} />
  return (
    <>
      <RunSteps steps={list.data.items} />
      <ShowMore list={list} size="xs" />
    </>
  )
}

function WaitsFor({ run }: { run: RunDetail }) {
  const t = useWords(runsWords)
  const format = useFormat()
  if (run.waitsFor === null) return null
  if (run.waitsFor === 'sent' || run.waitsUntil === null) return t('waits_sent')
  const time = format.dateTime(run.waitsUntil)
  return run.waitsFor === 'reply' ? t('waits_reply', { time }) : t('waits_time', { time })
}

function RunFacts({ run }: { run: RunDetail }) {
  const t = useWords(runsWords)
  const languageName = useLanguageName()
  return (
    <Panel title={t('details')}>
      <Details
        items={[
          [
            t('customer'),
            run.contact === null ? (
              t('number_withheld')
            ) : (
              <PersonLink key="who" contact={run.contact} withFace={false} />
            ),
          ],
          [
            t('conversation'),
            <ConversationLink key="conversation" id={run.conversationId}>
              {t('open_conversation')}
            </ConversationLink>,
          ],
          [t('trigger'), t(run.triggerKind)],
          [t('version'), t('version_n', { n: run.versionNumber })],
          [t('started'), <Time key="at" at={run.createdAt} />],
          ...(run.endedAt === null
            ? []
            : [[t('ended'), <Time key="at" at={run.endedAt} />] as const]),
          ...(run.language === null ? [] : [[t('language'), languageName(run.language)] as const]),
          [t('run_id'), <IdChip key="id" id={run.id} />],
          ...(run.idempotencyKey === null
            ? []
            : [[t('key'), <IdChip key="id" id={run.idempotencyKey} />] as const]),
        ]}
      />
    </Panel>
  )
}

function Values({ variables }: { variables: RunDetail['variables'] }) {
  const t = useWords(runsWords)
  const items = Object.entries(variables)
  return (
    <Panel title={t('values')}>
      {items.length === 0 ? (
        t('no_values')
      ) : (
        <Details
          items={items.map(([name, value]) => [
            <bdi key="name" dir="ltr">
              {name}
            </bdi>,
            <bdi key="value">{value ?? t('empty_value')}</bdi>,
          ])}
        />
      )}
    </Panel>
  )
}
