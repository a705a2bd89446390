import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useCompanyId } from '../../app/company.ts'
import { useMay } from '../../app/session.ts'
import type { ToldProblem } from '../../../contract/dashboard/flow.ts'
import { Confirm } from '../../parts/Dialogs.tsx'
import { Banner, Skeleton } from '../../parts/Page.tsx'
import { Button } from '@mantine/core'
import { sayDone } from '../../parts/toasts.tsx'
import { useWords } from '../../words/use-words.tsx'
import { stepAt, type Place } from '../draft/draft.ts'
import {
  copyStretch,
  insertStep,
  canPaste,
  leadTo,
  lostWith,
  pasteStretch,
  removeStep,
} from '../draft/edit.ts'
import { treeOf } from '../draft/tree.ts'
import { variablesBefore } from '../draft/variables.ts'
import { checkQuery, flowQuery, versionQuery } from '../queries.ts'
import { mainExitOf, makeStep } from '../steps/kinds.ts'
import { idOf } from '../steps/fields.tsx'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { AddPanel } from './AddPanel.tsx'
import { AroundContext, type Around } from './around.ts'
import { BottomDrawer, type Trouble } from './BottomDrawer.tsx'
import { BuilderHeader } from './BuilderHeader.tsx'
import { keepCopied, readCopied } from './clipboard.ts'
import type { NodeActs } from './node-acts.ts'
import { Outline } from './Outline.tsx'
import { rowsOf, TRIGGER_KEY } from './outline-rows.ts'
import { StepPanel } from './StepPanel.tsx'
import { TriggerPanel } from './TriggerPanel.tsx'
import { useDraft } from './use-draft.ts'
import { useNarrow } from './use-narrow.ts'
import { useSurroundings } from './use-surroundings.ts'
import { VersionsPanel } from './VersionsPanel.tsx'

const Canvas = lazy(() =>
  import('./Canvas.tsx').then(({ Canvas: component }) => ({ default: component })),
)

const NO_PROBLEMS: readonly ToldProblem[] = []

export function Builder() {
  const { flowId } = useParams({ from: '/p/$company/flows/$flowId' })
  return <OpenFlow key={flowId} flowId={flowId} />
}

function OpenFlow({ flowId }: { flowId: string }) {
  const t = useWords(builderWords)
  const companyId = useCompanyId()
  const { setUp } = useMay()
  const search = useSearch({ from: '/p/$company/flows/$flowId' })
  const navigate = useNavigate({ from: '/p/$company/flows/$flowId' })
  const flow = useSuspenseQuery(flowQuery(companyId, flowId)).data
  const {
    draft: own,
    saving,
    save,
    edit,
    undo,
    redo,
    takeTheirs,
  } = useDraft(companyId, flow, setUp)
  const looked =
    useQuery({
      ...versionQuery(companyId, flowId, search.version ?? 0),
      enabled: search.version !== undefined,
    }).data ?? null
  const draft = looked?.definition ?? own
  const mayEdit = setUp && looked === null
  const isNarrow = useNarrow()
  const surroundings = useSurroundings(companyId, draft.channelId)
  const check = useQuery({
    ...checkQuery(companyId, flowId),
    enabled: setUp && flow.draft !== null,
  }).data
  const [adding, setAdding] = useState<Place | null>(null)
  const [removing, setRemoving] = useState<string | null>(null)

  const select = (step: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, step }), replace: true })
  const tree = useMemo(() => treeOf(draft), [draft])
  const variables = useMemo(() => variablesBefore(draft), [draft])
  const problems = looked || flow.draft === null ? NO_PROBLEMS : (check?.problems ?? NO_PROBLEMS)
  const refused = saving.kind === 'refused' ? saving.errors : []
  const troubles: Trouble[] = [
    ...refused.map(({ field, message }) => ({
      stepId: stepOfField(field),
      field,
      text: message,
      isWarning: false,
      isUnsaved: true,
    })),
    ...problems.map((problem) => ({ ...problem, isUnsaved: false })),
  ]

  const around: Around = {
    ...surroundings,
    flowId,
    draft,
    channel: surroundings.channels.find(({ id }) => id === draft.channelId) ?? null,
    mayEdit,
    saved: save,
    variablesAt: (id) => [...(variables.get(id) ?? [])],
    errorAt: (field) => troubles.find((one) => one.field === field && !one.isWarning)?.text,
  }

  const remove = (id: string) => {
    edit((before) => removeStep(before, id))
    setRemoving(null)
    if (search.step === id) select(undefined)
    sayDone(t('deleted'))
  }
  const acts: NodeActs = {
    open: (key) => {
      setAdding(null)
      select(key)
    },
    add: (place) => mayEdit && setAdding(place),
    remove: (id) => {
      if (!mayEdit) return
      if (lostWith(draft, id).length === 0) remove(id)
      else setRemoving(id)
    },
    copy: (id) => {
      const stretch = copyStretch(draft, id)
      keepCopied(stretch)
      sayDone(t('copied', { n: Object.keys(stretch.steps).length }))
    },
    paste: (place) => {
      const copied = readCopied()
      if (!mayEdit || !copied || !canPaste(draft, place, copied)) return
      const pasted = pasteStretch(draft, place, copied)
      edit(() => pasted.draft)
      setAdding(null)
      select(pasted.id)
    },
  }
  useUndoKeys(undo, redo)

  const worstAt = (stepId: string | null) => {
    const here = troubles.filter((one) => one.stepId === stepId)
    if (here.length === 0) return null
    return here.some(({ isWarning }) => !isWarning) ? 'bad' : 'warn'
  }
  const selectedStep = stepAt(draft, search.step ?? null)
  const isList = isNarrow || search.view === 'list'
  const selected = search.step ?? null
  const stepTroubles = (id: string | null) => problems.filter(({ stepId }) => stepId === id)

  const panel = (() => {
    if (adding) {
      return (
        <AddPanel
          place={adding}
          onClose={() => setAdding(null)}
          onPaste={() => acts.paste(adding)}
          onLead={(to) => {
            edit((before) => leadTo(before, adding, to))
            setAdding(null)
          }}
          onAdd={(kind) => {
            const added = insertStep(draft, adding, makeStep(kind, surroundings))
            edit(() => added.draft)
            setAdding(null)
            select(added.id)
          }}
        />
      )
    }
    if (search.versions) {
      return (
        <VersionsPanel
          flow={flow}
          draft={own}
          onLook={(version) =>
            void navigate({ search: (before) => ({ ...before, version, step: undefined }) })
          }
          onRestore={mayEdit ? (definition) => edit(() => definition) : null}
          onClose={() =>
            void navigate({ search: (before) => ({ ...before, versions: undefined }) })
          }
        />
      )
    }
    if (selected === TRIGGER_KEY) {
      return (
        <TriggerPanel problems={stepTroubles(null)} edit={edit} onClose={() => select(undefined)} />
      )
    }
    if (selected === null || !selectedStep) return null
    const main = mainExitOf(selectedStep)
    return (
      <StepPanel
        key={selected}
        id={selected}
        step={selectedStep}
        problems={stepTroubles(selected)}
        edit={edit}
        onCopy={() => acts.copy(selected)}
        onRemove={() => acts.remove(selected)}
        onAddAfter={main === null ? null : () => setAdding({ stepId: selected, exit: main })}
        onClose={() => select(undefined)}
      />
    )
  })()

  return (
    <AroundContext value={around}>
      <div className={styles.builder}>
        <BuilderHeader
          flow={flow}
          saving={saving}
          save={save}
          undo={mayEdit ? undo : null}
          redo={mayEdit ? redo : null}
          check={check}
          isList={isList}
          isNarrow={isNarrow}
          looked={looked?.number ?? null}
        />
        {saving.kind === 'stale' && (
          <Banner
            tone="warn"
            title={t('stale')}
            act={
              <div className={styles.row}>
                <Button size="xs" onClick={takeTheirs}>
                  {t('take_theirs')}
                </Button>
                <Button size="xs" onClick={() => void save()}>
                  {t('keep_mine')}
                </Button>
              </div>
            }
          >
            {t('stale_why')}
          </Banner>
        )}
        <div className={styles.work} data-panel={panel !== null}>
          <div className={styles.drawing}>
            {isList ? (
              <div className={styles.scroll}>
                <Outline rows={rowsOf(tree)} selected={selected} acts={acts} worstAt={worstAt} />
              </div>
            ) : (
              <Suspense fallback={<Skeleton />}>
                <Canvas tree={tree} selected={selected} acts={acts} worstAt={worstAt} />
              </Suspense>
            )}
            {setUp && !looked && (
              <BottomDrawer
                tab={search.tab ?? 'problems'}
                troubles={troubles}
                why={flow.draft === null ? 'as_published' : check ? 'no_problems' : 'checking'}
                onTab={(tab) =>
                  void navigate({ search: (before) => ({ ...before, tab }), replace: true })
                }
                onGo={({ stepId, field }) => {
                  setAdding(null)
                  select(stepId ?? TRIGGER_KEY)
                  // Once its form is drawn.
                  setTimeout(() => focusField(field), FORM_DRAWN_MS)
                }}
              />
            )}
          </div>
          {panel}
        </div>
        <RemoveDialog
          id={removing}
          lost={removing === null ? 0 : lostWith(draft, removing).length}
          onRemove={remove}
          onClose={() => setRemoving(null)}
        />
      </div>
    </AroundContext>
  )
}

const FORM_DRAWN_MS = 60

function focusField(field: string): void {
  const input = document.querySelector<HTMLElement>(`#${CSS.escape(idOf(field))}`)
  input?.focus()
  input?.scrollIntoView({ block: 'center' })
}

/** The step that a field of the draft belongs to. */
function stepOfField(field: string): string | null {
  return /^steps\.([A-Za-z0-9_-]+)/.exec(field)?.[1] ?? null
}

/** Ctrl Z and Ctrl Shift Z, by the place of the key: not while a text is edited, which has its own. */
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

/** A step whose side ways go with it is deleted only by who knows how many steps that are. */
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
      onAct={() => id !== null && onRemove(id)}
      onClose={onClose}
    >
      {t('delete_branches')}
    </Confirm>
  )
}
