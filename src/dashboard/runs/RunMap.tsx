import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { RunDetail, RunStepView } from '../../contract/dashboard/run.ts'
import { useApi } from '../app/resources.ts'
import { BuilderContext, type BuilderData } from '../flows/builder-context.ts'
import { Canvas } from '../flows/builder/Canvas.tsx'
import type { NodeActs } from '../flows/builder/node-acts.ts'
import { ReplayedContext, type Replayed } from '../flows/builder/replayed.ts'
import { useBuilderLists } from '../flows/builder/use-builder-lists.ts'
import type { Draft } from '../flows/draft.ts'
import { treeOf } from '../flows/draft/tree.ts'
import { versionQuery } from '../flows/queries.ts'
import { Icon } from '../parts/Icon.tsx'
import { ReadState } from '../parts/Page.tsx'
import { useFormat } from '../words/format.ts'
import { IconButton } from '../parts/IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { replayOf } from './replay.ts'
import styles from './runs.module.css'
import { STEP_LOOKS, RunSteps } from './RunSteps.tsx'
import { stepsAgain, type ShownRun } from './steps-again.ts'
import { runsWords } from './words.ts'

/** The run on the map of its version: its path, and the state and time of each step. */
export function RunMap(shown: ShownRun) {
  const api = useApi()
  const { run } = shown
  const version = useQuery(versionQuery(api, run.flow.id, run.versionNumber))
  const steps = useQuery({
    ...api.every('runs/:runId/steps', { runId: run.id }),
    refetchInterval: stepsAgain(shown),
  })
  if (!version.isSuccess) return <ReadState of={version} />
  if (!steps.isSuccess) return <ReadState of={steps} />
  return <Shown run={run} steps={steps.data} draft={version.data.definition} />
}

const NOTHING = () => {}

type Course = { run: RunDetail; steps: readonly RunStepView[]; draft: Draft }

function Shown({ run, steps, draft }: Course) {
  const t = useWords(runsWords)
  const format = useFormat()
  const lists = useBuilderLists(useApi(), draft.channelId)
  const [chosen, setChosen] = useState(0)
  const at = Math.min(chosen, steps.length - 1)
  const tree = useMemo(() => treeOf(draft), [draft])
  const replay = useMemo(() => replayOf({ ...run, steps }, draft), [run, steps, draft])
  const builder: BuilderData = {
    ...lists,
    flowId: run.flow.id,
    draft,
    channel: lists.channels.find(({ id }) => id === draft.channelId) ?? null,
    mayEdit: false,
    saved: () => Promise.resolve(true),
    variablesAt: () => [],
    errorAt: () => undefined,
  }
  const replayed: Replayed = {
    wentBy: replay.wentBy,
    at: (stepId) => {
      const visit = replay.visits.get(stepId)
      if (!visit) return null
      const [tone, icon] = STEP_LOOKS[visit.status]
      const time = format.timeWithSeconds(visit.startedAt)
      const said = t(`step_${visit.status}`)
      return {
        tone,
        mark: (
          <>
            <Icon name={icon} size={11} />
            <span className="visually-hidden">{said}</span>
            <span>{visit.times > 1 ? t('time_and_often', { time, n: visit.times }) : time}</span>
          </>
        ),
      }
    },
  }
  const acts: NodeActs = {
    open: (key) => {
      const found = steps.findLastIndex(({ stepId }) => stepId === key)
      if (found !== -1) setChosen(found)
    },
    add: NOTHING,
    remove: NOTHING,
    copy: NOTHING,
    paste: NOTHING,
  }
  const step = steps[at]
  return (
    <BuilderContext value={builder}>
      <ReplayedContext value={replayed}>
        <div className={styles.map}>
          <Canvas tree={tree} selected={step?.stepId ?? null} acts={acts} worstAt={() => null} />
        </div>
        {step && (
          <section className={styles.replay} aria-label={t('steps')}>
            <div className={styles.replayBar}>
              <IconButton
                hasTip
                icon="chevron_back"
                label={t('step_before')}
                variant="default"
                disabled={at === 0}
                onClick={() => setChosen(at - 1)}
              />
              <span role="status">{t('step_of', { n: at + 1, of: steps.length })}</span>
              <IconButton
                hasTip
                icon="chevron_next"
                label={t('step_after')}
                variant="default"
                disabled={at === steps.length - 1}
                onClick={() => setChosen(at + 1)}
              />
            </div>
            <RunSteps steps={[step]} />
          </section>
        )}
      </ReplayedContext>
    </BuilderContext>
  )
}
