import { useNavigate } from '@tanstack/react-router'
import type { FlowDetail, LocalizedProblem } from '../../../contract/dashboard/flow.ts'
import { stepAt, type Draft, type Place } from '../draft.ts'
import { insertStep, connectTo } from '../draft/edit.ts'
import { mainExitOf, makeStep } from '../steps/kinds.ts'
import { AddPanel } from './AddPanel.tsx'
import { useBuilderContext } from '../builder-context.ts'
import type { NodeActs } from './node-acts.ts'
import { TRIGGER_KEY } from './outline-rows.ts'
import { StepPanel } from './StepPanel.tsx'
import { TriggerPanel } from './TriggerPanel.tsx'
import { VersionsPanel } from './VersionsPanel.tsx'

/** The panel next to the map: new steps, the versions, the trigger, or a step. */
export function OpenPanel({
  flow,
  own,
  adding,
  selected,
  problems,
  acts,
  edit,
  onAdd,
  onSelect,
}: {
  flow: FlowDetail
  /** The draft, even while a version is shown. */
  own: Draft
  adding: Place | null
  /** Null while the versions are open. */
  selected: string | null
  problems: readonly LocalizedProblem[]
  acts: NodeActs
  edit(change: (draft: Draft) => Draft, tag?: string | null): void
  onAdd(place: Place | null): void
  onSelect(key: string | undefined): void
}) {
  const builder = useBuilderContext()
  const { draft, mayEdit } = builder
  const navigate = useNavigate({ from: '/p/$company/flows/$flowId' })
  const close = () => onSelect(undefined)
  const problemsOf = (id: string | null) => problems.filter(({ stepId }) => stepId === id)
  if (adding) {
    return (
      <AddPanel
        place={adding}
        onClose={() => onAdd(null)}
        onPaste={() => acts.paste(adding)}
        onLead={(to) => {
          edit((before) => connectTo(before, adding, to))
          onAdd(null)
        }}
        onAdd={(kind) => {
          const added = insertStep(draft, adding, makeStep(kind, builder))
          edit(() => added.draft)
          onAdd(null)
          onSelect(added.id)
        }}
      />
    )
  }
  if (selected === TRIGGER_KEY) {
    return <TriggerPanel problems={problemsOf(null)} edit={edit} onClose={close} />
  }
  const step = stepAt(draft, selected)
  if (selected === null || !step) {
    return (
      <VersionsPanel
        flow={flow}
        draft={own}
        onLook={(version) =>
          void navigate({ search: (before) => ({ ...before, version, step: undefined }) })
        }
        onRestore={mayEdit ? (definition) => edit(() => definition) : null}
        onClose={() => void navigate({ search: (before) => ({ ...before, versions: undefined }) })}
      />
    )
  }
  const main = mainExitOf(step)
  return (
    <StepPanel
      key={selected}
      id={selected}
      step={step}
      problems={problemsOf(selected)}
      edit={edit}
      onCopy={() => acts.copy(selected)}
      onRemove={() => acts.remove(selected)}
      onAddAfter={main === null ? null : () => onAdd({ stepId: selected, exit: main })}
      onClose={close}
    />
  )
}
