import { Tooltip } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { IconButton } from './IconButton.tsx'
import { useWords } from '../words/use-words.tsx'
import { copyText } from './copy-text.ts'
import { Icon } from './Icon.tsx'
import styles from './parts.module.css'
import { toastNotCopied } from './toasts.tsx'
import { partsWords } from './words.ts'

/** A span that keeps an id, a URL, a phone number or a code from left to right in every language. */
export function Ltr({ children }: { children: ReactNode }) {
  return (
    <bdi dir="ltr" className={styles.code}>
      {children}
    </bdi>
  )
}

/**
 * Returns whether a text was copied within the last 1.5 seconds, and a function that copies; `onCopied` is called on
 * success. A message says when the browser refuses, with the text itself where the page does not show it as a whole.
 */
export function useCopy({ isShown = true } = {}): [
  boolean,
  (text: string, onCopied?: () => void) => void,
] {
  const t = useWords(partsWords)
  const [isCopied, setCopied] = useState(false)
  const copy = (text: string, onCopied?: () => void) => {
    void copyText(text).then((isDone) => {
      if (!isDone) return toastNotCopied(t('not_copied'), isShown ? undefined : text)
      onCopied?.()
      setCopied(true)
      setTimeout(() => setCopied(false), 1_500)
    })
  }
  return [isCopied, copy]
}

/** An id, shortened in the middle; a click copies the whole id. */
export function IdChip({
  id,
  isPlain = false,
}: {
  id: string
  /** Leaves out the box, for tables that show an id in each row. */
  isPlain?: boolean
}) {
  const t = useWords(partsWords)
  const [isCopied, copy] = useCopy({ isShown: false })
  const short = id.length > 16 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id
  return (
    <Tooltip label={isCopied ? t('copied') : id}>
      <button
        type="button"
        className={styles.idChip}
        data-plain={isPlain}
        onClick={(event) => {
          event.stopPropagation()
          copy(id)
        }}
      >
        <bdi dir="ltr">{short}</bdi>
        <span className="visually-hidden">{t('copy')}</span>
        {isCopied && <Icon name="check" size={12} />}
      </button>
    </Tooltip>
  )
}

/** A button that copies a text to the clipboard. */
export function CopyButton({ text }: { text: string }) {
  const t = useWords(partsWords)
  const [isCopied, copy] = useCopy()
  const label = isCopied ? t('copied') : t('copy')
  return (
    <IconButton
      hasTip
      icon={isCopied ? 'check' : 'copy'}
      label={label}
      variant="default"
      onClick={() => copy(text)}
    />
  )
}

/** A block of code, always from left to right. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
  return (
    <div className={styles.codeBlock}>
      {/* Keyboard users need the focus on an element to scroll it. */}
      <pre tabIndex={0} aria-label={label}>
        {code}
      </pre>
      <span className={styles.codeCopy}>
        <CopyButton text={code} />
      </span>
    </div>
  )
}
