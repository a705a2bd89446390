import { Button, Checkbox, TextInput, type ButtonProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useWords } from '../words/use-words.tsx'
import { Ltr, useCopy } from './Code.tsx'
import { Icon } from './Icon.tsx'
import { Modal } from './Modal.tsx'
import styles from './parts.module.css'
import { useLeaveGuard } from './use-leave-guard.ts'
import { useApiMutation } from './use-api-mutation.ts'
import { secretDialogWords } from './words-secret-dialog.ts'
import { partsWords } from './words.ts'

type ConfirmProps = {
  isOpen?: boolean
  title: ReactNode
  children?: ReactNode
  /** The label of the button that acts: "Resend 137". */
  act: ReactNode
  /** The label of the button that closes the dialog without acting; "Cancel" by default. */
  keep?: ReactNode
  /** The act cannot be undone. */
  isGrave?: boolean
  mayAct?: boolean
  /** The result is shown only once, so the page cannot be left while the act is in progress. */
  isShownOnce?: boolean
  /** A text that has to be typed first, such as the name of the thing to delete. */
  typed?: { label: string; name: string }
  /** Acts. @throws ApiError */
  send(): unknown
  /** The text of the success message. */
  done?: string
  onClose(): void
}

/**
 * A confirmation that states the consequence: the title asks with the number, the text says what happens to whose data,
 * and the button repeats verb and number. The dialog closes after success; an error is shown, and typed text stays.
 */
export function Confirm({
  isOpen = true,
  title,
  children,
  act,
  keep,
  isGrave = false,
  mayAct = true,
  isShownOnce = false,
  typed: mustType,
  send,
  done,
  onClose,
}: ConfirmProps) {
  const t = useWords(partsWords)
  const { isBusy, run } = useApiMutation()
  const [typed, setTyped] = useState('')
  useLeaveGuard(isShownOnce && isBusy)
  const onAct = async () => {
    const doIt = async () => {
      await send()
      return true
    }
    const isDone = await run(doIt, { done })
    if (isDone) onClose()
  }
  return (
    <Modal opened={isOpen} onClose={onClose} title={title}>
      <div className={styles.dialogText}>
        {children}
        {mustType && (
          <TextInput
            label={mustType.label}
            value={typed}
            autoComplete="off"
            data-autofocus
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </div>
      <div className={styles.dialogFoot}>
        <Button onClick={onClose}>{keep ?? t('cancel')}</Button>
        <Button
          variant="filled"
          color={isGrave ? 'var(--w-bad-fill)' : 'petrol'}
          loading={isBusy}
          disabled={!mayAct || (mustType !== undefined && typed.trim() !== mustType.name.trim())}
          onClick={() => void onAct()}
        >
          {act}
        </Button>
      </div>
    </Modal>
  )
}

/** A button that asks for a confirmation first. The button in the dialog has the same label unless `act` is another. */
export function ConfirmButton({
  label,
  act = label,
  button,
  ...confirm
}: Omit<ConfirmProps, 'act' | 'isOpen' | 'onClose'> & {
  label: ReactNode
  act?: ReactNode
  /** The looks of the button. */
  button?: ButtonProps
}) {
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button {...button} onClick={() => setAsking(true)}>
        {label}
      </Button>
      <Confirm {...confirm} act={act} isOpen={isAsking} onClose={() => setAsking(false)} />
    </>
  )
}

/**
 * A dialog that shows a new secret once, to be copied. It can be closed only after the secret was copied or confirmed
 * as stored.
 */
export function SecretDialog({
  title,
  kind = 'secret',
  secret,
  fingerprint,
  envName,
  children,
  onClose,
}: {
  title: ReactNode
  /**
   * The kind decides where the text may be kept: a link is opened in a browser or a calendar, a secret never leaves a
   * server.
   */
  kind?: 'secret' | 'invitation' | 'calendar'
  /** Null while the dialog is closed. */
  secret: string | null
  fingerprint?: string | undefined
  /**
   * The name of the downloaded file's variable, such as `WASLA_SECRET`. A link has none, because no server reads it.
   */
  envName?: string | undefined
  children?: ReactNode
  onClose(): void
}) {
  const t = useWords(partsWords)
  const say = useWords(secretDialogWords)
  /** Several secrets can be shown one after the other, and each is confirmed separately. */
  const [stored, setStored] = useState<string | null>(null)
  const isStored = secret !== null && stored === secret
  const [isCopied, copy] = useCopy()
  useLeaveGuard(secret !== null && !isStored)
  return (
    <Modal
      opened={secret !== null}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={title}
    >
      <p className={styles.dialogText}>{say(`${kind}_not_again`)}</p>
      <code className={styles.secret}>{secret}</code>
      {children}
      <div className={styles.formFoot} style={{ marginBlock: 12 }}>
        <Button
          variant="filled"
          leftSection={<Icon name={isCopied ? 'check' : 'copy'} />}
          onClick={() => copy(secret ?? '', () => setStored(secret))}
        >
          {isCopied ? t('copied') : t('copy')}
        </Button>
        {envName !== undefined && (
          <Button
            component="a"
            leftSection={<Icon name="download" />}
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${envName}=${secret}\n`)}`}
            download={`${envName.toLowerCase()}.env`}
            onClick={() => setStored(secret)}
          >
            {say('download_env')}
          </Button>
        )}
        {fingerprint !== undefined && (
          <span>
            {say('fingerprint')} <Ltr>{fingerprint}</Ltr>
          </span>
        )}
      </div>
      <Checkbox
        label={say('secret_stored')}
        checked={isStored}
        onChange={(event) => setStored(event.currentTarget.checked ? secret : null)}
      />
      <div className={styles.dialogFoot}>
        <Button disabled={!isStored} onClick={onClose}>
          {t('close')}
        </Button>
      </div>
    </Modal>
  )
}
