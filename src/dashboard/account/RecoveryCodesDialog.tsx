import { Button, Checkbox } from '@mantine/core'
import { useState } from 'react'
import { useCopy } from '../parts/Code.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Modal } from '../parts/Modal.tsx'
import { useLeaveGuard } from '../parts/use-leave-guard.ts'
import { useWords } from '../words/use-words.tsx'
import layout from '../parts/layout.module.css'
import styles from './account.module.css'
import { secondFactorWords } from './words-second-factor.ts'

/** A dialog that shows recovery codes once. It closes after they were copied, downloaded or confirmed as stored. */
export function RecoveryCodesDialog({
  codes,
  onClose,
}: {
  codes: readonly string[]
  onClose(): void
}) {
  const t = useWords(secondFactorWords)
  const [isStored, setStored] = useState(false)
  const [isCopied, copy] = useCopy()
  const text = `${codes.join('\n')}\n`
  useLeaveGuard(!isStored)
  return (
    <Modal
      opened
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('codes_title')}
    >
      <p className={layout.help}>{t('codes_why')}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={layout.row}>
        <Button
          variant="filled"
          leftSection={<Icon name={isCopied ? 'check' : 'copy'} />}
          onClick={() => copy(text, () => setStored(true))}
        >
          {t(isCopied ? 'copied' : 'copy')}
        </Button>
        <Button
          component="a"
          leftSection={<Icon name="download" />}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
          download="recovery-codes.txt"
          onClick={() => setStored(true)}
        >
          {t('download')}
        </Button>
      </div>
      <Checkbox
        my="md"
        label={t('stored')}
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked)}
      />
      <Button disabled={!isStored} onClick={onClose}>
        {t('close')}
      </Button>
    </Modal>
  )
}
