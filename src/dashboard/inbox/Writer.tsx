import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useWords } from '../words/use-words.tsx'
import styles from './composer.module.css'
import { composerWords } from './words-composer.ts'
import { isComposing } from '../parts/is-composing.ts'

/** A suggestion for the typed word; `more` is a longer text next to the label. */
export type Suggestion = { id: string; label: string; more: string }

/** A request for suggestions in the text before the caret: where the typed word begins, and the word itself. */
export type Asked = { from: number; word: string }

/**
 * A text field with suggestions for the typed word: arrows move between them, Enter or Tab chooses one, Escape none.
 * Without suggestions Enter sends, as in customers' messengers, and Shift Enter starts a new line.
 */
export function Writer({
  label,
  placeholder,
  value,
  onChange,
  onEnter,
  asks,
  suggest,
  onTake,
  isNote = false,
}: {
  label: string
  placeholder: string
  value: string
  onChange(text: string): void
  onEnter(): void
  /** Returns the request for suggestions in the text before the caret, or null. */
  asks(before: string): Asked | null
  suggest(word: string): readonly Suggestion[]
  /** Returns the text that replaces the typed word. */
  onTake(suggestion: Suggestion): string
  isNote?: boolean
}) {
  const listId = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [at, setAt] = useState(0)
  const found = asked ? suggest(asked.word) : []
  const active = Math.min(at, found.length - 1)
  const look = (target: HTMLTextAreaElement) => {
    setAsked(asks(target.value.slice(0, target.selectionStart)))
    setAt(0)
  }
  const take = (suggestion: Suggestion) => {
    const { selectionEnd } = field.current!
    const text = onTake(suggestion)
    const start = value.slice(0, asked!.from) + text
    onChange(start + value.slice(selectionEnd))
    setAsked(null)
    requestAnimationFrame(() => {
      field.current?.focus()
      field.current?.setSelectionRange(start.length, start.length)
    })
  }
  /** Returns whether the key was handled by the list of suggestions. */
  const chooses = (event: KeyboardEvent): boolean => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    const takes = event.key === 'Enter' || event.key === 'Tab'
    if (step !== 0) setAt((active + step + found.length) % found.length)
    else if (takes) take(found[active]!)
    else if (event.key === 'Escape') setAsked(null)
    else return false
    if (event.key === 'Escape') event.stopPropagation()
    else event.preventDefault()
    return true
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter may end a word that is being composed.
    if (isComposing(event.nativeEvent)) return
    if (found.length > 0 && chooses(event)) return
    const isPhone = matchMedia('(pointer: coarse)').matches
    if (event.key === 'Enter' && !event.shiftKey && !isPhone) {
      event.preventDefault()
      onEnter()
    }
  }
  return (
    <div className={styles.writer}>
      {found.length > 0 && <Suggestions id={listId} found={found} active={active} onTake={take} />}
      <textarea
        ref={field}
        className={styles.text}
        data-note={isNote}
        rows={2}
        dir="auto"
        aria-label={label}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-controls={found.length > 0 ? listId : undefined}
        aria-activedescendant={found.length > 0 ? `${listId}-${active}` : undefined}
        value={value}
        onChange={(event) => {
          onChange(event.currentTarget.value)
          look(event.currentTarget)
        }}
        onKeyDown={onKeyDown}
        onBlur={() => setAsked(null)}
      />
    </div>
  )
}

function Suggestions({
  id,
  found,
  active,
  onTake,
}: {
  id: string
  found: readonly Suggestion[]
  active: number
  onTake(suggestion: Suggestion): void
}) {
  const t = useWords(composerWords)
  return (
    <div className={styles.suggestions} role="listbox" id={id} aria-label={t('suggestions')}>
      {found.map((suggestion, place) => (
        <div
          key={suggestion.id}
          id={`${id}-${place}`}
          role="option"
          tabIndex={-1}
          aria-selected={place === active}
          className={styles.suggestion}
          onMouseDown={(event) => {
            event.preventDefault()
            onTake(suggestion)
          }}
        >
          <bdi className={styles.suggestionName}>{suggestion.label}</bdi>
          <bdi className={styles.suggestionMore}>{suggestion.more}</bdi>
        </div>
      ))}
    </div>
  )
}

/** The row below a text: its type, its tools, and at the end its length and the send button. */
export function WriterFoot({
  modes,
  tools = null,
  children,
}: {
  modes: ReactNode
  tools?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={styles.foot}>
      {modes}
      {tools}
      <div className={styles.footEnd}>{children}</div>
    </div>
  )
}
