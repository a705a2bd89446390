import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Icon } from '../../parts/Icon.tsx'
import { useWords } from '../../words/use-words.tsx'
import { FLOW_LIMITS } from '../../../core/limits/flows.ts'
import { stepAt, type Place, type StepKind } from '../draft.ts'
import { canPaste, isLast, targetOf } from '../draft/edit.ts'
import { lacksTemplate } from '../draft/template-first.ts'
import {
  endsRun,
  groupOf,
  iconOf,
  isEnd,
  needsTemplateBefore,
  STEP_KINDS,
  summaryOf,
} from '../steps/kinds.ts'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { stepWords } from '../words-steps.ts'
import { useBuilderContext } from '../builder-context.ts'
import { readCopiedSteps } from './clipboard.ts'
import { SidePanel } from './SidePanel.tsx'

const GROUPS = ['talk', 'decide', 'customer', 'system', 'finish'] as const

type Adding = {
  place: Place
  onAdd(kind: StepKind): void
  onPaste(): void
  onLead(to: string | null): void
}

const isFull = ({ steps }: ReturnType<typeof useBuilderContext>['draft']) =>
  Object.keys(steps).length >= FLOW_LIMITS.steps

/** The step types for a place in the flow; types that are impossible there are disabled, with the reason. */
export function AddPanel({ onClose, ...adding }: Adding & { onClose(): void }) {
  const t = useWords(builderWords)
  const [wanted, setWanted] = useState('')
  return (
    <SidePanel icon="plus" title={t('add_step')} label={t('add_step')} onClose={onClose}>
      <TextInput
        type="search"
        aria-label={t('find_kind')}
        placeholder={t('find_kind')}
        leftSection={<Icon name="search" />}
        value={wanted}
        data-autofocus
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
      <Kinds {...adding} wanted={wanted} />
      <Instead {...adding} />
    </SidePanel>
  )
}

/** The step types, by group. */
function Kinds({ place, onAdd, wanted }: Adding & { wanted: string }) {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const builder = useBuilderContext()
  const { draft } = builder
  const isEndHere = isLast(draft, place)
  const isBare = lacksTemplate(draft, place)
  const whyNot = (kind: StepKind): string | null => {
    if (isFull(draft)) return t('no_more_steps', { n: FLOW_LIMITS.steps })
    if (isBare && needsTemplateBefore(kind)) return t('template_must_be_first')
    return !isEndHere && endsRun(kind, builder) ? t('only_at_the_end') : null
  }
  const kinds = STEP_KINDS.filter(
    (kind) =>
      kind !== 'end' && say(kind).toLocaleLowerCase().includes(wanted.trim().toLocaleLowerCase()),
  )
  return GROUPS.map((group) => {
    const inGroup = kinds.filter((kind) => groupOf(kind) === group)
    return (
      inGroup.length > 0 && (
        <section key={group} aria-label={say(`group_${group}`)}>
          <h3 className={styles.smallTitle}>{say(`group_${group}`)}</h3>
          <div className={styles.kinds}>
            {inGroup.map((kind) => {
              const reason = whyNot(kind)
              return (
                <button
                  key={kind}
                  type="button"
                  className={styles.kind}
                  disabled={reason !== null}
                  onClick={() => onAdd(kind)}
                >
                  <span className={styles.nodeIcon}>
                    <Icon name={iconOf(kind)} />
                  </span>
                  <span>
                    {say(kind)}
                    {reason !== null && <span className={styles.help}>{reason}</span>}
                  </span>
                </button>
              )
            })}
          </div>
        </section>
      )
    )
  })
}

/** The choices without a new step: pasting copied steps, or a connection to an existing step. */
function Instead({ place, onPaste, onLead }: Adding) {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const builder = useBuilderContext()
  const { draft } = builder
  const copied = readCopiedSteps()
  const others = Object.entries(draft.steps).filter(
    ([id, step]) => !isEnd(step) && id !== targetOf(draft, place),
  )
  return (
    <section className={layout.form} aria-label={t('instead')}>
      <h3 className={styles.smallTitle}>{t('instead')}</h3>
      {copied && (
        <Button
          leftSection={<Icon name="copy" />}
          disabled={isFull(draft) || !canPaste(draft, place, copied)}
          onClick={onPaste}
        >
          {t('paste', { n: Object.keys(copied.steps).length })}
        </Button>
      )}
      {place.stepId !== null && (
        <Select
          label={t('lead_to')}
          placeholder={t('choose_step')}
          searchable
          value={null}
          data={others.map(([id, step]) => ({
            value: id,
            label: `${say(step.kind)} · ${summaryOf(step, say, builder).title}`,
          }))}
          onChange={(id) => id !== null && onLead(id)}
        />
      )}
      {!isLast(draft, place) && stepAt(draft, place.stepId) && (
        <Button leftSection={<Icon name="stop" />} onClick={() => onLead(null)}>
          {t('end_here')}
        </Button>
      )}
    </section>
  )
}
