import { Button } from '@mantine/core'
import { Confirm } from '../../parts/Dialogs.tsx'
import { Banner } from '../../parts/Page.tsx'
import { useWords } from '../../words/use-words.tsx'
import styles from '../flows.module.css'
import { builderWords } from '../words-builder.ts'
import type { useDraft } from './use-draft.ts'

/**
 * The dialogs about unsaved changes: one asks which draft to keep after a conflict, the other asks before the member
 * leaves a draft that could not be saved.
 */
export function Unsaved({
  saving,
  leaving,
  keepMine,
  takeTheirs,
}: Pick<ReturnType<typeof useDraft>, 'saving' | 'leaving' | 'keepMine' | 'takeTheirs'>) {
  const t = useWords(builderWords)
  return (
    <>
      {saving.kind === 'stale' && (
        <Banner
          tone="warn"
          title={t('stale')}
          act={
            <div className={styles.row}>
              <Button size="xs" onClick={takeTheirs}>
                {t('take_theirs')}
              </Button>
              <Button size="xs" onClick={keepMine}>
                {t('keep_mine')}
              </Button>
            </div>
          }
        >
          {t('stale_why')}
        </Banner>
      )}
      <Confirm
        isOpen={leaving.status === 'blocked'}
        title={t('leave')}
        act={t('leave_act')}
        keep={t('leave_not')}
        isGrave
        send={() => leaving.proceed?.()}
        onClose={() => leaving.reset?.()}
      >
        {t('leave_why')}
      </Confirm>
    </>
  )
}
