import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import layout from './layout.module.css'
import styles from './tabs.module.css'
import { useOpenTab } from './use-open-tab.ts'

/** A bar of tabs that are links, each with its own URL, so that it can be opened in a tab of the browser. */
export function TabBar({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav ref={useOpenTab()} className={styles.bar} aria-label={label}>
      {children}
    </nav>
  )
}

type Tab = ComponentProps<'a'> & {
  isOn: boolean
  /** The number of items in the tab. */
  count?: ReactNode
}

function TabAnchor({ isOn, count, children, ...rest }: Tab) {
  return (
    <a {...rest} className={styles.tab} aria-current={isOn ? 'page' : undefined}>
      {children}
      {count !== undefined && <span className={layout.count}>{count}</span>}
    </a>
  )
}

/** A tab of a `TabBar`, as a typed link of the router; `isOn` marks the current one. */
export const TabLink = createLink(TabAnchor)
