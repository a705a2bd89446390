import { useSyncExternalStore } from 'react'
import { ApiError } from '../app/api.ts'
import { useWords } from '../words/use-words.tsx'
import { Icon } from './Icon.tsx'
import layout from './layout.module.css'
import styles from './parts.module.css'
import { partsWords } from './words.ts'

type Toast = {
  id: number
  text: string
  isError: boolean
  /** A text to select, from left to right. */
  code?: string
  act?: { label: string; run(): void }
}

const SHOWN_MS = 6_000

let toasts: readonly Toast[] = []
let lastId = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const notify of listeners) notify()
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id))
}

/** Shows a success message for six seconds, with a button if the act can be undone. */
export function toastSuccess(text: string, act?: Toast['act']): void {
  const id = ++lastId
  change([...toasts, { id, text, isError: false, ...(act && { act }) }])
  setTimeout(() => dismiss(id), SHOWN_MS)
}

/** Shows an error until the member closes it; `fallback` is for errors without a text. */
export function toastError(error: unknown, fallback: string, act?: Toast['act']): void {
  const refusal = error instanceof ApiError ? error : null
  const text = refusal?.errors[0]?.message ?? refusal?.detail
  const hasText = text !== undefined && text !== ''
  change([
    ...toasts,
    { id: ++lastId, text: hasText ? text : fallback, isError: true, ...(act && { act }) },
  ])
}

/** Says until the member closes it that the browser refused to copy; `code` is a text that the page does not show. */
export function toastNotCopied(text: string, code?: string): void {
  change([...toasts, { id: ++lastId, text, isError: true, ...(code !== undefined && { code }) }])
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The short messages at the edge of the page, such as "Saved" or an error. */
export function Toasts() {
  const t = useWords(partsWords)
  const shown = useSyncExternalStore(subscribe, () => toasts)
  return (
    <div className={styles.toasts} role="status" aria-live="polite">
      {shown.map(({ id, text, isError, code, act }) => (
        <div key={id} className={styles.toast}>
          <Icon name={isError ? 'warning' : 'check'} />
          <div className={layout.grow}>
            <div>{text}</div>
            {code !== undefined && <code className={styles.toastCode}>{code}</code>}
          </div>
          {act && (
            <button
              type="button"
              className={styles.toastAct}
              onClick={() => {
                dismiss(id)
                act.run()
              }}
            >
              {act.label}
            </button>
          )}
          <button
            type="button"
            className={styles.toastAct}
            aria-label={t('close')}
            onClick={() => dismiss(id)}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </div>
  )
}
