import { Tabs } from '@mantine/core'
import { Icon } from '../../parts/Icon.tsx'
import { useFormat } from '../../words/format.ts'
import { useWords } from '../../words/use-words.tsx'
import { stepAt } from '../draft.ts'
import { variablesOf } from '../draft/variables.ts'
import { summaryOf } from '../steps/kinds.ts'
import layout from '../../parts/layout.module.css'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { stepWords } from '../words-steps.ts'
import { useBuilderContext } from '../builder-context.ts'

/** A problem of the draft, found when it was saved or by the check before publishing. */
export type DraftProblem = {
  stepId: string | null
  field: string
  text: string
  isWarning: boolean
  /** The problem prevents even saving the draft. */
  isUnsaved: boolean
}

/** The tabs of the drawer below the map. */
export type DrawerTab = 'problems' | 'variables'

/** The drawer below the map, with a tab of the problems and a tab of the variables, which lead to their steps. */
export function BottomDrawer({
  tab,
  onTab,
  troubles,
  why,
  onGo,
}: {
  tab: DrawerTab
  onTab(tab: DrawerTab): void
  troubles: readonly DraftProblem[]
  /** The text for a draft without problems. */
  why: 'no_problems' | 'checking' | 'not_checked' | 'as_published'
  onGo(trouble: Pick<DraftProblem, 'stepId' | 'field'>): void
}) {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const format = useFormat()
  const builder = useBuilderContext()
  const { draft } = builder
  const variables = variablesOf(draft)
  const nameOf = (stepId: string | null) => {
    const step = stepAt(draft, stepId)
    if (!step) return say('trigger')
    return `${say(step.kind)} · ${summaryOf(step, say, builder).title}`
  }
  return (
    <Tabs
      value={tab}
      onChange={(chosen) => onTab((chosen ?? 'problems') as DrawerTab)}
      className={styles.drawer}
    >
      <Tabs.List>
        <Tabs.Tab value="problems">
          {t('problems')} <span className={styles.help}>{format.number(troubles.length)}</span>
        </Tabs.Tab>
        <Tabs.Tab value="variables">
          {t('variables')} <span className={styles.help}>{format.number(variables.length)}</span>
        </Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="problems" className={styles.drawerBody}>
        {troubles.length === 0 && <p className={styles.help}>{t(why)}</p>}
        <ul className={styles.troubles}>
          {troubles.map((trouble) => (
            <li key={`${trouble.field}${trouble.text}`}>
              <Icon
                name={trouble.isWarning ? 'warning' : 'failed'}
                className={trouble.isWarning ? styles.warn : layout.bad}
                label={t(trouble.isWarning ? 'has_warning' : 'has_problem')}
              />
              <span className={layout.grow}>
                <strong>
                  <bdi>{nameOf(trouble.stepId)}</bdi>
                </strong>{' '}
                {trouble.text}
                {trouble.isUnsaved && <span className={layout.bad}> {t('not_saved_yet')}</span>}
              </span>
              <button type="button" className={styles.linkButton} onClick={() => onGo(trouble)}>
                {t(trouble.stepId === null ? 'go_to_trigger' : 'go_to_step')}
              </button>
            </li>
          ))}
        </ul>
      </Tabs.Panel>
      <Tabs.Panel value="variables" className={styles.drawerBody}>
        {variables.length === 0 && <p className={styles.help}>{t('no_variables')}</p>}
        <ul className={styles.troubles}>
          {variables.map(({ name, setBy }) => (
            <li key={name}>
              <span className={styles.variable}>
                <bdi dir="ltr">{name}</bdi>
              </span>
              <span className={layout.grow}>
                {t('set_by', { steps: format.list(setBy.map(nameOf)) })}
              </span>
              <button
                type="button"
                className={styles.linkButton}
                onClick={() => onGo({ stepId: setBy[0] ?? null, field: '' })}
              >
                {t(setBy[0] === null ? 'go_to_trigger' : 'go_to_step')}
              </button>
            </li>
          ))}
        </ul>
      </Tabs.Panel>
    </Tabs>
  )
}
