import { useMergedRef } from '@mantine/hooks'
import { createLink } from '@tanstack/react-router'
import { useEffect, useRef, type ComponentProps, type ReactNode } from 'react'
import styles from './tabs.module.css'

/** Tabs that are links: each has an address of its own and opens in a tab of the browser. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={styles.bar} aria-label={label}>
      {children}
    </nav>
  )
}

type Tab = ComponentProps<'a'> & {
  isOn: boolean
  /** How many it holds. */
  count?: ReactNode
}

function TabAnchor({ isOn, count, children, ref, ...rest }: Tab) {
  const own = useRef<HTMLAnchorElement>(null)
  useEffect(() => {
    if (isOn && own.current) bringIn(own.current)
  }, [isOn])
  return (
    <a
      {...rest}
      ref={useMergedRef(own, ref)}
      className={styles.tab}
      aria-current={isOn ? 'page' : undefined}
    >
      {children}
      {count !== undefined && <span className={styles.count}>{count}</span>}
    </a>
  )
}

/** Where they do not all fit, the one that is open is seen; the page itself stays where it is. */
function bringIn(tab: HTMLElement) {
  const bar = tab.parentElement!
  const [own, whole] = [tab.getBoundingClientRect(), bar.getBoundingClientRect()]
  if (own.left < whole.left) bar.scrollLeft -= whole.left - own.left
  else if (own.right > whole.right) bar.scrollLeft += own.right - whole.right
}

export const TabLink = createLink(TabAnchor)
