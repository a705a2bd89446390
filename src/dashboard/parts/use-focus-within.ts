import { useEffect, useRef, useState, type FocusEvent, type RefObject } from 'react'

/**
 * Returns whether the focus is within an element. When a press elsewhere removes the focus, this changes only after the
 * press has ended: an element that disappears with the focus must not move the pressed one from below the pointer.
 */
export function useFocusWithin(element: RefObject<HTMLElement | null>) {
  const [isWithin, setWithin] = useState(false)
  const isPressed = useRef(false)
  useEffect(() => {
    if (!isWithin) return
    const press = () => {
      isPressed.current = true
    }
    const release = () => {
      isPressed.current = false
      // The click follows right after this event.
      setTimeout(() => {
        if (!element.current?.contains(document.activeElement)) setWithin(false)
      })
    }
    window.addEventListener('pointerdown', press, true)
    window.addEventListener('pointerup', release, true)
    window.addEventListener('pointercancel', release, true)
    return () => {
      window.removeEventListener('pointerdown', press, true)
      window.removeEventListener('pointerup', release, true)
      window.removeEventListener('pointercancel', release, true)
    }
  }, [isWithin, element])
  return {
    isWithin,
    onFocus: () => setWithin(true),
    onBlur: (event: FocusEvent<HTMLElement>) => {
      const isLeft = !event.currentTarget.contains(event.relatedTarget)
      if (isLeft && !isPressed.current) setWithin(false)
    },
  }
}
