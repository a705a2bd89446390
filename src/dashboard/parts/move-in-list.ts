import { useEffect, type RefObject } from 'react'

/**
 * Moves through the rows of a list: J to the next row, K to the previous one. The keys are physical, so that they work
 * on an Arabic keyboard. Each row is or contains a link, which Enter opens.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => moveInList(event, list.current)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [list])
}

function moveInList(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = event.code === 'KeyJ' ? 1 : event.code === 'KeyK' ? -1 : 0
  if (step === 0 || list === null || isTaken(event) || !isMeant(list)) return
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')].flatMap(
    (row) => (row.matches('a') ? row : row.querySelector<HTMLElement>('a')) ?? [],
  )
  const active = document.activeElement
  const here = rows.findIndex((row) => row === active)
  const open = rows.findIndex((row) => row.ariaCurrent === 'true')
  const from = here === -1 ? open : here
  const next = rows[Math.max(0, Math.min(rows.length - 1, from + step))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** Returns whether keys are meant for this list: the one with the focus, or else the first one on the page. */
function isMeant(list: HTMLElement): boolean {
  const lists = [...document.querySelectorAll('[data-rows]')]
  return list === (lists.find((one) => one.contains(document.activeElement)) ?? lists[0])
}

/** Returns whether the key belongs to a text field or to an open dialog. */
function isTaken({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true
  if (document.querySelector('[role=dialog]') !== null) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}
