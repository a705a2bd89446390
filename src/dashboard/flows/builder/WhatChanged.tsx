import { useWords } from '../../words/use-words.tsx'
import { compareDrafts } from '../draft/changes.ts'
import type { Draft } from '../draft.ts'
import { summaryOf } from '../steps/kinds.ts'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import { stepWords } from '../words-steps.ts'
import { useBuilderContext } from '../builder-context.ts'

/** A list of the steps that were added, removed and changed between two drafts. */
export function WhatChanged({ before, after }: { before: Draft; after: Draft }) {
  const t = useWords(builderWords)
  const say = useWords(stepWords)
  const builder = useBuilderContext()
  const { added, removed, changed, trigger, channel } = compareDrafts(before, after)
  const line = (draft: Draft, id: string) => {
    const step = draft.steps[id]!
    return `${say(step.kind)} · ${summaryOf(step, say, builder).title}`
  }
  const lines = [
    ...(trigger ? [{ mark: t('changed'), text: say('trigger') }] : []),
    ...(channel ? [{ mark: t('changed'), text: t('channel') }] : []),
    ...added.map((id) => ({ mark: t('added'), text: line(after, id) })),
    ...changed.map((id) => ({ mark: t('changed'), text: line(after, id) })),
    ...removed.map((id) => ({ mark: t('removed'), text: line(before, id) })),
  ]
  if (lines.length === 0) return <p className={styles.help}>{t('nothing_changed')}</p>
  return (
    <ul className={styles.changes}>
      {lines.map(({ mark, text }, at) => (
        <li key={at}>
          <span className={styles.help}>{mark}</span> <bdi>{text}</bdi>
        </li>
      ))}
    </ul>
  )
}
