import { useEffect, useRef, type RefObject } from 'react'

/** Scrolls a bar of tabs so that the open tab is visible where they do not all fit. The page itself is not scrolled. */
export function useOpenTab(): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null)
  const seen = useRef({ open: null as Element | null, width: 0 })
  useEffect(() => {
    const own = bar.current!
    const open = own.querySelector('[aria-current="page"]')
    const width = own.scrollWidth
    // The bar scrolls when a tab opens or when counts have widened the tabs; in between, the member scrolls.
    if (open && (open !== seen.current.open || width !== seen.current.width)) scrollToTab(own, open)
    seen.current = { open, width }
  })
  return bar
}

/** Scrolls the bar until the whole tab is visible. */
function scrollToTab(bar: Element, tab: Element) {
  const [own, whole] = [tab.getBoundingClientRect(), bar.getBoundingClientRect()]
  if (own.left < whole.left) bar.scrollLeft -= whole.left - own.left
  else if (own.right > whole.right) bar.scrollLeft += own.right - whole.right
}
