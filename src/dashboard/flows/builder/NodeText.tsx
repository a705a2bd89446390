import { Icon } from '../../parts/Icon.tsx'
import type { IconName } from '../../parts/icons.ts'
import { useWords } from '../../words/use-words.tsx'
import { stepAt } from '../draft.ts'
import type { Box } from '../draft/layout.ts'
import styles from '../flows.module.css'
import mapStyles from './map.module.css'
import { iconOf, isEnd, summaryOf } from '../steps/kinds.ts'
import { triggerIcon, triggerSummary } from '../triggers/kinds.ts'
import { builderWords } from '../words-builder.ts'
import { stepWords } from '../words-steps.ts'
import { triggerWords } from '../words-triggers.ts'
import { useBuilderContext } from '../builder-context.ts'

type Look = {
  icon?: IconName
  kind: string
  title?: string
  detail?: string | undefined
  isCode?: boolean | undefined
}

/** Returns the title, the detail and the icon of a box. */
function useLook(node: Box['node']): Look {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const triggers = useWords(triggerWords)
  const builder = useBuilderContext()
  const step = node?.kind === 'step' ? stepAt(builder.draft, node.stepId) : undefined
  const { trigger } = builder.draft
  if (node === null) {
    const { title, detail } = triggerSummary(trigger, say)
    const name = triggers(trigger.kind)
    return {
      icon: triggerIcon(trigger.kind),
      kind: name === title ? say('trigger') : `${say('trigger')} · ${name}`,
      title,
      detail,
    }
  }
  if (node.kind === 'jump') {
    const target = stepAt(builder.draft, node.to)
    return target
      ? { kind: t('on_to'), title: summaryOf(target, say, builder).title }
      : { kind: t('goes_nowhere', { name: node.to }) }
  }
  if (!step || isEnd(step)) return { kind: say('end') }
  return { icon: iconOf(step.kind), kind: say(step.kind), ...summaryOf(step, say, builder) }
}

/** The content of a box on the map: the icon, the type of step, and a summary of its settings. */
export function NodeText({ node, isPill }: { node: Box['node']; isPill: boolean }) {
  const { icon, kind, title, detail, isCode } = useLook(node)
  return (
    <>
      {icon && (
        <span className={styles.nodeIcon}>
          <Icon name={icon} />
        </span>
      )}
      <span className={mapStyles.nodeText}>
        <span className={isPill ? mapStyles.pillText : mapStyles.nodeKind}>
          <bdi>{kind}</bdi>
        </span>
        {title !== undefined && (
          <bdi className={mapStyles.nodeTitle} {...(isCode && { dir: 'ltr' })}>
            {title}
          </bdi>
        )}
        {detail !== undefined && <bdi className={mapStyles.nodeDetail}>{detail}</bdi>}
      </span>
    </>
  )
}

/** An icon for the most serious problem of a step. */
export function WorstMark({ worst }: { worst: 'bad' | 'warn' | null }) {
  const t = useWords(builderWords)
  if (worst === null) return null
  return (
    <Icon
      name={worst === 'bad' ? 'failed' : 'warning'}
      className={styles[worst]}
      label={t(worst === 'bad' ? 'has_problem' : 'has_warning')}
    />
  )
}
