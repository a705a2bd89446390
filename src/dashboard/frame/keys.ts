import { useEffect, useRef } from 'react'

/** A key, given by its position on the keyboard (`code`), which also works in Arabic, or by its character (`key`). */
type Key = ({ code: string } | { key: string }) & { isWithControl?: boolean }

/** Calls `act` on the key, on every page. A key without Control is ignored while the member types. */
export function useKey(wanted: Key, act: () => void): void {
  const newest = useRef({ wanted, act })
  useEffect(() => {
    newest.current = { wanted, act }
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { wanted: key, act: run } = newest.current
      const isIt = 'code' in key ? event.code === key.code : event.key === key.key
      const isControl = event.ctrlKey || event.metaKey
      if (!isIt || isControl !== (key.isWithControl ?? false) || event.altKey) return
      if (!isControl && isTyping(event.target)) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName))
  )
}
