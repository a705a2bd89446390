import { useEffect, useRef, type RefObject } from 'react'

/** Scrolls a bar of tabs so that the open tab is visible where they do not all fit. The page itself is not scrolled. */
export function useOpenTab(): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null)
  const seen = useRef({ open: null as Element | null, width: 0 })
  useEffect(() => {
    const own = bar.current!
    const open = own.querySelector('[aria-current="page"]')
    const width = own.scrollWidth
    // Once for each that is opened, and when counts have made them wider: in between it is moved by hand.
    if (open && (open !== seen.current.open || width !== seen.current.width)) importPage(own, open)
    seen.current = { open, width }
  })
  return bar
}

function importPage(bar: Element, tab: Element) {
  const [own, whole] = [tab.getBoundingClientRect(), bar.getBoundingClientRect()]
  if (own.left < whole.left) bar.scrollLeft -= whole.left - own.left
  else if (own.right > whole.right) bar.scrollLeft += own.right - whole.right
}
