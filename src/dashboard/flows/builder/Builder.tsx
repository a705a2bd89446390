import { useQuery, useSuspenseQuery, type UseQueryResult } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useApi, type Api } from '../../app/resources.ts'
import { useMay } from '../../app/session.ts'
import type { DraftCheck, FlowDetail, LocalizedProblem } from '../../../contract/dashboard/flow.ts'
import { ApiError } from '../../app/api.ts'
import { Confirm } from '../../parts/Dialogs.tsx'
import { PageLink } from '../../parts/PageLink.tsx'
import { Empty, ReadState, Skeleton } from '../../parts/Page.tsx'
import { useWords } from '../../words/use-words.tsx'
import { stepAt, type Place } from '../draft.ts'
import { removedWith } from '../draft/edit.ts'
import { withStepNames } from '../draft/step-names.ts'
import { treeOf } from '../draft/tree.ts'
import { variablesBefore } from '../draft/variables.ts'
import { checkQuery, versionQuery } from '../queries.ts'
import { idOf, stepOf } from '../steps/fields.tsx'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { stepWords } from '../words-steps.ts'
import { BuilderContext, type BuilderData } from '../builder-context.ts'
import { BottomDrawer, type DraftProblem } from './BottomDrawer.tsx'
import { BuilderHeader } from './BuilderHeader.tsx'
import { Outline } from './Outline.tsx'
import { outlineRowsOf, TRIGGER_KEY } from './outline-rows.ts'
import { OpenPanel } from './OpenPanel.tsx'
import { Unsaved } from './Unsaved.tsx'
import { useDraft, type Saving } from './use-draft.ts'
import { useNodeActs } from './use-node-acts.ts'
import { useBuilderLists } from './use-builder-lists.ts'
import { useMediaQuery } from '@mantine/hooks'

const Canvas = lazy(() =>
  import('./Canvas.tsx').then(({ Canvas: component }) => ({ default: component })),
)

const NO_PROBLEMS: readonly LocalizedProblem[] = []

/** The page of the flow builder, on which a member edits the draft of the flow in the URL. */
export function Builder() {
  const { flowId } = useParams({ from: '/p/$company/flows/$flowId' })
  return <OpenFlow key={flowId} flowId={flowId} />
}

function OpenFlow({ flowId }: { flowId: string }) {
  const api = useApi()
  const { setUp } = useMay()
  const [adding, onAdd] = useState<Place | null>(null)
  const { search, show, goTo } = useBuilderSearch(() => onAdd(null))
  const flow = useSuspenseQuery(api.get('flows/:flowId', { flowId })).data
  const { draft: own, saving, save, edit, undo, redo, ...unsaved } = useDraft(api, flow, setUp)
  const version = useShownVersion(api, flowId, search.version)
  const isVersion = search.version !== undefined
  const isUnread = isVersion && !version.data
  const draft = version.data?.definition ?? own
  const mayEdit = setUp && !isVersion
  const isNarrow = useNarrow()
  const { checkRead, check, problems } = useCheck(api, flow, { draft, mayEdit })
  const [removing, onAsk] = useState<string | null>(null)

  const selected = search.step ?? null
  const select = (step: string | undefined) => show({ step })
  const troubles = troublesOf(saving, problems)
  const builder = useBuilderData(flowId, draft, { mayEdit, saved: save, troubles })
  const acts = useNodeActs({ draft, edit, mayEdit, selected, select, onAdd, onAsk })
  useUndoKeys(undo, redo)

  const isList = isNarrow || search.view === 'list'
  const isStepOpen = adding || selected === TRIGGER_KEY || stepAt(draft, selected)
  const panel =
    search.versions || (isStepOpen && !isUnread) ? (
      <OpenPanel
        flow={flow}
        own={own}
        adding={adding}
        selected={search.versions ? null : selected}
        problems={problems}
        acts={acts}
        edit={edit}
        onAdd={onAdd}
        onSelect={select}
      />
    ) : null

  return (
    <BuilderContext value={builder}>
      <div className={styles.builder}>
        <BuilderHeader
          flow={flow}
          saving={saving}
          save={save}
          undo={mayEdit ? undo : null}
          redo={mayEdit ? redo : null}
          check={check}
          checkRead={checkRead}
          isList={isList}
          isNarrow={isNarrow}
          isVersion={isVersion}
          shownVersion={version.data?.number ?? null}
        />
        <Unsaved {...unsaved} saving={saving} />
        <div className={styles.work} data-panel={panel !== null}>
          <div className={styles.drawing}>
            {isUnread ? (
              <UnreadVersion of={version} flow={flow} />
            ) : (
              <Drawing
                draft={draft}
                isList={isList}
                selected={selected}
                acts={acts}
                troubles={troubles}
              />
            )}
            {mayEdit && (
              <BottomDrawer
                tab={search.tab ?? 'problems'}
                troubles={troubles}
                why={whyQuiet(flow, checkRead)}
                onTab={(tab) => show({ tab })}
                onGo={goTo}
              />
            )}
          </div>
          {panel}
        </div>
        <RemoveDialog
          id={removing}
          lost={removing === null ? 0 : removedWith(draft, removing).length}
          onRemove={acts.removeAll}
          onClose={() => onAsk(null)}
        />
      </div>
    </BuilderContext>
  )
}

/**
 * Returns what the URL selects, and functions that change it. `goTo` closes a step that is being added, and shows the
 * field that has a problem.
 */
function useBuilderSearch(onLeave: () => void) {
  const search = useSearch({ from: '/p/$company/flows/$flowId' })
  const navigate = useNavigate({ from: '/p/$company/flows/$flowId' })
  const show = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return {
    search,
    show,
    goTo({ stepId, field }: DraftProblem) {
      onLeave()
      show({ step: stepId ?? TRIGGER_KEY })
      setTimeout(() => focusField(field), FORM_DRAWN_MS)
    },
  }
}

/** Returns the context of the forms: the draft, and the data that steps can refer to. */
function useBuilderData(
  flowId: string,
  draft: BuilderData['draft'],
  {
    troubles,
    ...may
  }: Pick<BuilderData, 'mayEdit' | 'saved'> & { troubles: readonly DraftProblem[] },
): BuilderData {
  const lists = useBuilderLists(useApi(), draft.channelId)
  const variables = useMemo(() => variablesBefore(draft), [draft])
  return {
    ...lists,
    ...may,
    flowId,
    draft,
    channel: lists.channels.find(({ id }) => id === draft.channelId) ?? null,
    variablesAt: (id) => [...(variables.get(id) ?? [])],
    errorAt: (field) => troubles.find((one) => one.field === field && !one.isWarning)?.text,
  }
}

/** The steps of the draft, as a map or as a list. */
function Drawing({
  draft,
  isList,
  selected,
  acts,
  troubles,
}: {
  draft: BuilderData['draft']
  isList: boolean
  selected: string | null
  acts: ReturnType<typeof useNodeActs>
  troubles: readonly DraftProblem[]
}) {
  const tree = useMemo(() => treeOf(draft), [draft])
  const worstAt = (stepId: string | null) => {
    const here = troubles.filter((one) => one.stepId === stepId)
    if (here.length === 0) return null
    return here.some(({ isWarning }) => !isWarning) ? 'bad' : 'warn'
  }
  if (isList) {
    return (
      <div className={styles.scroll}>
        <Outline rows={outlineRowsOf(tree)} selected={selected} acts={acts} worstAt={worstAt} />
      </div>
    )
  }
  return (
    <Suspense fallback={<Skeleton />}>
      <Canvas tree={tree} selected={selected} acts={acts} worstAt={worstAt} />
    </Suspense>
  )
}

/** Returns the read of the published version that the URL names; nothing is read without one. */
function useShownVersion(api: Api, flowId: string, number: number | undefined) {
  return useQuery({
    ...versionQuery(api, flowId, number ?? 0),
    enabled: number !== undefined,
  })
}

/** The state of a version that is loading or could not be read. One that does not exist leads to the latest version. */
function UnreadVersion({ of, flow }: { of: UseQueryResult; flow: FlowDetail }) {
  const t = useWords(builderWords)
  const isUnknown = of.error instanceof ApiError && of.error.status === 404
  const latest = flow.publishedNumber
  return (
    <div className={styles.scroll}>
      {isUnknown ? (
        <Empty
          title={t('no_version')}
          act={
            latest !== null && (
              <PageLink
                to="flows/$flowId"
                params={{ flowId: flow.id }}
                search={{ version: latest }}
              >
                {t('to_latest', { n: latest })}
              </PageLink>
            )
          }
        />
      ) : (
        <ReadState of={of} />
      )}
    </div>
  )
}

/** Returns the result of the publish check, or none for a member who cannot edit the flow. */
function useCheck(
  api: Api,
  flow: FlowDetail,
  { draft, mayEdit }: Pick<BuilderData, 'draft' | 'mayEdit'>,
): {
  checkRead: UseQueryResult<DraftCheck>
  check: DraftCheck | undefined
  problems: readonly LocalizedProblem[]
} {
  const say = useWords(stepWords)
  const isAsked = mayEdit && flow.draft !== null
  const checkRead = useQuery({ ...checkQuery(api, flow.id), enabled: isAsked })
  const { data } = checkRead
  const check = data && {
    ...data,
    problems: data.problems.map((one) => ({ ...one, text: withStepNames(one, draft, say) })),
  }
  return { checkRead, check, problems: (isAsked && check?.problems) || NO_PROBLEMS }
}

/** Returns the reason why no problem is shown. */
function whyQuiet(flow: FlowDetail, { data, isError }: UseQueryResult<DraftCheck>) {
  if (flow.draft === null) return 'as_published'
  if (data) return 'no_problems'
  return isError ? 'not_checked' : 'checking'
}

/** Returns the errors of saving the draft, followed by the problems that the publish check found. */
function troublesOf(saving: Saving, problems: readonly LocalizedProblem[]): DraftProblem[] {
  const refused = saving.kind === 'refused' ? saving.errors : []
  return [
    ...refused.map(({ field, message }) => ({
      stepId: stepOf(field),
      field,
      text: message,
      isWarning: false,
      isUnsaved: true,
    })),
    ...problems.map((problem) => ({ ...problem, isUnsaved: false })),
  ]
}

/** Time in ms until the form of a selected step is rendered. */
const FORM_DRAWN_MS = 60

function focusField(field: string): void {
  const input = document.querySelector<HTMLElement>(`#${CSS.escape(idOf(field))}`)
  input?.focus()
  input?.scrollIntoView({ block: 'center' })
}

/** Handles Ctrl Z and Ctrl Shift Z, by the position of the key. A text field that is being edited has its own undo. */
function useUndoKeys(undo: (() => void) | null, redo: (() => void) | null): void {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const target = event.target as HTMLElement | null
      const isTyping = target?.closest('input, textarea, [contenteditable]') != null
      if (!(event.ctrlKey || event.metaKey) || isTyping) return
      const isBack = event.code === 'KeyZ' && !event.shiftKey
      const isOn = event.code === 'KeyY' || (event.code === 'KeyZ' && event.shiftKey)
      const act = isBack ? undo : isOn ? redo : null
      if (!act) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [undo, redo])
}

/** A confirmation for deleting a step together with others, with their number. */
function RemoveDialog({
  id,
  lost,
  onRemove,
  onClose,
}: {
  id: string | null
  lost: number
  onRemove(id: string): void
  onClose(): void
}) {
  const t = useWords(builderWords)
  return (
    <Confirm
      isOpen={id !== null}
      isGrave
      title={t('delete_question', { n: lost })}
      act={t('delete_steps', { n: lost + 1 })}
      keep={t('keep_step')}
      send={() => id !== null && onRemove(id)}
      onClose={onClose}
    >
      {t('delete_branches')}
    </Confirm>
  )
}

/** Returns whether the window is too narrow for a map: a phone, or a tablet in portrait with its side bar. */
function useNarrow(): boolean {
  return useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false })
}
