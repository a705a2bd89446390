/** By the physical key, so that it works on an Arabic keyboard: J to the next row, K to the one before. */
export function moveInList(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = event.code === 'KeyJ' ? 1 : event.code === 'KeyK' ? -1 : 0
  if (step === 0 || list === null || isTaken(event)) return
  const rows = [...list.querySelectorAll<HTMLElement>('[data-row]')]
  const active = document.activeElement
  const here = rows.findIndex((row) => row === active)
  const open = rows.findIndex((row) => row.ariaCurrent === 'true')
  const from = here === -1 ? open : here
  const next = rows[Math.max(0, Math.min(rows.length - 1, from + step))]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

/** Keys are for what is written into, and for whatever dialog is open. */
export function isTaken({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true
  if (document.querySelector('[role=dialog]') !== null) return true
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName))
  )
}
