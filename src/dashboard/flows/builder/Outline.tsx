import { ActionIcon } from '@mantine/core'
import { useRef, type KeyboardEvent } from 'react'
import { Icon } from '../../parts/Icon.tsx'
import { useWords } from '../../words/use-words.tsx'
import { stepAt } from '../draft.ts'
import { exitsOf, iconOf, isEnd, summaryOf } from '../steps/kinds.ts'
import { triggerIcon, triggerSummary } from '../triggers/kinds.ts'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'
import mapStyles from './map.module.css'
import { builderWords } from '../words-builder.ts'
import { WorstMark } from './NodeText.tsx'
import { stepWords } from '../words-steps.ts'
import { triggerWords } from '../words-triggers.ts'
import type { TreeNode } from '../draft/tree.ts'
import { useBuilderContext } from '../builder-context.ts'
import { TRIGGER_KEY, type OutlineRow } from './outline-rows.ts'
import type { NodeActs } from './node-acts.ts'
import { handleNodeKey } from './node-acts.ts'

/** The flow as a list of its steps, for the keyboard, screen readers and phones. */
export function Outline({
  rows,
  selected,
  acts,
  worstAt,
}: {
  rows: readonly OutlineRow[]
  selected: string | null
  acts: NodeActs
  worstAt(stepId: string | null): 'bad' | 'warn' | null
}) {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const triggers = useWords(triggerWords)
  const { draft } = useBuilderContext()
  const tree = useRef<HTMLDivElement>(null)
  const keys = [TRIGGER_KEY, ...rows.map(({ node }) => node.key)]
  const current = selected !== null && keys.includes(selected) ? selected : TRIGGER_KEY
  const focus = (key: string | undefined) => {
    if (key === undefined) return
    tree.current?.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent, key: string, node: TreeNode | null) => {
    const at = keys.indexOf(key)
    const row = rows.find((one) => one.node.key === key)
    const isAhead = document.dir === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const isBack = document.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft'
    const go: Record<string, string | undefined> = {
      ArrowDown: keys[at + 1],
      ArrowUp: keys[at - 1],
      Home: keys[0],
      End: keys.at(-1),
      [isAhead]: rows.find(({ parent }) => parent === key)?.node.key,
      [isBack]: row?.parent ?? undefined,
    }
    if (Object.hasOwn(go, event.key)) {
      event.preventDefault()
      focus(go[event.key])
      return
    }
    handleNodeKey(event, node, acts)
  }
  const name = triggers(draft.trigger.kind)
  const { title } = triggerSummary(draft.trigger, say)
  return (
    <div className={mapStyles.outline}>
      <p className={`${layout.help} ${mapStyles.keys}`} id="outline-keys">
        {t('outline_keys')}
      </p>
      <div ref={tree} role="tree" aria-label={t('steps')} aria-describedby="outline-keys">
        <Row
          id={TRIGGER_KEY}
          level={1}
          isCurrent={current === TRIGGER_KEY}
          isOpen={selected === TRIGGER_KEY}
          icon={<Icon name={triggerIcon(draft.trigger.kind)} />}
          kind={name === title ? say('trigger') : `${say('trigger')} · ${name}`}
          title={title}
          worst={worstAt(null)}
          onOpen={() => acts.open(TRIGGER_KEY)}
          onKeyDown={(event) => onKeyDown(event, TRIGGER_KEY, null)}
        />
        {rows.map((row) => (
          <StepRow
            key={row.node.key}
            row={row}
            isCurrent={current === row.node.key}
            isOpen={selected === row.node.key}
            acts={acts}
            worstAt={worstAt}
            onKeyDown={(event) => onKeyDown(event, row.node.key, row.node)}
          />
        ))}
      </div>
    </div>
  )
}

function StepRow({
  row: { node, level, branch, isLoose },
  isCurrent,
  isOpen,
  acts,
  worstAt,
  onKeyDown,
}: {
  row: OutlineRow
  isCurrent: boolean
  isOpen: boolean
  acts: NodeActs
  worstAt(stepId: string | null): 'bad' | 'warn' | null
  onKeyDown(event: KeyboardEvent): void
}) {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const builder = useBuilderContext()
  const { draft } = builder
  const from = branch && stepAt(draft, branch.stepId)
  const exit = from && exitsOf(from).find((one) => one.exit === branch.exit)
  const step = node.kind === 'step' ? stepAt(draft, node.stepId) : undefined
  const target = node.kind === 'jump' ? stepAt(draft, node.to) : undefined
  const summary = step && !isEnd(step) ? summaryOf(step, say, builder) : null
  const jumps =
    node.kind === 'jump'
      ? target
        ? t('goes_to', { name: summaryOf(target, say, builder).title })
        : t('goes_nowhere', { name: node.to })
      : null
  return (
    <Row
      id={node.key}
      level={level}
      isCurrent={isCurrent}
      isOpen={isOpen}
      before={isLoose && level === 1 ? t('not_reached') : exit?.label(say)}
      tone={exit?.tone}
      icon={step && <Icon name={iconOf(step.kind)} />}
      kind={jumps ?? (summary && step ? say(step.kind) : say('end'))}
      title={summary?.title}
      isCode={summary?.isCode}
      worst={node.kind === 'step' ? worstAt(node.stepId) : null}
      onOpen={
        node.kind === 'step'
          ? () => acts.open(node.stepId)
          : node.kind === 'jump'
            ? () => acts.open(node.to)
            : () => acts.add(node.place)
      }
      onAdd={builder.mayEdit && !isLoose ? () => acts.add(node.place) : undefined}
      onKeyDown={onKeyDown}
    />
  )
}

function Row({
  id,
  level,
  isCurrent,
  isOpen,
  before,
  tone,
  icon,
  kind,
  title,
  isCode = false,
  worst,
  onOpen,
  onAdd,
  onKeyDown,
}: {
  id: string
  level: number
  isCurrent: boolean
  isOpen: boolean
  /** The name of the branch that begins at this row. */
  before?: string | undefined
  tone?: 'ok' | 'bad' | undefined
  icon?: React.ReactNode
  kind: string
  title?: string | undefined
  isCode?: boolean | undefined
  worst: 'bad' | 'warn' | null
  onOpen(): void
  onAdd?: (() => void) | undefined
  onKeyDown(event: KeyboardEvent): void
}) {
  const t = useWords(builderWords)
  return (
    <div className={mapStyles.outlineLine} style={{ paddingInlineStart: (level - 1) * 20 }}>
      {before !== undefined && (
        <div className={mapStyles.outlineBranch} data-tone={tone} aria-hidden>
          <bdi>{before}</bdi>
        </div>
      )}
      <div className={mapStyles.outlineRow} data-open={isOpen}>
        <div
          role="treeitem"
          data-key={id}
          tabIndex={isCurrent ? 0 : -1}
          aria-level={level}
          aria-selected={isOpen}
          className={mapStyles.outlineItem}
          onClick={onOpen}
          onKeyDown={onKeyDown}
        >
          {before !== undefined && <span className="visually-hidden">{before}</span>}
          {icon && <span className={styles.nodeIcon}>{icon}</span>}
          <span className={mapStyles.outlineText}>
            <span className={mapStyles.nodeKind}>
              <bdi>{kind}</bdi>
            </span>
            {title !== undefined && (
              <bdi className={mapStyles.nodeTitle} {...(isCode && { dir: 'ltr' })}>
                {title}
              </bdi>
            )}
          </span>
          <WorstMark worst={worst} />
        </div>
        {onAdd && (
          <ActionIcon
            variant="subtle"
            tabIndex={-1}
            // Keyboard users have the key +, which is described above.
            aria-hidden
            title={t('add_before', { name: title ?? kind })}
            onClick={onAdd}
          >
            <Icon name="plus" />
          </ActionIcon>
        )}
      </div>
    </div>
  )
}
